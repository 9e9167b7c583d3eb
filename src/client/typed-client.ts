// The verbs for one resource whose kind is known at compile time: objects go in and come out typed.
import type { KubernetesObject } from '#api/object.ts';
import type { Query, ResourceAddress } from '#client/address.ts';
import { type ApplyOptions, type ListOf, patchTypes, type RestClient, type WatchFrame } from '#client/rest-client.ts';

/** The address of a resource that remembers the type of its objects. */
export interface TypedAddress<T> extends ResourceAddress {
  readonly kind: string;
  /** Never there: it only carries the type. */
  readonly _object?: T;
}

/** What the server wants to be told; the rest it knows or fills in. */
export type Draft<T> = { readonly [K in keyof T]?: T[K] extends object | undefined ? Draft<T[K]> : T[K] };

/** A typed object as every stored one is. */
type Stored<T> = T & KubernetesObject;

export class TypedClient<T extends object> {
  readonly #client: RestClient;
  readonly #address: TypedAddress<T>;
  readonly #namespace: string;

  /** Without a namespace only what belongs to the cluster can be named, and everything can be listed. */
  constructor(client: RestClient, address: TypedAddress<T>, namespace = '') {
    this.#client = client;
    this.#address = address;
    this.#namespace = namespace;
  }

  in(namespace: string): TypedClient<T> {
    return new TypedClient(this.#client, this.#address, namespace);
  }

  get(name: string): Promise<Stored<T>> {
    return this.#client.get(this.#address, this.#namespace, name);
  }

  find(name: string): Promise<Stored<T> | undefined> {
    return this.#client.find(this.#address, this.#namespace, name);
  }

  list(query: Query = {}): Promise<ListOf<Stored<T>>> {
    return this.#client.list(this.#address, this.#namespace, query);
  }

  create(object: Draft<T>, query: Query = {}): Promise<Stored<T>> {
    return this.#client.create<object>(this.#address, this.#namespace, { kind: this.#address.kind, ...object }, query) as Promise<Stored<T>>;
  }

  update(object: Stored<T>, subresource = ''): Promise<Stored<T>> {
    return this.#client.update(this.#address, object, subresource);
  }

  /** A merge patch: what is null goes. */
  merge(name: string, patch: object, query: Query = {}): Promise<Stored<T>> {
    return this.#client.patch(this.#address, { namespace: this.#namespace, name }, patchTypes.merge, patch, query);
  }

  apply(name: string, wanted: Draft<T>, options: ApplyOptions): Promise<Stored<T>> {
    const { group, version, kind } = this.#address;
    const metadata = { ...(wanted as { metadata?: object }).metadata, name, namespace: this.#namespace };
    const object = { ...wanted, apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata };
    return this.#client.apply<KubernetesObject>(this.#address, object, options) as Promise<Stored<T>>;
  }

  async delete(name: string, options: object = {}): Promise<void> {
    await this.#client.delete(this.#address, this.#namespace, name, options);
  }

  deleteAll(query: Query = {}, options: object = {}): Promise<ListOf<Stored<T>>> {
    return this.#client.deleteCollection(this.#address, this.#namespace, query, options);
  }

  watch(query: Query, signal: AbortSignal): AsyncGenerator<WatchFrame<Stored<T>>> {
    return this.#client.watch(this.#address, this.#namespace, query, signal);
  }
}
