// Ranges of sizes and costs, as cel-go's checker adds and multiplies them: whole numbers that stop at 2^64 instead of overflowing.
// Numbers beyond 2^53 are not exact, which no limit can tell.

/** At least `min`, at most `max`; of a size (code points, bytes, elements, entries) or of a cost. */
export interface Estimate {
  readonly min: number;
  readonly max: number;
}

/** Upstream's math.MaxUint64: nothing is known. */
export const unbounded = 2 ** 64;

export const unknownSize: Estimate = { min: 0, max: unbounded };

export function exactly(value: number): Estimate {
  return { min: value, max: value };
}

export function add(a: Estimate, b: Estimate): Estimate {
  return { min: atMost(a.min + b.min), max: atMost(a.max + b.max) };
}

export function multiply(a: Estimate, b: Estimate): Estimate {
  return { min: atMost(a.min * b.min), max: atMost(a.max * b.max) };
}

/** Rounded up to whole units. */
export function scale(a: Estimate, factor: number): Estimate {
  return { min: atMost(Math.ceil(a.min * factor)), max: atMost(Math.ceil(a.max * factor)) };
}

/** The range that covers both. */
export function union(a: Estimate, b: Estimate): Estimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function atMost(value: number): number {
  return value < unbounded ? value : unbounded;
}
