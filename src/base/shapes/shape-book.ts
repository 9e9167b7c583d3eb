// The shapes of one resource: finds that of an object, and learns from objects that fit none. Objects of the same
// controller come one after another, in time and in order of keys, so a few recent shapes are all that is looked at.
import { leavesOf } from '#base/shapes/json-leaves.ts';
import { Shape } from '#base/shapes/shape.ts';

/** Small objects are not worth it, and what is very large is kept apart anyway. */
const SMALLEST = 600;
const LARGEST = 64 << 10;
const REMEMBERED = 8;
/** So few objects are not worth it either: most kinds never have more, and a start has no time to learn from them. */
const FEW = 128;
/** Objects that differ in more places than this have little in common. */
const MOST_NEW_HOLES = 32;
export const MOST_HOLES = 96;
/** After this many failures in a row only every sixteenth object is learned from. */
const PATIENCE = 64;
const EVERY = 15;

/** `S` is a shape with what its users know about it. */
export interface Fit<S> {
  readonly shaped: S;
  /** Bytes of the packed form. */
  readonly length: number;
}

interface Known<S> {
  readonly shaped: S;
  readonly leaves: readonly number[];
}

interface Shaped {
  readonly shape: Shape;
}

export class ShapeBook<S extends Shaped> {
  readonly #describe: (shape: Shape) => S;
  /** How many more objects are kept as they are before any is learned from. */
  #untilLearning: number;
  /** Last used first. */
  #known: Known<S>[] = [];
  #failures = 0;
  /** Where the holes of the last fit are in the object. */
  readonly found = new Int32Array(2 * MOST_HOLES);

  constructor(describe: (shape: Shape) => S, learnsAfter = FEW) {
    this.#describe = describe;
    this.#untilLearning = learnsAfter;
  }

  /** Whether objects of this length are looked at. */
  mayFit(length: number): boolean {
    return length >= SMALLEST && length <= LARGEST;
  }

  /** Undefined when the object has to be kept as it is. */
  fit(json: Buffer): Fit<S> | undefined {
    if (!this.mayFit(json.length)) return undefined;
    if (this.#untilLearning > 0) {
      this.#untilLearning--;
      return undefined;
    }
    const fit = this.find(json);
    return fit && fit.length * 2 < json.length ? fit : undefined;
  }

  /** The shape of an object of any length, even if its texts are most of it. */
  find(json: Buffer): Fit<S> | undefined {
    return this.#match(json) ?? this.#learn(json);
  }

  #match(json: Buffer): Fit<S> | undefined {
    for (let i = 0; i < this.#known.length; i++) {
      const { shaped } = this.#known[i] as Known<S>;
      const length = shaped.shape.match(json, this.found);
      if (length < 0) continue;
      if (i > 0) this.#use(i);
      return { shaped, length };
    }
    return undefined;
  }

  #learn(json: Buffer): Fit<S> | undefined {
    if (this.#failures > PATIENCE && (this.#failures++ & EVERY) !== 0) return undefined;
    const leaves = leavesOf(json);
    for (const [i, known] of this.#known.entries()) {
      const shape = widened(known.shaped.shape, known.leaves, json, leaves);
      if (shape === undefined) continue;
      const shaped = this.#describe(shape);
      this.#failures = 0;
      this.#known[i] = { shaped, leaves: known.leaves };
      this.#use(i);
      const length = shape.match(json, this.found);
      return length < 0 ? undefined : { shaped, length };
    }
    this.#failures++;
    this.#known.unshift({ shaped: this.#describe(new Shape(Buffer.from(json), [])), leaves });
    this.#known.length = Math.min(this.#known.length, REMEMBERED);
    return undefined;
  }

  #use(index: number): void {
    const [known] = this.#known.splice(index, 1);
    if (known) this.#known.unshift(known);
  }
}

/** The same with holes where this object differs, too; undefined when it differs in more than some values. */
function widened(shape: Shape, known: readonly number[], json: Buffer, leaves: readonly number[]): Shape | undefined {
  if (known.length !== leaves.length) return undefined;
  const { base } = shape;
  const old = new Set(shape.holes.filter((_, i) => i % 2 === 0));
  const most = Math.min(MOST_HOLES, old.size + MOST_NEW_HOLES);
  const holes: number[] = [];
  let [baseAt, at] = [0, 0];
  for (let i = 0; i < leaves.length; i += 2) {
    const [baseStart, baseEnd, start, end] = [known[i], known[i + 1], leaves[i], leaves[i + 1]] as [number, number, number, number];
    if (!isSame(base, baseAt, baseStart, json, at, start)) return undefined;
    if (old.has(baseStart) || !isSame(base, baseStart, baseEnd, json, start, end)) holes.push(baseStart, baseEnd);
    if (holes.length > most * 2) return undefined;
    [baseAt, at] = [baseEnd, end];
  }
  return isSame(base, baseAt, base.length, json, at, json.length) ? new Shape(base, holes) : undefined;
}

function isSame(a: Buffer, start: number, end: number, b: Buffer, otherStart: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - otherStart) return false;
  for (let i = start, j = otherStart; i < end; i++, j++) if (a[i] !== b[j]) return false;
  return true;
}
