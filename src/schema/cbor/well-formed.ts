// Whether bytes are one CBOR item and nothing else, before anything of it is decoded: every length is compared with what is there, nothing is
// allocated, and nesting costs no stack. Says what the original's decoder says.
import { refuseCrowded } from '#schema/element-limit.ts';
import { CborError } from '#schema/cbor/cbor-error.ts';
import { majorNames, readHalf } from '#schema/cbor/cbor-reader.ts';
import { argumentSize, major, readArgument } from '#schema/cbor/item-end.ts';

/** The limits of k8s.io/apimachinery's CBOR serializer. */
const deepest = 10_000;
const mostPairs = 2_097_152;
const mostItems = 2_147_483_647;
const largestLength = 2n ** 63n;

export function refuseIllFormed(bytes: Buffer): void {
  if (bytes.length === 0) throw new CborError('EOF');
  const end = new Scan(bytes).item();
  if (end < bytes.length) throw new CborError(`cbor: ${bytes.length - end} bytes of extraneous data starting at index ${end}`);
}

interface Container {
  readonly kind: number;
  /** Items to come; undefined: up to a break. */
  readonly items: number | undefined;
  readonly depth: number;
  read: number;
}

class Scan {
  readonly #bytes: Buffer;
  #at = 0;
  readonly #open: Container[] = [];
  /** Fields and items, which every step of a write costs time for. */
  #elements = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  item(): number {
    let depth = 0;
    for (;;) {
      const container = this.#open.at(-1);
      depth = container?.depth ?? 0;
      if (container !== undefined && this.#isComplete(container)) {
        this.#open.pop();
        if (this.#open.length === 0) return this.#at;
        continue;
      }
      if (container !== undefined) this.#count(container);
      this.#one(depth);
      if (this.#open.length === 0) return this.#at;
    }
  }

  #isComplete({ kind, items, read }: Container): boolean {
    if (items !== undefined) return read === items;
    if (this.#at === this.#bytes.length) throw unexpectedEnd();
    if (this.#bytes[this.#at] !== 0xff) return false;
    if (kind === major.map && read % 2 === 1) throw new CborError('cbor: unexpected "break" code');
    this.#at++;
    return true;
  }

  #count(container: Container): void {
    container.read++;
    if (container.kind === major.map && container.read % 2 === 0) return;
    refuseCrowded(++this.#elements);
  }

  /** One item, or the head of one that holds others. */
  #one(depth: number): void {
    const [kind, info, argument] = this.#head();
    if (kind === major.tag) return this.#tagged(argument, depth);
    if (kind === major.bytes || kind === major.text) return this.#string(kind, info, argument);
    if (kind === major.array || kind === major.map) this.#container(kind, info, argument, depth + 1);
  }

  #string(kind: number, info: number, length: number | bigint): void {
    if (info === 31) return this.#chunks(kind);
    if (typeof length === 'bigint' && length >= largestLength) {
      throw new CborError(`cbor: ${majorNames[kind]} length ${length} is too large, causing integer overflow`);
    }
    if (this.#bytes.length - this.#at < length) throw unexpectedEnd();
    this.#at += Number(length);
  }

  #chunks(kind: number): void {
    for (;;) {
      const initial = this.#bytes[this.#at];
      if (initial === undefined) throw unexpectedEnd();
      if (initial === 0xff) {
        this.#at++;
        return;
      }
      if (initial >> 5 !== kind) throw new CborError(`cbor: wrong element type ${majorNames[initial >> 5]} for indefinite-length ${majorNames[kind]}`);
      if ((initial & 31) === 31) throw new CborError(`cbor: indefinite-length ${majorNames[kind]} chunk is not definite-length`);
      refuseCrowded(++this.#elements);
      const [, info, length] = this.#head();
      this.#string(kind, info, length);
    }
  }

  #container(kind: number, info: number, length: number | bigint, depth: number): void {
    if (depth > deepest) throw new CborError(`cbor: exceeded max nested level ${deepest}`);
    if (info === 31) {
      this.#open.push({ kind, items: undefined, depth, read: 0 });
      return;
    }
    if (typeof length === 'bigint' && length >= largestLength) {
      throw new CborError(`cbor: ${majorNames[kind]} length ${length} is too large, it would cause integer overflow`);
    }
    if (kind === major.array && length > mostItems) throw new CborError(`cbor: exceeded max number of elements ${mostItems} for CBOR array`);
    if (kind === major.map && length > mostPairs) throw new CborError(`cbor: exceeded max number of key-value pairs ${mostPairs} for CBOR map`);
    this.#open.push({ kind, items: kind === major.map ? 2 * Number(length) : Number(length), depth, read: 0 });
  }

  /** Each tag around another one counts as a level, the first does not. */
  #tagged(first: number | bigint, outer: number): void {
    let depth = outer;
    let tag = first;
    for (;;) {
      const next = this.#bytes[this.#at];
      if (next === undefined) throw unexpectedEnd();
      if (tag === 2 || tag === 3) throw new CborError('cbor: data item of cbor type tag is not accepted by protocol: bignum');
      if (next >> 5 !== major.tag) break;
      [, , tag] = this.#head();
      if (++depth > deepest) throw new CborError(`cbor: exceeded max nested level ${deepest}`);
    }
    this.#one(depth);
  }

  #head(): readonly [kind: number, info: number, argument: number | bigint] {
    const initial = this.#bytes[this.#at];
    if (initial === undefined) throw unexpectedEnd();
    const [kind, info] = [initial >> 5, initial & 31];
    this.#at++;
    if (info < 24) return [kind, info, info];
    if (info > 27) {
      if (info < 31 || kind < major.bytes || kind === major.tag) {
        throw new CborError(`cbor: invalid additional information ${info} for type ${majorNames[kind]}`);
      }
      if (kind === major.other) throw new CborError('cbor: unexpected "break" code');
      return [kind, info, info];
    }
    const size = argumentSize(info);
    if (this.#bytes.length - this.#at < size) throw unexpectedEnd();
    const argument = readArgument(this.#bytes, this.#at, size);
    if (kind === major.other) refuseOther(this.#bytes, this.#at, size);
    this.#at += size;
    return [kind, info, argument];
  }
}

/** Simple values that have a shorter form, and numbers that JSON has no text for. */
function refuseOther(bytes: Buffer, at: number, size: number): void {
  if (size === 1) {
    const value = bytes[at] as number;
    if (value < 32) throw new CborError(`cbor: invalid simple value ${value} for type primitives`);
    return;
  }
  const value = size === 2 ? readHalf(bytes.readUInt16BE(at)) : size === 4 ? bytes.readFloatBE(at) : bytes.readDoubleBE(at);
  if (Number.isFinite(value)) return;
  const name = Number.isNaN(value) ? 'NaN' : 'infinity';
  throw new CborError(`cbor: data item of cbor type primitives is not accepted by protocol: floating-point ${name}`);
}

function unexpectedEnd(): CborError {
  return new CborError('unexpected EOF');
}
