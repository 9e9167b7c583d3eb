// CBOR for people, in diagnostic notation (RFC 8949, 8): errors show a document so. Byte strings are shown as texts.
import { maximumKeptDepth } from '#schema/json/json-node.ts';
import { CborError } from '#schema/cbor/cbor-error.ts';
import { CborReader } from '#schema/cbor/cbor-reader.ts';
import { major } from '#schema/cbor/item-end.ts';

/** `bytes` are well-formed; what cannot be shown is written in hexadecimal digits. */
export function diagnoseCbor(bytes: Buffer): string {
  try {
    return item(new CborReader(bytes), 0);
  } catch (error) {
    if (error instanceof CborError) return bytes.toString('hex');
    throw error;
  }
}

function item(wire: CborReader, depth: number): string {
  if (depth > maximumKeptDepth) throw new CborError('too deep to be shown');
  switch (wire.next) {
    case major.bytes:
      return `'${escaped(wire.bytes().toString(), "'")}'`;
    case major.text:
      return `"${escaped(wire.text(), '"')}"`;
    case major.array:
      return container(wire, '[', ']', () => item(wire, depth + 1));
    case major.map:
      return container(wire, '{', '}', () => `${item(wire, depth + 1)}: ${item(wire, depth + 1)}`);
    default:
      return plain(wire, depth);
  }
}

function container(wire: CborReader, start: string, end: string, part: () => string): string {
  wire.head();
  const { count } = wire;
  const parts: string[] = [];
  for (let i = 0; wire.continues(count, i); i++) parts.push(part());
  return `${start}${count === undefined ? '_ ' : ''}${parts.join(', ')}${end}`;
}

function plain(wire: CborReader, depth: number): string {
  const kind = wire.head();
  switch (kind) {
    case major.positive:
      return String(wire.argument);
    case major.negative:
      return String(-1n - wire.argument);
    case major.tag:
      return `${wire.argument}(${item(wire, depth + 1)})`;
    default:
      return simple(wire);
  }
}

const names = new Map([
  [20, 'false'],
  [21, 'true'],
  [22, 'null'],
  [23, 'undefined'],
]);

function simple(wire: CborReader): string {
  if (wire.info <= 24) return names.get(wire.value) ?? `simple(${wire.value})`;
  const value = wire.float();
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
}

function escaped(text: string, quote: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`);
}
