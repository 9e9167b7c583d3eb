// Which objects an owner controls: those that it made, without those whose labels no longer fit (they are released), with orphans that fit
// (they are adopted). As ControllerRefManager of the original.
import { ApiError } from '#api/api-error.ts';
import type { LabelSelector } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { patchTypes, type ResourceAddress, type RestClient } from '#client/rest-client.ts';
import type { ObjectView } from '#controllers/workloads/controlled-objects.ts';
import { controllerReference, type OwnerKind, refuseGoneOwner } from '#controllers/workloads/owner.ts';

export interface ClaimOptions<V> {
  readonly client: RestClient;
  /** Of the claimed objects. */
  readonly resource: ResourceAddress;
  readonly kind: OwnerKind;
  readonly owner: KubernetesObject;
  readonly selector: LabelSelector;
  /** Beside the labels: may the object belong to this owner? */
  readonly fits?: (view: V) => boolean;
  /** Given to what is adopted, taken from what is released. */
  readonly finalizers?: readonly string[];
  /** Hears of every object that was adopted or released, at the revision of that write. */
  readonly onWrite?: (object: KubernetesObject) => void;
}

/** Throws the first failure after all have been looked at. */
export async function claimObjects<V extends ObjectView>(candidates: Iterable<V>, options: ClaimOptions<V>): Promise<readonly V[]> {
  const claimed: V[] = [];
  const failures: unknown[] = [];
  const claimant = new Claimant(options);
  for (const view of candidates) {
    try {
      const outcome = claimant.claim(view);
      if (typeof outcome === 'boolean' ? outcome : await outcome) claimed.push(view);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return claimed;
}

class Claimant<V extends ObjectView> {
  readonly #options: ClaimOptions<V>;
  #ownerIsThere: Promise<void> | undefined;

  constructor(options: ClaimOptions<V>) {
    this.#options = options;
  }

  /** Returns at once for what needs no write: most objects of a large owner. */
  claim(view: V): Promise<boolean> | boolean {
    const { owner } = this.#options;
    const matches = this.#matches(view);
    if (view.controller !== undefined) {
      if (view.controller.uid !== owner.metadata.uid) return false;
      return matches || (owner.metadata.deletionTimestamp === undefined && this.#release(view));
    }
    return owner.metadata.deletionTimestamp === undefined && matches && !view.isDeleting && this.#adopt(view);
  }

  #matches(view: V): boolean {
    const { selector, fits } = this.#options;
    return selector.matches(view.labels) && fits?.(view) !== false;
  }

  async #adopt({ namespace, name, uid }: V): Promise<boolean> {
    const { client, kind, owner, finalizers } = this.#options;
    this.#ownerIsThere ??= refuseGoneOwner(client, kind, owner);
    await this.#ownerIsThere;
    const ownerReferences = [controllerReference(kind, owner)];
    return this.#patch(namespace, name, { metadata: { uid, ownerReferences, ...(finalizers && { finalizers }) } });
  }

  /** 422: another object has this name by now, or has no owners any more. */
  async #release({ namespace, name, uid }: V): Promise<boolean> {
    const { owner, finalizers } = this.#options;
    const ownerReferences = [{ $patch: 'delete', uid: owner.metadata.uid }];
    const metadata = { uid, ownerReferences, ...(finalizers && { '$deleteFromPrimitiveList/finalizers': finalizers }) };
    try {
      await this.#patch(namespace, name, { metadata });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 422)) throw error;
    }
    return false;
  }

  /** False: the object is gone. */
  async #patch(namespace: string, name: string, patch: object): Promise<boolean> {
    const { client, resource, onWrite } = this.#options;
    try {
      onWrite?.(await client.patch(resource, { namespace, name }, patchTypes.strategic, patch));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }
}
