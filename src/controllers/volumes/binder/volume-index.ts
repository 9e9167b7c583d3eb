// Where to look for a volume: the free ones by class, and those that name a claim by that claim. Names alone: the objects are in the cache.
import { sourceKey } from '#api/source.ts';
import { classOf, type StoredClaim, type StoredVolume } from '#controllers/volumes/storage-objects.ts';

export class VolumeIndex {
  readonly #placeOf = new Map<string, Set<string>>();
  readonly #free = new Map<string, Set<string>>();
  readonly #byClaim = new Map<string, Set<string>>();

  put(volume: StoredVolume): void {
    const { name = '' } = volume.metadata;
    const { claimRef } = volume.spec;
    const [index, key] = claimRef
      ? [this.#byClaim, sourceKey({ namespace: claimRef.namespace ?? '', name: claimRef.name ?? '' })]
      : [this.#free, classOf(volume)];
    const place = index.get(key) ?? new Set<string>();
    index.set(key, place);
    if (this.#placeOf.get(name) === place) return;
    this.drop(name);
    this.#placeOf.set(name, place.add(name));
  }

  drop(name: string): void {
    this.#placeOf.get(name)?.delete(name);
    this.#placeOf.delete(name);
  }

  /** Of volumes that may fit. */
  namesFor(claim: StoredClaim): readonly string[] {
    const { namespace = '', name = '' } = claim.metadata;
    return [...(this.#byClaim.get(sourceKey({ namespace, name })) ?? []), ...(this.#free.get(classOf(claim)) ?? [])];
  }
}
