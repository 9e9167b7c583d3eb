// What many objects have in common, byte for byte: text with holes. Pods of one controller differ in name, uid, times and
// node, so a pod is kept as the few texts in the holes of its shape: some hundred bytes instead of thousands, and a list
// is written from shapes that stay in the processor's cache.
import { endOfBare, endOfString } from '#base/shapes/json-leaves.ts';
import { findValue } from '#base/json-scan.ts';

const quote = 0x22;
const colon = 0x3a;
/** Up to this a loop is faster than a call. */
const SHORT = 48;
const LENGTH_BYTES = 2;
const LONGEST_HOLE = 0xffff;

/** From `start` up to, without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export class Shape {
  /** Before, between and behind the holes: one more than there are holes. */
  readonly constants: readonly Buffer[];
  /** Whether a hole stands between quotes. */
  readonly isString: readonly boolean[];
  /** Whether what stands in a hole is the name of a member. */
  readonly isName: readonly boolean[];
  /** The object that it was learned from, and where its holes are: start and end in turn. */
  readonly base: Buffer;
  readonly holes: readonly number[];

  constructor(base: Buffer, holes: readonly number[]) {
    this.base = base;
    this.holes = holes;
    const borders = [0, ...holes, base.length];
    this.constants = Array.from({ length: borders.length / 2 }, (_, i) => base.subarray(borders[2 * i], borders[2 * i + 1]));
    this.isString = this.constants.slice(0, -1).map((constant) => constant.at(-1) === quote);
    this.isName = this.constants.slice(1).map((constant, i) => this.isString[i] === true && constant[1] === colon);
  }

  /** Bytes that `pack` needs, or -1 when the object has another shape. `found` is filled with the places of the holes. */
  match(json: Buffer, found: Int32Array): number {
    const constants = this.constants;
    const last = constants.length - 1;
    let at = 0;
    let needed = 0;
    for (let i = 0; i < last; i++) {
      const constant = constants[i] as Buffer;
      if (!standsAt(json, at, constant)) return -1;
      at += constant.length;
      const end = this.isString[i] ? endOfString(json, at) : endOfBare(json, at);
      if (end - at > LONGEST_HOLE) return -1;
      found[2 * i] = at;
      found[2 * i + 1] = end;
      needed += LENGTH_BYTES + end - at;
      at = end;
    }
    const tail = constants[last] as Buffer;
    return json.length - at === tail.length && standsAt(json, at, tail) ? needed : -1;
  }

  /** What `match` found, as texts with their lengths. */
  pack(json: Buffer, found: Int32Array, target: Buffer, offset: number): void {
    let at = offset;
    for (let i = 0; i < this.isString.length; i++) {
      const start = found[2 * i] as number;
      const length = (found[2 * i + 1] as number) - start;
      target[at] = length & 0xff;
      target[at + 1] = length >> 8;
      copyBytes(json, start, length, target, at + LENGTH_BYTES);
      at += LENGTH_BYTES + length;
    }
  }

  /** Writes the object whose texts are packed at `offset`, without its first `skip` bytes; returns the end. They must lie before the first hole. */
  unpack(packed: Buffer, offset: number, target: Uint8Array, start: number, skip: number): number {
    const constants = this.constants;
    const first = constants[0] as Buffer;
    let from = offset;
    target.set(skip === 0 ? first : first.subarray(skip), start);
    let at = start + first.length - skip;
    for (let i = 1; i < constants.length; i++) {
      const length = (packed[from] as number) | ((packed[from + 1] as number) << 8);
      copyBytes(packed, from + LENGTH_BYTES, length, target, at);
      from += LENGTH_BYTES + length;
      at += length;
      const constant = constants[i] as Buffer;
      target.set(constant, at);
      at += constant.length;
    }
    return at;
  }

  /** Start and end of each text that is packed at `offset`, as `match` says them of the object itself. */
  placesOf(packed: Buffer, offset: number, places: Int32Array): void {
    let at = offset;
    for (let i = 0; i < this.isString.length; i++) {
      const end = nextHole(packed, at);
      places[2 * i] = at + LENGTH_BYTES;
      places[2 * i + 1] = end;
      at = end;
    }
  }

  /** How many bytes at the beginning all objects have in common. */
  get headLength(): number {
    return (this.constants[0] as Buffer).length;
  }

  /** The texts in these holes with their lengths: equal for equal texts. */
  textsIn(packed: Buffer, offset: number, holes: Span): string {
    let start = offset;
    for (let i = 0; i < holes.start; i++) start = nextHole(packed, start);
    let end = start;
    for (let i = holes.start; i < holes.end; i++) end = nextHole(packed, end);
    return packed.toString('latin1', start, end);
  }

  /** The value that the text in a hole is. */
  valueInHole(packed: Buffer, offset: number, index: number): unknown {
    let start = offset;
    for (let i = 0; i < index; i++) start = nextHole(packed, start);
    const text = packed.toString('utf8', start + LENGTH_BYTES, nextHole(packed, start));
    if (!this.isString[index]) return JSON.parse(text) as unknown;
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as unknown) : text;
  }

  /** Which holes lie in the value at `path`, or would if it were there. */
  holesIn(path: readonly Uint8Array[]): Span {
    const value = findValue(this.base, 0, path) ?? { start: 0, end: 0 };
    const before = (border: number) => this.holes.filter((place, i) => i % 2 === 0 && place < border).length;
    return { start: before(value.start), end: before(value.end) };
  }
}

function nextHole(packed: Buffer, at: number): number {
  return at + LENGTH_BYTES + ((packed[at] as number) | ((packed[at + 1] as number) << 8));
}

export function standsAt(json: Buffer, at: number, text: Buffer): boolean {
  const { length } = text;
  if (at + length > json.length) return false;
  if (length > SHORT) return json.compare(text, 0, length, at, at + length) === 0;
  for (let i = 0; i < length; i++) if (json[at + i] !== text[i]) return false;
  return true;
}

export function copyBytes(source: Buffer, from: number, length: number, target: Uint8Array, at: number): void {
  if (length > SHORT) target.set(source.subarray(from, from + length), at);
  else for (let i = 0; i < length; i++) target[at + i] = source[from + i] as number;
}
