// Whether defaults would leave an object of a shape as it is. They are run on one object for all, into which the values are put that they look at:
// what they do depends on nothing else that objects of the shape differ in.
import type { KubernetesObject } from '#api/object.ts';
import type { HolePlace } from '#schema/shaped/shaped-object.ts';

type Members = Record<string, unknown>;

interface Cell {
  value: unknown;
}

export class DefaultsGuard {
  readonly #object: KubernetesObject;
  readonly #applyDefaults: (object: object) => void;
  /** By hole. */
  readonly #cells: Cell[];
  /** The holes that were looked at. */
  readonly #seen = new Set<number>();
  #isChanged = false;
  #ranOnce = false;

  /** Takes the object over. */
  constructor(object: KubernetesObject, places: readonly HolePlace[], applyDefaults: (object: object) => void) {
    this.#object = object;
    this.#applyDefaults = applyDefaults;
    this.#cells = Array.from({ length: places.length }, () => ({ value: undefined }));
    const holes = new Map<object, Map<string, number>>();
    for (const { holder, key, hole } of places) holes.set(holder, (holes.get(holder) ?? new Map()).set(key, hole));
    this.#watch(object as unknown as Members, holes);
  }

  leavesAlone(valueIn: (hole: number) => unknown): boolean {
    let seen: number;
    do {
      seen = this.#seen.size;
      if (!this.#put(valueIn) && this.#ranOnce) return true;
      if (!this.#run()) return false;
      // Those that are looked at for the first time had the values of another object.
    } while (this.#seen.size > seen);
    return true;
  }

  /** False: these values were looked at last, and all was well. */
  #put(valueIn: (hole: number) => unknown): boolean {
    let isNew = false;
    for (const hole of this.#seen) {
      const cell = this.#cells[hole] as Cell;
      const value = valueIn(hole);
      isNew ||= value !== cell.value;
      cell.value = value;
    }
    return isNew;
  }

  #run(): boolean {
    this.#isChanged = false;
    this.#ranOnce = false;
    try {
      this.#applyDefaults(this.#object);
    } catch {
      // A member would be added.
      return false;
    }
    this.#ranOnce = !this.#isChanged;
    return this.#ranOnce;
  }

  /** Nothing can be added any more, and whatever is asked for or set passes here. */
  #watch(holder: Members, holes: ReadonlyMap<object, ReadonlyMap<string, number>>): void {
    for (const [key, value] of Object.entries(holder)) {
      const hole = holes.get(holder)?.get(key);
      if (typeof value === 'object' && value !== null) this.#watch(value as Members, holes);
      Object.defineProperty(holder, key, { ...(hole === undefined ? this.#fixed(value) : this.#open(hole)), enumerable: true });
    }
    Object.preventExtensions(holder);
  }

  #fixed(value: unknown): PropertyDescriptor {
    return {
      get: () => value,
      set: (other) => {
        this.#isChanged ||= other !== value;
      },
    };
  }

  #open(hole: number): PropertyDescriptor {
    const cell = this.#cells[hole] as Cell;
    return {
      get: () => {
        this.#seen.add(hole);
        return cell.value;
      },
      set: (other) => {
        this.#seen.add(hole);
        this.#isChanged ||= other !== cell.value;
      },
    };
  }
}
