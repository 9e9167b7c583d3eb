// Runs of objects as lists hold them, compressed once and kept while lists ask for them: where a run ends depends on the
// objects in it alone, so that a change spoils only the run it happens in.
import { type Deflated, deflated } from '#server/answer/deflated.ts';
import type { ListedItem } from '#server/answer/list-text.ts';

/** A part of a list. */
export interface Span {
  readonly items: readonly ListedItem[];
  readonly from: number;
  readonly end: number;
  /** Bytes that each item leaves out at its beginning. */
  readonly skip: number;
}

interface Kept {
  readonly serials: Float64Array;
  readonly skip: number;
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

const openBrace = 0x7b;
const comma = 0x2c;

/** Where the run that begins at `from` ends. */
export function runEnd(items: readonly ListedItem[], from: number): number {
  let bytes = 0;
  for (let at = from; at < items.length; at++) {
    const { byteLength, serial } = items[at] as ListedItem;
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
  /** By the first and the last item, last used last. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** What is held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Each item with a comma before it. */
  of(span: Span): Promise<Deflated> {
    const key = keyOf(span);
    if (key === undefined) return deflated(runText(span));
    const known = this.#kept.get(key);
    if (known && isOf(known, span)) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.form;
    }
    if (known) this.#drop(key, known);
    return this.#make(key, span);
  }

  #make(key: string, span: Span): Promise<Deflated> {
    const form = deflated(runText(span));
    const made: Kept = { serials: serialsOf(span), skip: span.skip, form, bytes: 0 };
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
function keyOf({ items, from, end }: Span): string | undefined {
  const first = items[from]?.serial;
  return first === undefined ? undefined : `${first} ${items[end - 1]?.serial}`;
}

function isOf({ serials, skip }: Kept, span: Span): boolean {
  const { items, from, end } = span;
  if (skip !== span.skip || serials.length !== end - from) return false;
  for (let i = 0; i < serials.length; i++) if (serials[i] !== (items[from + i] as ListedItem).serial) return false;
  return true;
}

function serialsOf({ items, from, end }: Span): Float64Array {
  return Float64Array.from({ length: end - from }, (_, i) => items[from + i]?.serial ?? Number.NaN);
}

function runText({ items, from, end, skip }: Span): Buffer {
  let length = 0;
  for (let i = from; i < end; i++) length += (items[i] as ListedItem).byteLength - skip + 2;
  const text = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (let i = from; i < end; i++) {
    text[at++] = comma;
    text[at++] = openBrace;
    at = (items[i] as ListedItem).copyTo(text, at, skip);
  }
  return text;
}
