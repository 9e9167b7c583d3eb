// Objects of one shape in another form: what is constant in it, and the texts of the holes between, each written as the form wants it. No
// object is made. Lengths of protobuf messages around holes are summed up before anything is written (`npm run bench -- --only "list all"`).
import { FormLayout, partCodes, type Piece } from '#schema/shaped/form-layout.ts';
import { isPlainName, isPlainText, plainText, stringIn } from '#schema/shaped/hole-text.ts';
import { secondsOf } from '#schema/shaped/hole-time.ts';

const { raw, bare, name, text, base64, integer, boolean, seconds, microSeconds, message } = partCodes;

/** Up to this a loop is faster than a call. */
const short = 48;
const largestInteger = 0xffffffff;
const [trueByte, falseByte, nullByte, point, utc] = [0x74, 0x66, 0x6e, 0x2e, 0x5a];

export class HoleForm {
  /** Before, between and behind the variable parts. */
  readonly #constants: readonly Buffer[];
  readonly #codes: Uint8Array;
  /** Which hole, or which message, a part shows. */
  readonly #shown: Uint16Array;
  /** The message that a part stands in; 0 is the whole. */
  readonly #owners: Uint16Array;
  readonly #parents: Uint16Array;
  /** Constant bytes of each message. */
  readonly #fixed: Float64Array;
  /** Of the object measured last: lengths of messages, values of numbers, texts that do not stand there as they are written. */
  readonly #lengths: Float64Array;
  readonly #numbers: Float64Array;
  readonly #made: (Buffer | undefined)[];

  constructor(pieces: readonly Piece[]) {
    const layout = new FormLayout(pieces);
    this.#constants = layout.constants;
    this.#codes = Uint8Array.from(layout.codes);
    this.#shown = Uint16Array.from(layout.shown);
    this.#owners = Uint16Array.from(layout.owners);
    this.#parents = Uint16Array.from(layout.parents);
    this.#fixed = Float64Array.from(layout.fixed);
    this.#lengths = new Float64Array(layout.fixed.length);
    this.#numbers = new Float64Array(layout.codes.length);
    this.#made = layout.codes.map(() => undefined);
  }

  /** What it takes in memory, about: some hundred bytes for each part beside the constants. */
  get byteLength(): number {
    return this.#constants.reduce((sum, { length }) => sum + length + 200, 1000);
  }

  /** The length of the object whose texts stand at `places` of `bytes`. -1: one of them has no such form, only the object as a whole. */
  measure(bytes: Buffer, places: Int32Array): number {
    const lengths = this.#lengths;
    lengths.set(this.#fixed);
    for (let part = 0; part < this.#codes.length; part++) {
      if (this.#codes[part] === message) continue;
      const hole = 2 * (this.#shown[part] as number);
      const length = this.#measurePart(part, bytes, places[hole] as number, places[hole + 1] as number);
      if (length < 0) return -1;
      const owner = this.#owners[part] as number;
      lengths[owner] = (lengths[owner] as number) + length;
    }
    // Messages within others come behind them.
    for (let inner = lengths.length - 1; inner > 0; inner--) {
      const length = lengths[inner] as number;
      const parent = this.#parents[inner] as number;
      lengths[parent] = (lengths[parent] as number) + length + varintLength(length);
    }
    return lengths[0] as number;
  }

  #measurePart(part: number, bytes: Buffer, start: number, end: number): number {
    switch (this.#codes[part]) {
      case raw:
        return end - start;
      case bare:
        // Whether nothing is shown as null or not at all, the schema says.
        return bytes[start] === nullByte ? -1 : end - start;
      case name:
        return isPlainName(bytes, start, end) ? end - start : -1;
      case text:
        if (isPlainText(bytes, start, end)) {
          this.#made[part] = undefined;
          return end - start + varintLength(end - start);
        }
        return this.#keep(part, plainText(bytes, start, end));
      case base64:
        return this.#keep(part, Buffer.from(stringIn(bytes, start, end), 'base64'));
      default:
        return this.#measureNumber(part, numberIn(this.#codes[part] as number, bytes, start, end));
    }
  }

  #keep(part: number, made: Buffer): number {
    this.#made[part] = made;
    return made.length + varintLength(made.length);
  }

  #measureNumber(part: number, value: number): number {
    if (value < 0) return -1;
    this.#numbers[part] = value;
    return varintLength(value);
  }

  /** Writes the object that was measured last; returns the end. */
  write(bytes: Buffer, places: Int32Array, target: Uint8Array, start: number): number {
    let at = copyAll(this.#constants[0] as Buffer, target, start);
    for (let part = 0; part < this.#codes.length; part++) {
      at = this.#writePart(part, bytes, places, target, at);
      at = copyAll(this.#constants[part + 1] as Buffer, target, at);
    }
    return at;
  }

  #writePart(part: number, bytes: Buffer, places: Int32Array, target: Uint8Array, at: number): number {
    const code = this.#codes[part] as number;
    const shown = this.#shown[part] as number;
    if (code === message) return writeVarint(this.#lengths[shown] as number, target, at);
    if (code > base64) return writeVarint(this.#numbers[part] as number, target, at);
    const made = code < text ? undefined : this.#made[part];
    if (made !== undefined) return copyAll(made, target, writeVarint(made.length, target, at));
    const start = places[2 * shown] as number;
    const end = places[2 * shown + 1] as number;
    return copyBytes(bytes, start, end, target, code < text ? at : writeVarint(end - start, target, at));
  }
}

/** -1: none that this form can show. */
function numberIn(code: number, bytes: Buffer, start: number, end: number): number {
  switch (code) {
    case integer:
      return integerIn(bytes, start, end);
    case boolean:
      return bytes[start] === trueByte ? 1 : bytes[start] === falseByte ? 0 : -1;
    case seconds:
      return end - start === 20 && bytes[start + 19] === utc ? secondsOf(bytes, start) : -1;
    case microSeconds:
      return hasMicros(bytes, start, end) ? secondsOf(bytes, start) : -1;
    default:
      return hasMicros(bytes, start, end) ? integerIn(bytes, start + 20, start + 26) * 1000 : -1;
  }
}

function hasMicros(bytes: Buffer, start: number, end: number): boolean {
  return end - start === 27 && bytes[start + 19] === point && bytes[start + 26] === utc;
}

function integerIn(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
    if (value > largestInteger) return -1;
  }
  return end > start ? value : -1;
}

export function varintLength(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x200000) return 3;
  return value < 0x10000000 ? 4 : 5;
}

export function writeVarint(value: number, target: Uint8Array, start: number): number {
  let at = start;
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80;
  target[at] = rest;
  return at + 1;
}

function copyAll(source: Buffer, target: Uint8Array, at: number): number {
  const { length } = source;
  if (length > short) target.set(source, at);
  else for (let i = 0; i < length; i++) target[at + i] = source[i] as number;
  return at + length;
}

function copyBytes(source: Buffer, start: number, end: number, target: Uint8Array, at: number): number {
  if (end - start > short) target.set(source.subarray(start, end), at);
  else for (let i = start, to = at; i < end; i++, to++) target[to] = source[i] as number;
  return at + end - start;
}
