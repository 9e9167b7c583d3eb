// The verbs of the API over any transport. Objects are plain JSON; refusals are thrown as the ApiError the server made.
import { ApiError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Status, StatusReason } from '#api/status.ts';
import { readAll, type Transport, type TransportRequest } from '#client/transport.ts';

export interface ResourceAddress {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

export interface ListOf<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly T[];
}

export interface WatchFrame<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export class RestClient {
  readonly #transport: Transport;
  readonly #userAgent: string;

  constructor(transport: Transport, userAgent: string) {
    this.#transport = transport;
    this.#userAgent = userAgent;
  }

  get<T = KubernetesObject>(resource: ResourceAddress, namespace: string, name: string, query: Query = {}): Promise<T> {
    return this.#json<T>({ method: 'GET', path: pathOf(resource, { namespace, name, query }) });
  }

  list<T = KubernetesObject>(resource: ResourceAddress, namespace = '', query: Query = {}): Promise<ListOf<T>> {
    return this.#json<ListOf<T>>({ method: 'GET', path: pathOf(resource, { namespace, query }) });
  }

  create<T extends object>(resource: ResourceAddress, namespace: string, object: T, query: Query = {}): Promise<T> {
    return this.#json<T>({ method: 'POST', path: pathOf(resource, { namespace, query }), body: withType(resource, object) });
  }

  update<T extends KubernetesObject>(resource: ResourceAddress, object: T, subresource = '', query: Query = {}): Promise<T> {
    const { namespace = '', name = '' } = object.metadata;
    return this.#json<T>({ method: 'PUT', path: pathOf(resource, { namespace, name, subresource, query }), body: withType(resource, object) });
  }

  patch<T = KubernetesObject>(
    resource: ResourceAddress,
    target: { namespace: string; name: string; subresource?: string },
    type: string,
    patch: unknown,
    query: Query = {},
  ): Promise<T> {
    return this.#json<T>({ method: 'PATCH', path: pathOf(resource, { ...target, query }), headers: { 'content-type': type }, body: JSON.stringify(patch) });
  }

  delete(resource: ResourceAddress, namespace: string, name: string, options: object = {}): Promise<unknown> {
    return this.#json({ method: 'DELETE', path: pathOf(resource, { namespace, name }), body: JSON.stringify(options) });
  }

  /** Frames as they come; ends when the server ends the watch. */
  async *watch<T = KubernetesObject>(resource: ResourceAddress, namespace: string, query: Query, signal: AbortSignal): AsyncGenerator<WatchFrame<T>> {
    const response = await this.#send({ method: 'GET', path: pathOf(resource, { namespace, query: { ...query, watch: true } }), signal });
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line) as WatchFrame<T>;
    }
  }

  async #json<T>(request: TransportRequest): Promise<T> {
    const response = await this.#send(request);
    return JSON.parse((await readAll(response)).toString()) as T;
  }

  async #send(request: TransportRequest) {
    const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': this.#userAgent, ...request.headers };
    const response = await this.#transport({ ...request, headers });
    if (response.code >= 400) throw errorFrom(response.code, (await readAll(response)).toString());
    return response;
  }
}

interface Target {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly query?: Query;
}

export function pathOf(resource: ResourceAddress, { namespace = '', name = '', subresource = '', query = {} }: Target): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const parts = [resource.resource, name, subresource].filter((part) => part !== '').map(encodeURIComponent);
  return `${root}${scope}/${parts.join('/')}${queryText(query)}`;
}

function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(String(value))}`]));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Objects read from typed lists have lost their type; the server wants it only where it could not know. */
function withType(resource: ResourceAddress, object: object): string {
  return JSON.stringify({ apiVersion: apiVersionOf(resource), ...object });
}

function errorFrom(code: number, text: string): ApiError {
  try {
    const status = JSON.parse(text) as Status;
    return new ApiError(status.code ?? code, status.reason, status.message ?? text, { ...(status.details && { details: status.details }) });
  } catch {
    return new ApiError(code, undefined as StatusReason | undefined, text);
  }
}
