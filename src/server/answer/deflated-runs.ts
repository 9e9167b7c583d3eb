// Runs of objects as lists hold them, compressed once and kept while lists ask for them: where a run ends depends on the
// objects in it alone, so that a change spoils only the run it happens in.
import { type Deflated, deflated } from '#server/answer/deflated.ts';
import type { ItemWriter, Listable } from '#server/answer/list-text.ts';

/** A part of a list. */
export interface Span<I> {
  readonly items: readonly I[];
  readonly from: number;
  readonly end: number;
  readonly writer: ItemWriter<I>;
}

interface Kept {
  readonly serials: Float64Array;
  readonly form: Promise<Deflated>;
  bytes: number;
}

const longestRun = 512 * 1024;
/** In bytes: how likely an item begins a run grows with its size. */
const meanRun = 160 * 1024;
/** 2^32 by the golden ratio: spreads numbers that follow each other evenly. */
const spread = 0x9e3779b1;
/** With the run's own bytes, what its bookkeeping takes, about. */
const overhead = 512;
/** Rooms for texts of runs that are kept for the next: a list compresses one run after the other. */
const mostSpare = 2;

/** Where the run that begins at `from` ends. */
export function runEnd(items: readonly Listable[], from: number): number {
  let bytes = 0;
  for (let at = from; at < items.length; at++) {
    const { byteLength, serial } = items[at] as Listable;
    bytes += byteLength;
    if (at > from && (bytes > longestRun || beginsRun(serial, byteLength))) return at;
  }
  return items.length;
}

function beginsRun(serial: number | undefined, byteLength: number): boolean {
  return serial !== undefined && Math.imul(serial, spread) >>> 0 < (byteLength / meanRun) * 2 ** 32;
}

export class DeflatedRuns {
  readonly #budget: number;
  /** By how items are written, the first and the last of them; last used last. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** What is held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** None of the items is the first of its list. */
  of<I extends Listable>(span: Span<I>): Promise<Deflated> {
    const key = keyOf(span);
    if (key === undefined) return deflatedRun(span);
    const known = this.#kept.get(key);
    if (known && isOf(known, span)) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.form;
    }
    if (known) this.#drop(key, known);
    return this.#make(key, span);
  }

  #make<I extends Listable>(key: string, span: Span<I>): Promise<Deflated> {
    const form = deflatedRun(span);
    const made: Kept = { serials: serialsOf(span), form, bytes: 0 };
    this.#kept.set(key, made);
    form.then(
      ({ bytes }) => this.#account(key, made, bytes.length),
      () => this.#drop(key, made),
    );
    return form;
  }

  #account(key: string, made: Kept, length: number): void {
    if (this.#kept.get(key) !== made) return;
    made.bytes = length + made.serials.byteLength + overhead;
    this.#bytes += made.bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#budget) return;
      this.#drop(oldest, kept);
    }
  }

  #drop(key: string, kept: Kept): void {
    if (this.#kept.get(key) !== kept) return;
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }
}

/** Undefined: these are made for one answer, no other answer will use them. */
function keyOf<I extends Listable>({ items, from, end, writer }: Span<I>): string | undefined {
  const first = items[from]?.serial;
  return first === undefined ? undefined : `${writer.name} ${first} ${items[end - 1]?.serial}`;
}

function isOf<I extends Listable>({ serials }: Kept, { items, from, end }: Span<I>): boolean {
  if (serials.length !== end - from) return false;
  for (let i = 0; i < serials.length; i++) if (serials[i] !== (items[from + i] as I).serial) return false;
  return true;
}

function serialsOf<I extends Listable>({ items, from, end }: Span<I>): Float64Array {
  return Float64Array.from({ length: end - from }, (_, i) => items[from + i]?.serial ?? Number.NaN);
}

const spare: Buffer[] = [];

/** Fresh memory for every text makes V8 collect all of the heap some times in every long list, and holds tens of megabytes until then. */
async function deflatedRun<I>(span: Span<I>): Promise<Deflated> {
  const length = lengthOf(span);
  const room = length > longestRun ? Buffer.allocUnsafeSlow(length) : (spare.pop() ?? Buffer.allocUnsafeSlow(longestRun));
  try {
    return await deflated(room.subarray(0, writeRun(span, room)));
  } finally {
    if (room.length === longestRun && spare.length < mostSpare) spare.push(room);
  }
}

function lengthOf<I>({ items, from, end, writer }: Span<I>): number {
  let length = 0;
  for (let i = from; i < end; i++) length += writer.length(items[i] as I, false);
  return length;
}

/** Returns the end. */
function writeRun<I>({ items, from, end, writer }: Span<I>, target: Buffer): number {
  let at = 0;
  for (let i = from; i < end; i++) {
    writer.length(items[i] as I, false);
    at = writer.write(items[i] as I, false, target, at);
  }
  return at;
}
