// The OpenAPI documents of extension servers. Of OpenAPI 3 only the index is kept: documents are passed on from their servers, to whoever asks,
// in the name of who asks. Swagger is kept whole, because one document holds all of it. What a server said last stays while it cannot be reached.
import { createHash } from 'node:crypto';
import type { ApiServices, RemoteService } from '#aggregation/api-services.ts';
import { askServer, type ServerAnswer } from '#aggregation/ask-server.ts';
import { nestsTooDeep } from '#aggregation/nests-too-deep.ts';
import type { Handler } from '#server/front/exchange.ts';
import { filterSwagger, type Swagger } from '#server/openapi/merge-swagger.ts';
import type { RemoteDocument, RemoteDocuments } from '#server/openapi/remote-documents.ts';
import { openApi3Of } from '#server/openapi/swagger-to-openapi3.ts';

export interface RemoteOpenApiOptions {
  readonly apiServices: ApiServices;
  /** Passes a request on to the server behind an APIService. */
  readonly forwardTo: (remote: RemoteService) => Handler;
}

type Index = ReadonlyMap<string, { readonly serverRelativeURL: string }>;

interface Documents {
  /** Undefined for a server without OpenAPI 3. */
  readonly index: Index | undefined;
  readonly swagger: KeptSwagger | undefined;
}

interface KeptSwagger {
  readonly etag: string;
  /** Only the paths of the APIService. */
  readonly document: Swagger;
  /** All of it as OpenAPI 3; undefined when the server has that itself. */
  readonly converted: string | undefined;
}

const asked = { name: 'system:aggregator', groups: [] };
const timeoutMs = 60_000;

export class RemoteOpenApi implements RemoteDocuments {
  readonly #options: RemoteOpenApiOptions;
  /** By the name of the APIService. */
  readonly #known = new Map<string, Documents>();
  #revision = 0;

  constructor(options: RemoteOpenApiOptions) {
    this.#options = options;
  }

  get revision(): number {
    return this.#revision;
  }

  index(): ReadonlyMap<string, { readonly serverRelativeURL: string } | { readonly text: string }> {
    const all = new Map<string, { readonly serverRelativeURL: string } | { readonly text: string }>();
    for (const { documents } of this.#inOrder()) for (const [name, entry] of documents.index ?? []) if (!all.has(name)) all.set(name, entry);
    for (const { remote, documents } of this.#inOrder()) {
      const name = ownDocument(remote);
      const own = documents.index === undefined ? documents.swagger?.converted : documents.index.get(name);
      if (own !== undefined) all.set(name, typeof own === 'string' ? { text: own } : own);
    }
    return all;
  }

  find(name: string, as: 'owner' | 'other'): RemoteDocument | undefined {
    const found = this.#inOrder().find(({ remote, documents: { index, swagger } }) => {
      const isOwner = ownDocument(remote) === name;
      return as === 'owner' ? isOwner && (index?.has(name) ?? swagger?.converted !== undefined) : index?.has(name);
    });
    if (found === undefined) return undefined;
    const { index, swagger } = found.documents;
    if (index === undefined) return { is: 'made', text: swagger?.converted ?? '' };
    return { is: 'served', serve: this.#options.forwardTo(found.remote) };
  }

  /** Groups of higher priority first, then by name. */
  swaggers(): readonly Swagger[] {
    const highest = new Map<string, number>();
    const all = this.#inOrder();
    for (const { remote } of all) highest.set(groupOf(remote), Math.max(highest.get(groupOf(remote)) ?? 0, remote.spec.groupPriorityMinimum));
    return all
      .toSorted((a, b) => (highest.get(groupOf(b.remote)) ?? 0) - (highest.get(groupOf(a.remote)) ?? 0))
      .flatMap(({ documents: { swagger } }) => (swagger === undefined ? [] : [swagger.document]));
  }

  /** Asks the server behind an APIService, which may be gone. Throws when it does not tell; what it said before stays. */
  async refresh(name: string): Promise<void> {
    const remote = this.#options.apiServices.remoteNamed(name);
    if (remote === undefined) {
      if (this.#known.delete(name)) this.#revision += 1;
      return;
    }
    if (!remote.available) throw new Error('the server is not available');
    const before = this.#known.get(name);
    const index = await indexOf(remote);
    const swagger = await swaggerOf(remote, before?.swagger, index === undefined);
    const isSame = before !== undefined && before.swagger === swagger && JSON.stringify([...(before.index ?? [])]) === JSON.stringify([...(index ?? [])]);
    if (isSame && (before.index === undefined) === (index === undefined)) return;
    this.#known.set(name, { index, swagger });
    this.#revision += 1;
  }

  #inOrder(): readonly { readonly remote: RemoteService; readonly documents: Documents }[] {
    return this.#options.apiServices.remotes().flatMap((remote) => {
      const documents = this.#known.get(remote.name);
      return documents === undefined ? [] : [{ remote, documents }];
    });
  }
}

function groupOf({ spec: { group = '' } }: RemoteService): string {
  return group;
}

function ownDocument({ spec: { group = '', version = '' } }: RemoteService): string {
  return `apis/${group}/${version}`;
}

/** Undefined when the server has no OpenAPI 3. */
async function indexOf({ server }: RemoteService): Promise<Index | undefined> {
  const { code, body } = await askServer(server, '/openapi/v3', { user: asked, timeoutMs });
  if (code === 404) return undefined;
  if (code !== 200) throw new Error(`the index of OpenAPI 3 was answered with ${code}`);
  const { paths } = JSON.parse(body.toString()) as { paths?: Record<string, { serverRelativeURL?: unknown }> };
  return new Map(Object.entries(paths ?? {}).map(([name, entry]) => [name, { serverRelativeURL: String(entry.serverRelativeURL ?? '') }]));
}

async function swaggerOf(remote: RemoteService, before: KeptSwagger | undefined, isNeeded: boolean): Promise<KeptSwagger | undefined> {
  const etag = before?.etag.startsWith('"') ? { 'if-none-match': before.etag } : {};
  const condition: Record<string, string> = before !== undefined && isNeeded === (before.converted !== undefined) ? etag : {};
  const answer = await askServer(remote.server, '/openapi/v2', { user: asked, headers: { accept: 'application/json', ...condition }, timeoutMs });
  if (answer.code === 304 && before !== undefined) return before;
  if (answer.code === 404) return undefined;
  if (answer.code !== 200) throw new Error(`the Swagger document was answered with ${answer.code}`);
  const tag = tagOf(answer);
  return before?.etag === tag && isNeeded === (before.converted !== undefined) ? before : keptSwagger(remote, answer, tag, isNeeded);
}

/** A server without tags gets one of ours, which is never sent to it. */
function tagOf({ etag, body }: ServerAnswer): string {
  return etag === '' ? createHash('sha512').update(body).digest('hex') : etag;
}

function keptSwagger({ spec: { group = '', version = '' } }: RemoteService, { body }: ServerAnswer, etag: string, isNeeded: boolean): KeptSwagger {
  const whole = JSON.parse(body.toString()) as Swagger;
  if (typeof whole !== 'object' || whole === null || nestsTooDeep(whole)) throw new Error('the Swagger document cannot be used');
  const prefix = `/apis/${group}/${version}/`;
  return { etag, document: filterSwagger(whole, (path) => path.startsWith(prefix)), converted: isNeeded ? JSON.stringify(openApi3Of(whole)) : undefined };
}
