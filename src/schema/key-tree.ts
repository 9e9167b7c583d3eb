// Objects of a kind have few sets of keys, and most have theirs in the same order. What follows from the keys alone is worked out once
// for each order: whoever walks an object takes one step for each key and finds at its end what is known about such objects.
// test/bench pays for this with every write.

/** Clients choose the orders, so there is a limit: a tree that has grown beyond it starts again. */
const mostWeight = 1 << 19;
const stepWeight = 64;

export class KeyTree<T> {
  root = new KeyStep<T>('', 0);
  #weight = 0;

  /** The step from `step` over `key`, where nobody has gone yet. */
  add(step: KeyStep<T>, key: string): KeyStep<T> {
    const next = step.grow(key);
    this.#weight += next.weight;
    if (this.#weight > mostWeight) {
      this.root = new KeyStep('', 0);
      this.#weight = 0;
    }
    return next;
  }
}

export class KeyStep<T> {
  readonly key: string;
  /** What may be known here takes that much: it grows with all keys on the way. */
  readonly weight: number;
  /** Set by whoever reaches the end of an object here. */
  found: T | undefined;
  #likely: KeyStep<T> | undefined;
  #others: Map<string, KeyStep<T>> | undefined;

  constructor(key: string, weight: number) {
    this.key = key;
    this.weight = weight;
  }

  /** Undefined: nobody has gone there yet. */
  next(key: string): KeyStep<T> | undefined {
    const likely = this.#likely;
    return likely !== undefined && likely.key === key ? likely : this.#others?.get(key);
  }

  grow(key: string): KeyStep<T> {
    const step = new KeyStep<T>(key, this.weight + key.length + stepWeight);
    if (this.#likely === undefined) this.#likely = step;
    else {
      this.#others ??= new Map();
      this.#others.set(key, step);
    }
    return step;
  }
}
