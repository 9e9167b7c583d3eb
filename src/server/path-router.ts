// Everything that is not a resource: health, version, discovery, OpenAPI … by exact path or by prefix.
import { sendJson, sendPageNotFound } from '#server/answer/document.ts';
import type { Handler } from '#server/front/exchange.ts';

export class PathRouter {
  readonly #exact = new Map<string, Handler>();
  readonly #prefixes: { readonly prefix: string; readonly handler: Handler }[] = [];
  readonly #listings: (() => Iterable<string>)[] = [];

  constructor() {
    this.#exact.set('/', (exchange) => Promise.resolve(sendJson(exchange, 200, { paths: this.paths() })));
    this.#exact.set('/index.html', this.#exact.get('/') as Handler);
  }

  /** Serves the path itself, and lists it at `/` unless told otherwise. */
  exact(path: string, handler: Handler, { listed = true } = {}): this {
    this.#exact.set(path, handler);
    if (listed) this.#listings.push(() => [path]);
    return this;
  }

  /** Serves everything at and below the path; `listing` says which of it stands at `/`. */
  under(path: string, handler: Handler, listing: () => Iterable<string> = () => []): this {
    this.#prefixes.push({ prefix: `${path}/`, handler });
    this.#prefixes.sort((a, b) => b.prefix.length - a.prefix.length);
    this.#exact.set(path, handler);
    this.#listings.push(listing);
    return this;
  }

  paths(): string[] {
    return [...new Set(this.#listings.flatMap((listing) => [...listing()]))].sort();
  }

  readonly handle: Handler = (exchange) => {
    const { path } = exchange.info;
    const handler = this.#exact.get(path) ?? this.#prefixes.find(({ prefix }) => path.startsWith(prefix))?.handler;
    return handler === undefined ? Promise.resolve(sendPageNotFound(exchange)) : handler(exchange);
  };
}
