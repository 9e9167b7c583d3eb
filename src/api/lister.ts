// How policy code (admission, authorization, strategies with side effects) reads and writes other objects.
// `app/` backs the lister with the watch cache and the writer with the verbs.
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

/** Answers at once unless the cache of the resource is being filled. */
export interface Lister {
  get<T extends KubernetesObject = KubernetesObject>(resource: GroupResource, namespace: string, name: string): MaybePromise<T | undefined>;
  /** All objects of the namespace ('' for cluster-scoped resources and for all namespaces). */
  list<T extends KubernetesObject = KubernetesObject>(resource: GroupResource, namespace?: string): MaybePromise<readonly T[]>;
  /** Another number after every change of any object of the resource, for those who keep something that they made of all objects. */
  changedAt(resource: GroupResource): MaybePromise<number>;
}

export interface Writer {
  create(resource: GroupResource, namespace: string, object: KubernetesObject): Promise<KubernetesObject>;
  /** Conditional on the object's resourceVersion when it has one. */
  update(resource: GroupResource, namespace: string, object: KubernetesObject, subresource?: string): Promise<KubernetesObject>;
  delete(resource: GroupResource, namespace: string, name: string, preconditions?: { uid?: string; resourceVersion?: string }): Promise<void>;
}
