// The verbs of the API over any transport. Objects are plain JSON; refusals are thrown as the ApiError the server made.
import { ApiError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject, ObjectMeta } from '#api/object.ts';
import type { Status } from '#api/status.ts';
import { pathOf, type Query, type ResourceAddress } from '#client/address.ts';
import { readAll, type Transport, type TransportRequest, type TransportResponse } from '#client/transport.ts';
import { errorFromStatus, type WatchFrame, watchFrames } from '#client/watch-frames.ts';

export type { Query, ResourceAddress } from '#client/address.ts';
export type { WatchFrame } from '#client/watch-frames.ts';

export interface ListOf<T> {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly T[];
}

export interface Named {
  readonly namespace: string;
  readonly name: string;
  readonly subresource?: string;
}

/** What all answers with an object have. */
export interface BriefObject {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
}

/** In which form answers are wanted. */
export type Form = 'object' | 'metadata' | 'table';

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export interface ApplyOptions {
  readonly fieldManager: string;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly dryRun?: boolean;
}

const defaultPageSize = 500;

export class RestClient {
  readonly #transport: Transport;
  readonly #userAgent: string;
  readonly #form: Form;

  constructor(transport: Transport, userAgent: string, form: Form = 'object') {
    this.#transport = transport;
    this.#userAgent = userAgent;
    this.#form = form;
  }

  /** The same server, read as metadata alone or as tables. What writes answer stays whole. */
  as(form: Form): RestClient {
    return new RestClient(this.#transport, this.#userAgent, form);
  }

  get<T = KubernetesObject>(resource: ResourceAddress, namespace: string, name: string, query: Query = {}): Promise<T> {
    return this.request<T>({ method: 'GET', path: pathOf(resource, { namespace, name, query }), headers: { accept: acceptOf(this.#form, '') } });
  }

  /** Undefined where `get` would throw 404. */
  async find<T = KubernetesObject>(resource: ResourceAddress, namespace: string, name: string, query: Query = {}): Promise<T | undefined> {
    return unlessMissing(this.get<T>(resource, namespace, name, query));
  }

  /** A subresource: a scale, a status. Undefined where it, or its object, is not there. */
  async findAt<T = KubernetesObject>(resource: ResourceAddress, target: Named, query: Query = {}): Promise<T | undefined> {
    return unlessMissing(this.getAt<T>(resource, target, query));
  }

  /** A subresource. */
  getAt<T = KubernetesObject>(resource: ResourceAddress, target: Named, query: Query = {}): Promise<T> {
    return this.request<T>({ method: 'GET', path: pathOf(resource, { ...target, query }) });
  }

  list<T = KubernetesObject>(resource: ResourceAddress, namespace = '', query: Query = {}, signal?: AbortSignal): Promise<ListOf<T>> {
    const headers = { accept: acceptOf(this.#form, 'List') };
    return this.request<ListOf<T>>({ method: 'GET', path: pathOf(resource, { namespace, query }), headers, ...(signal && { signal }) });
  }

  /** The list in pieces, all of the same moment. Throws 410 when the server has forgotten that moment meanwhile. */
  async *pages<T = KubernetesObject>(resource: ResourceAddress, namespace = '', query: Query = {}, signal?: AbortSignal): AsyncGenerator<ListOf<T>> {
    for (let next: Query | undefined = { limit: defaultPageSize, ...query }; next !== undefined; ) {
      const page: ListOf<T> = await this.list<T>(resource, namespace, next, signal);
      yield page;
      const token = page.metadata.continue;
      // The token knows the moment; naming it again is refused.
      next = token ? { limit: defaultPageSize, ...query, resourceVersion: undefined, resourceVersionMatch: undefined, continue: token } : undefined;
    }
  }

  create<T extends object>(resource: ResourceAddress, namespace: string, object: T, query: Query = {}): Promise<T> {
    return this.request<T>({ method: 'POST', path: pathOf(resource, { namespace, query }), body: withType(resource, object) });
  }

  /** The same, for those who read nothing of the answer but what a brief one has. */
  createBriefly(resource: ResourceAddress, namespace: string, object: object, query: Query = {}): Promise<BriefObject> {
    return this.request({ method: 'POST', path: pathOf(resource, { namespace, query }), body: withType(resource, object), brief: true });
  }

  /** Posts to a subresource: evictions, bindings, tokens. */
  createAt<T extends object>(resource: ResourceAddress, target: Named, object: object, query: Query = {}): Promise<T> {
    return this.request<T>({ method: 'POST', path: pathOf(resource, { ...target, query }), body: JSON.stringify(object) });
  }

  update<T extends KubernetesObject>(resource: ResourceAddress, object: T, subresource = '', query: Query = {}): Promise<T> {
    const { namespace = '', name = '' } = object.metadata;
    return this.request<T>({ method: 'PUT', path: pathOf(resource, { namespace, name, subresource, query }), body: withType(resource, object) });
  }

  /** The same, for those who read nothing of the answer but what a brief one has. */
  updateBriefly(resource: ResourceAddress, object: KubernetesObject, subresource = '', query: Query = {}): Promise<BriefObject> {
    const { namespace = '', name = '' } = object.metadata;
    return this.request({ method: 'PUT', path: pathOf(resource, { namespace, name, subresource, query }), body: withType(resource, object), brief: true });
  }

  patch<T = KubernetesObject>(resource: ResourceAddress, target: Named, type: string, patch: unknown, query: Query = {}): Promise<T> {
    return this.request<T>({ method: 'PATCH', path: pathOf(resource, { ...target, query }), headers: { 'content-type': type }, body: JSON.stringify(patch) });
  }

  /** A merge patch, answered with the metadata alone: for objects that are large. */
  mergeBriefly(resource: ResourceAddress, target: Named, patch: object, query: Query = {}): Promise<Pick<KubernetesObject, 'metadata'>> {
    const headers = { accept: acceptOf('metadata', ''), 'content-type': patchTypes.merge };
    return this.request({ method: 'PATCH', path: pathOf(resource, { ...target, query }), headers, body: JSON.stringify(patch) });
  }

  /** Server-side apply. `object` says only what its manager wants to own, with its apiVersion and kind. */
  apply<T extends KubernetesObject>(resource: ResourceAddress, object: T, { fieldManager, force, subresource, dryRun }: ApplyOptions): Promise<T> {
    const { namespace = '', name = '' } = object.metadata;
    const query = { fieldManager, ...(force !== undefined && { force }), ...(dryRun && { dryRun: 'All' }) };
    return this.patch<T>(resource, { namespace, name, ...(subresource !== undefined && { subresource }) }, patchTypes.apply, object, query);
  }

  delete(resource: ResourceAddress, namespace: string, name: string, options: object = {}): Promise<unknown> {
    return this.request({ method: 'DELETE', path: pathOf(resource, { namespace, name }), body: JSON.stringify(options) });
  }

  /** Deletes what the selectors of `query` select. */
  deleteCollection<T = KubernetesObject>(resource: ResourceAddress, namespace = '', query: Query = {}, options: object = {}): Promise<ListOf<T>> {
    return this.request({ method: 'DELETE', path: pathOf(resource, { namespace, query }), body: JSON.stringify(options) });
  }

  /** Frames as they come; ends when the server ends the watch. */
  async *watch<T = KubernetesObject>(resource: ResourceAddress, namespace: string, query: Query, signal: AbortSignal): AsyncGenerator<WatchFrame<T>> {
    const headers = { accept: acceptOf(this.#form, '') };
    const response = await this.open({ method: 'GET', path: pathOf(resource, { namespace, query: { ...query, watch: true } }), headers, signal });
    yield* watchFrames<T>(response.chunks);
  }

  /** Any path of the server whose answer is JSON. */
  async request<T>(request: TransportRequest): Promise<T> {
    return JSON.parse((await readAll(await this.open(request))).toString()) as T;
  }

  /** Any path of the server: the answer as it begins. Whatever is not a success is thrown. */
  async open(request: TransportRequest): Promise<TransportResponse> {
    const headers = { accept: json, 'content-type': json, 'user-agent': this.#userAgent, ...request.headers };
    const response = await this.#transport({ ...request, headers });
    if (response.code >= 300) throw errorFrom(response.code, (await readAll(response)).toString());
    return response;
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

const json = 'application/json';

function acceptOf(form: Form, of: '' | 'List'): string {
  if (form === 'object') return json;
  const kind = form === 'table' ? 'Table' : `PartialObjectMetadata${of}`;
  return `${json};as=${kind};v=v1;g=meta.k8s.io,${json}`;
}

/** Objects read from typed lists have lost their type; the server wants it only where it could not know. */
function withType(resource: ResourceAddress, object: object): string {
  return JSON.stringify({ apiVersion: apiVersionOf(resource), ...object });
}

function errorFrom(code: number, text: string): ApiError {
  try {
    return errorFromStatus(JSON.parse(text) as Partial<Status>, code, text);
  } catch {
    return new ApiError(code, undefined, text);
  }
}
