// CBOR as plain values, as the original decodes it into interface{}: byte strings are texts, tags give way to what they hold.
import { goQuote } from '#base/go-text.ts';
import { setMember } from '#schema/clone.ts';
import { maximumKeptDepth } from '#schema/json/json-node.ts';
import { type Failure, plainFailure, typeFailure } from '#schema/cbor/cbor-failure.ts';
import { type CborReader, majorNames } from '#schema/cbor/cbor-reader.ts';
import { major } from '#schema/cbor/item-end.ts';
import { taggedTime } from '#schema/cbor/cbor-time.ts';
import { CborError } from '#schema/cbor/cbor-error.ts';

const selfDescribed = 55799;
const largestInteger = 2n ** 63n;

/** Reads single items; each read leaves in `failure` what was wrong with it, and goes on behind it in any case. */
export class ItemReader {
  readonly wire: CborReader;
  failure: Failure | undefined;
  /** Tag 21, 22 or 23 around what is read now: as which text its byte strings are meant to be shown. */
  #shownAs = 0;

  constructor(wire: CborReader) {
    this.wire = wire;
  }

  get shownAs(): number {
    return this.#shownAs;
  }

  /** What `read` makes of the item behind its tags; undefined, with a failure, where a tag is on the wrong thing. */
  tagged<T>(read: () => T): T | undefined {
    if (this.wire.next !== major.tag) return read();
    const outer = this.#shownAs;
    const wrong = this.#takeTags();
    try {
      if (wrong === undefined) return read();
      this.wire.skip();
      return this.fail(plainFailure(wrong));
    } finally {
      this.#shownAs = outer;
    }
  }

  #takeTags(): string | undefined {
    let wrong: string | undefined;
    while (this.wire.next === major.tag) {
      this.wire.head();
      const tag = this.wire.value;
      if (tag >= 21 && tag <= 23) this.#shownAs = tag;
      wrong ??= wrongContent(tag, this.wire.nextByte);
    }
    return wrong;
  }

  fail(failure: Failure): undefined {
    this.failure = failure;
  }

  /** The failure of the item just read, which its container may pass on. */
  takeFailure(): Failure | undefined {
    const { failure } = this;
    this.failure = undefined;
    return failure;
  }

  /** The text of a byte or text string; `goType` is what the original reads it into. */
  string(goType: string): string | undefined {
    // Nearly all of them.
    if (this.wire.next === major.bytes && this.#shownAs === 0) return this.wire.byteText();
    return this.tagged(() => {
      switch (this.wire.next) {
        case major.bytes:
          return this.#shownAs === 0 ? this.wire.byteText() : this.#shown(this.wire.bytes());
        case major.text:
          return this.#text();
        default:
          return this.wrongType(goType);
      }
    });
  }

  #text(): string | undefined {
    try {
      return this.wire.text();
    } catch (error) {
      if (error instanceof CborError) return this.fail(plainFailure(error.message));
      throw error;
    }
  }

  #shown(bytes: Buffer): string {
    switch (this.#shownAs) {
      case 21:
        return bytes.toString('base64url');
      case 22:
        return bytes.toString('base64');
      case 23:
        return bytes.toString('hex');
      default:
        return bytes.toString();
    }
  }

  /** Skips an item that does not fit; null fits everything that is no pointer, and changes nothing. */
  wrongType(goType: string, note = ''): undefined {
    const kind = this.wire.next;
    const rejected = this.#rejectedSimple();
    const isNull = this.wire.nextIsNull;
    this.wire.skip();
    if (rejected !== undefined) return this.fail(plainFailure(rejected));
    if (!isNull) this.fail(typeFailure(majorNames[kind] as string, goType, note));
  }

  #rejectedSimple(): string | undefined {
    const { wire } = this;
    const info = wire.nextByte & 31;
    if (wire.next !== major.other || (info > 24 && info < 28) || (info >= 20 && info <= 22)) return undefined;
    const at = wire.at;
    wire.head();
    const { value } = wire;
    wire.at = at;
    return `cbor: data item of cbor type primitives is not accepted by protocol: simple value ${value} is not recognized`;
  }

  any(depth: number): unknown {
    const { wire } = this;
    if (depth > maximumKeptDepth) return this.#tooDeep();
    if (wire.next === major.tag) return this.#taggedAny(depth);
    switch (wire.next) {
      case major.positive:
      case major.negative:
        return this.#integer();
      case major.bytes:
      case major.text:
        return this.string('string');
      case major.array:
        return this.#array(depth);
      case major.map:
        return this.object(depth);
      default:
        return this.#other();
    }
  }

  /** Walkers over values are recursive: what lies deeper than JSON may is refused, in the words for what is deeper still. */
  #tooDeep(): undefined {
    this.wire.skip();
    return this.fail(plainFailure('cbor: exceeded max nested level 10000'));
  }

  #taggedAny(depth: number): unknown {
    const { wire } = this;
    const start = wire.at;
    wire.head();
    const tag = wire.value;
    const isTime = (tag === 0 || tag === 1) && wire.next !== major.tag;
    wire.at = start;
    return this.tagged(() => (isTime ? this.#time(tag) : this.any(depth)));
  }

  #time(tag: number): string | undefined {
    const { wire } = this;
    try {
      return taggedTime(tag, wire);
    } catch (error) {
      if (error instanceof CborError) return this.fail(plainFailure(error.message));
      throw error;
    }
  }

  #integer(): number | bigint | undefined {
    const kind = this.wire.head();
    const { value, argument } = this.wire;
    if (argument >= largestInteger) {
      const text = kind === major.positive ? argument : -1n - argument;
      return this.fail(typeFailure(majorNames[kind] as string, 'int64', `${text} overflows Go's int64`));
    }
    const near = kind === major.positive ? value : -1 - value;
    if (Number.isSafeInteger(near) && Number.isSafeInteger(value)) return near;
    return kind === major.positive ? argument : -1n - argument;
  }

  #other(): unknown {
    const { wire } = this;
    const rejected = this.#rejectedSimple();
    wire.head();
    if (rejected !== undefined) return this.fail(plainFailure(rejected));
    switch (wire.info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      default:
        return wire.float();
    }
  }

  #array(depth: number): unknown[] {
    const { wire } = this;
    wire.head();
    const { count } = wire;
    const items: unknown[] = [];
    let first: Failure | undefined;
    for (let i = 0; wire.continues(count, i); i++) {
      items.push(this.any(depth + 1));
      first ??= this.takeFailure();
    }
    this.failure = first;
    return items;
  }

  object(depth: number): Record<string, unknown> {
    return this.members((result, key) => setMember(result, key, this.any(depth + 1)));
  }

  /** A map with texts as keys; a key that comes twice makes the rest of it worthless. */
  members(read: (result: Record<string, unknown>, key: string) => void): Record<string, unknown> {
    const { wire } = this;
    wire.head();
    const { count } = wire;
    const result: Record<string, unknown> = {};
    let first: Failure | undefined;
    for (let i = 0; wire.continues(count, i); i++) {
      const key = wire.nextIsNull ? this.#nullKey() : this.string('string');
      if (this.failure !== undefined || key === undefined) {
        first ??= this.takeFailure();
        wire.skip();
        continue;
      }
      const isRepeated = Object.hasOwn(result, key);
      read(result, key);
      const failed = this.takeFailure();
      first ??= failed;
      if (failed !== undefined) continue;
      if (isRepeated) {
        this.skipPairs(count, i + 1);
        first = plainFailure(`cbor: found duplicate map key ${goQuote(key)} at map element index ${i}`);
        break;
      }
    }
    this.failure = first;
    return result;
  }

  /** Null leaves a key what it was: an empty text. */
  #nullKey(): string {
    this.wire.skip();
    return '';
  }

  /** What is left of a map whose first `read` pairs are read. */
  skipPairs(count: number | undefined, read: number): void {
    for (let i = read; this.wire.continues(count, i); i++) {
      this.wire.skip();
      this.wire.skip();
    }
  }
}

/** Tags that say what they must stand before. */
function wrongContent(tag: number, next: number): string | undefined {
  const kind = next >> 5;
  if (tag === selfDescribed) return undefined;
  if (tag === 0 && kind !== major.text) return `cbor: tag number 0 must be followed by text string, got ${majorNames[kind]}`;
  if (tag === 1 && kind !== major.positive && kind !== major.negative && (next < 0xf9 || next > 0xfb)) {
    return `cbor: tag number 1 must be followed by integer or floating-point number, got ${majorNames[kind]}`;
  }
  return undefined;
}
