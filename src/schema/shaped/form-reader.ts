// The way back: an object of a shape from its protobuf to its JSON, without an object between. Bytes that are not exactly what the form would
// write of such JSON are left to the decoder (`npx tsx test/bench/etcd-boot.mjs`).
import { copyBytes, type Shape, standsAt } from '#base/shapes/shape.ts';
import { plain } from '#schema/json/text-bytes.ts';
import { isoSeconds } from '#schema/protobuf/protobuf-types.ts';
import type { DefaultsGuard } from '#schema/shaped/defaults-guard.ts';
import { FormLayout, partCodes, type Piece } from '#schema/shaped/form-layout.ts';
import { varintLength } from '#schema/shaped/hole-form.ts';

const { text, integer, boolean, seconds, message } = partCodes;
const readable: readonly number[] = [text, integer, boolean, seconds];
/** Of int32: larger ones may be negative. */
const largestInteger = 0x7fffffff;
/** Of seconds, in the year 2106. */
const largestVarint = 0xffffffff;

export interface ReaderRules {
  /** What defaults make of an object is known to the decoder only. */
  readonly guard: DefaultsGuard;
  /** Integers may be zero. */
  readonly takesZero: boolean;
}

export class FormReader {
  readonly #layout: FormLayout;
  /** Of the JSON: before, between and behind the holes. */
  readonly #json: readonly Buffer[];
  readonly #jsonLength: number;
  readonly #rules: ReaderRules;
  /** Of the object read last: lengths of messages by their contents and as they are told, and what stands in the holes. */
  readonly #lengths: Float64Array;
  readonly #told: Float64Array;
  readonly #starts: Int32Array;
  readonly #sizes: Int32Array;
  readonly #made: string[];
  /** Integers and booleans, by hole. */
  readonly #isBare: readonly boolean[];
  #seconds = 0;
  #time = '';

  private constructor({ constants, isString }: Shape, layout: FormLayout, rules: ReaderRules) {
    this.#layout = layout;
    this.#json = constants;
    this.#jsonLength = this.#json.reduce((sum, { length }) => sum + length, 0);
    this.#rules = rules;
    this.#lengths = new Float64Array(layout.fixed.length);
    this.#told = new Float64Array(layout.fixed.length);
    this.#starts = new Int32Array(isString.length);
    this.#sizes = new Int32Array(isString.length);
    this.#made = Array.from({ length: isString.length }, () => '');
    this.#isBare = isString.map((is) => !is);
  }

  /** Undefined where a hole does not stand in the form, stands there twice, or as something that has no one text. */
  static of(shape: Shape, pieces: readonly Piece[], rules: ReaderRules): FormReader | undefined {
    const layout = new FormLayout(pieces);
    const holes = layout.shown.filter((_, part) => layout.codes[part] !== message);
    const isWhole = holes.length * 2 === shape.holes.length && new Set(holes).size === holes.length;
    const isReadable = layout.codes.every((code) => code === message || readable.includes(code));
    return isWhole && isReadable ? new FormReader(shape, layout, rules) : undefined;
  }

  /** What it takes in memory, about. */
  get byteLength(): number {
    return this.#layout.constants.reduce((sum, { length }) => sum + length + 200, this.#jsonLength + 1000);
  }

  /** Undefined: the decoder has to look at it. */
  read(bytes: Buffer): Buffer | undefined {
    if (!this.#matches(bytes)) return undefined;
    return this.#rules.guard.leavesAlone((hole) => this.#valueIn(hole, bytes)) ? this.#written(bytes) : undefined;
  }

  #valueIn(hole: number, bytes: Buffer): unknown {
    const start = this.#starts[hole] as number;
    if (start >= 0) return bytes.toString('latin1', start, start + (this.#sizes[hole] as number));
    return this.#isBare[hole] ? JSON.parse(this.#made[hole] as string) : this.#made[hole];
  }

  #matches(bytes: Buffer): boolean {
    const { constants, codes, fixed } = this.#layout;
    this.#lengths.set(fixed);
    let at = 0;
    for (let part = 0; part < codes.length; part++) {
      const constant = constants[part] as Buffer;
      if (!standsAt(bytes, at, constant)) return false;
      at = this.#takePart(part, bytes, at + constant.length);
      if (at < 0) return false;
    }
    const last = constants[codes.length] as Buffer;
    return at + last.length === bytes.length && standsAt(bytes, at, last) && this.#lengthsAgree();
  }

  /** Returns its end; -1 where it is none that this form writes. */
  #takePart(part: number, bytes: Buffer, at: number): number {
    const { codes, shown, owners } = this.#layout;
    const code = codes[part] as number;
    const index = shown[part] as number;
    const value = varintAt(bytes, at);
    if (value < 0) return -1;
    let end = at + varintLength(value);
    if (code === message) {
      this.#told[index] = value;
      return end;
    }
    if (code === text) {
      if (!isPlain(bytes, end, end + value)) return -1;
      this.#starts[index] = end;
      this.#sizes[index] = value;
      end += value;
    } else if (!this.#takeNumber(code, index, value)) return -1;
    const owner = owners[part] as number;
    this.#lengths[owner] = (this.#lengths[owner] as number) + end - at;
    return end;
  }

  #takeNumber(code: number, hole: number, value: number): boolean {
    if (code === boolean ? value > 1 : code === integer ? value > largestInteger || (value === 0 && !this.#rules.takesZero) : value === 0) return false;
    const made = code === boolean ? (value === 1 ? 'true' : 'false') : code === integer ? String(value) : this.#timeOf(value);
    this.#made[hole] = made;
    this.#starts[hole] = -1;
    this.#sizes[hole] = made.length;
    return true;
  }

  /** The times of an object are the same, most often. */
  #timeOf(value: number): string {
    if (value !== this.#seconds) {
      this.#seconds = value;
      this.#time = `${isoSeconds(value)}Z`;
    }
    return this.#time;
  }

  #lengthsAgree(): boolean {
    const { parents } = this.#layout;
    for (let inner = parents.length - 1; inner > 0; inner--) {
      const length = this.#lengths[inner] as number;
      if (length !== this.#told[inner]) return false;
      const parent = parents[inner] as number;
      this.#lengths[parent] = (this.#lengths[parent] as number) + length + varintLength(length);
    }
    return true;
  }

  #written(bytes: Buffer): Buffer {
    const sizes = this.#sizes;
    let length = this.#jsonLength;
    for (let hole = 0; hole < sizes.length; hole++) length += sizes[hole] as number;
    const json = Buffer.allocUnsafe(length);
    const first = this.#json[0] as Buffer;
    json.set(first);
    let at = first.length;
    for (let hole = 0; hole < sizes.length; hole++) {
      const start = this.#starts[hole] as number;
      const size = sizes[hole] as number;
      if (start < 0) writeAscii(this.#made[hole] as string, json, at);
      else copyBytes(bytes, start, size, json, at);
      const constant = this.#json[hole + 1] as Buffer;
      copyBytes(constant, 0, constant.length, json, at + size);
      at += size + constant.length;
    }
    return json;
  }
}

/** -1 where none begins, or one that is longer than it need be. */
function varintAt(bytes: Buffer, start: number): number {
  let value = 0;
  let scale = 1;
  for (let at = start; at < bytes.length && at < start + 5; at++) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte < 0x80) return value > largestVarint || (byte === 0 && at > start) ? -1 : value;
  }
  return -1;
}

/** Whether it is a text that JSON shows as it is. Nothing at all may mean that the field is not there. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  if (end > bytes.length || end === start) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80 || plain[byte] === 0) return false;
  }
  return true;
}

function writeAscii(text: string, target: Buffer, start: number): void {
  for (let i = 0; i < text.length; i++) target[start + i] = text.charCodeAt(i);
}
