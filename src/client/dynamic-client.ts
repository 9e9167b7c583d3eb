// Objects of any kind by what they say of themselves: apiVersion and kind decide where they go.
import type { KubernetesObject } from '#api/object.ts';
import type { Query } from '#client/address.ts';
import { addressOf, type RestMapper } from '#client/rest-mapper.ts';
import type { ApplyOptions, ListOf, RestClient, WatchFrame } from '#client/rest-client.ts';

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An object that says what it is. */
export type TypedObject = KubernetesObject & Kind;

export class DynamicClient {
  readonly #client: RestClient;
  readonly #mapper: RestMapper;

  constructor(client: RestClient, mapper: RestMapper) {
    this.#client = client;
    this.#mapper = mapper;
  }

  async get(kind: Kind, namespace: string, name: string): Promise<KubernetesObject> {
    return this.#client.get(await this.#addressOf(kind), namespace, name);
  }

  async list(kind: Kind, namespace = '', query: Query = {}): Promise<ListOf<KubernetesObject>> {
    return this.#client.list(await this.#addressOf(kind), namespace, query);
  }

  async create(object: TypedObject, query: Query = {}): Promise<KubernetesObject> {
    return this.#client.create<KubernetesObject>(await this.#addressOf(object), object.metadata.namespace ?? '', object, query);
  }

  async update(object: TypedObject, subresource = ''): Promise<KubernetesObject> {
    return this.#client.update<KubernetesObject>(await this.#addressOf(object), object, subresource);
  }

  async apply(object: TypedObject, options: ApplyOptions): Promise<KubernetesObject> {
    return this.#client.apply<KubernetesObject>(await this.#addressOf(object), object, options);
  }

  async delete(object: TypedObject, options: object = {}): Promise<void> {
    const { namespace = '', name = '' } = object.metadata;
    await this.#client.delete(await this.#addressOf(object), namespace, name, options);
  }

  async *watch(kind: Kind, namespace: string, query: Query, signal: AbortSignal): AsyncGenerator<WatchFrame<KubernetesObject>> {
    yield* this.#client.watch(await this.#addressOf(kind), namespace, query, signal);
  }

  async #addressOf({ apiVersion, kind }: Kind) {
    return addressOf(await this.#mapper.forKind(apiVersion, kind));
  }
}
