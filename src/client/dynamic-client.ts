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

  async get<T = KubernetesObject>(kind: Kind, namespace: string, name: string): Promise<T> {
    return this.#client.get<T>(await this.#addressOf(kind), namespace, name);
  }

  async list<T = KubernetesObject>(kind: Kind, namespace = '', query: Query = {}): Promise<ListOf<T>> {
    return this.#client.list<T>(await this.#addressOf(kind), namespace, query);
  }

  async create<T = KubernetesObject>(object: TypedObject, query: Query = {}): Promise<T> {
    return (await this.#client.create(await this.#addressOf(object), object.metadata.namespace ?? '', object, query)) as T;
  }

  async update<T = KubernetesObject>(object: TypedObject, subresource = ''): Promise<T> {
    return (await this.#client.update(await this.#addressOf(object), object, subresource)) as T;
  }

  async apply<T = KubernetesObject>(object: TypedObject, options: ApplyOptions): Promise<T> {
    return (await this.#client.apply(await this.#addressOf(object), object, options)) as T;
  }

  async delete(object: TypedObject, options: object = {}): Promise<void> {
    const { namespace = '', name = '' } = object.metadata;
    await this.#client.delete(await this.#addressOf(object), namespace, name, options);
  }

  async *watch<T = KubernetesObject>(kind: Kind, namespace: string, query: Query, signal: AbortSignal): AsyncGenerator<WatchFrame<T>> {
    yield* this.#client.watch<T>(await this.#addressOf(kind), namespace, query, signal);
  }

  async #addressOf({ apiVersion, kind }: Kind) {
    return addressOf(await this.#mapper.forKind(apiVersion, kind));
  }
}
