// Objects get new uids where they are imported; whoever refers to one by its old uid is led to the new one.
import type { StateObject } from '#cli/state/state-object.ts';

export class NewIdentities {
  readonly #inFile: ReadonlySet<string>;
  readonly #newOf = new Map<string, string>();

  constructor(objects: readonly StateObject[]) {
    this.#inFile = new Set(objects.flatMap(({ metadata: { uid } }) => uid ?? []));
  }

  learn(before: StateObject, uid: string | undefined): void {
    if (before.metadata.uid !== undefined && uid !== undefined) this.#newOf.set(before.metadata.uid, uid);
  }

  /**
   * The object with new uids wherever old ones stand: owner references, claims, targets, labels of jobs. `isWhole`: none is left that a
   * later object of the file will get. An owner that the file does not have is forgotten: the collector would delete the object with it.
   */
  renewed(object: StateObject): { readonly object: StateObject; readonly isWhole: boolean } {
    const { ownerReferences = [] } = object.metadata;
    const owners = ownerReferences.filter(({ uid }) => this.#newOf.has(uid));
    let isWhole = ownerReferences.every(({ uid }) => this.#newOf.has(uid) || !this.#inFile.has(uid));
    const { ownerReferences: _, uid: _own, ...metadata } = object.metadata;
    const renew = (value: unknown): unknown => {
      if (typeof value === 'string') {
        const known = this.#newOf.get(value);
        if (known === undefined && this.#inFile.has(value)) isWhole = false;
        return known ?? value;
      }
      if (Array.isArray(value)) return value.map(renew);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renew(one)]));
    };
    const renewed = renew({ ...object, metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) } }) as StateObject;
    return { object: renewed, isWhole };
  }
}
