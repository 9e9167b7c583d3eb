// What is made of a shape once enough of its objects were asked for; it goes with the shape.
import type { Shape } from '#base/shapes/shape.ts';

/** Making it takes about as long as doing without for this many objects. */
const worthMaking = 8;

interface Learned<T> {
  uses: number;
  /** Null: there is none. */
  made: T | null | undefined;
}

/** How much all that is made of shapes may take; when it takes more, what is in use is made anew. */
export class ShapeBudget {
  readonly #most: number;
  #bytes = 0;
  /** Grows when everything is given up. */
  generation = 0;

  constructor(most: number) {
    this.#most = most;
  }

  take(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#most) return;
    this.#bytes = 0;
    this.generation++;
  }
}

export class PerShape<T extends { readonly byteLength: number }> {
  readonly #make: (shape: Shape) => T | undefined;
  readonly #budget: ShapeBudget;
  #learned = new WeakMap<Shape, Learned<T>>();
  #generation: number;

  constructor(make: (shape: Shape) => T | undefined, budget: ShapeBudget) {
    this.#make = make;
    this.#budget = budget;
    this.#generation = budget.generation;
  }

  of(shape: Shape): T | undefined {
    if (this.#generation !== this.#budget.generation) {
      this.#learned = new WeakMap();
      this.#generation = this.#budget.generation;
    }
    const learned = this.#learned.get(shape);
    if (learned === undefined) this.#learned.set(shape, { uses: 1, made: undefined });
    else if (learned.made !== undefined) return learned.made ?? undefined;
    else if (++learned.uses >= worthMaking) return this.#learn(shape, learned);
    return undefined;
  }

  #learn(shape: Shape, learned: Learned<T>): T | undefined {
    const made = this.#make(shape);
    learned.made = made ?? null;
    if (made !== undefined) this.#budget.take(made.byteLength);
    return made;
  }
}
