// From bytes to JSON values. JSON.parse does the work; one pass over the bytes before it finds what JSON.parse would lose
// (duplicate keys, long integers, the spelling of numbers, lone surrogates), and only then the exact reader runs.
// test/bench/codec.ts pays for the shape of this file.
import { textOfBytes } from '#base/byte-text.ts';
import { isAscii, isUtf8 } from 'node:buffer';
import type { KubernetesObject } from '#api/object.ts';
import type { StructSchema } from '#schema/build.ts';
import { dropNulls } from '#schema/json/drop-nulls.ts';
import { refuseCrowdedJson } from '#schema/element-limit.ts';
import { giveSetsBack, leaveOutSets } from '#schema/fields-text/stored-entries.ts';
import { type JsonNode, JsonSyntaxError, maximumKeptDepth, nodeToValue, parseNode, writtenValue } from '#schema/json/json-node.ts';

export { JsonSyntaxError } from '#schema/json/json-node.ts';

export interface ParsedJson {
  readonly value: unknown;
  /** Paths of keys that stand more than once in their object, as strict decoding names them: `spec.a`, `spec.list[0].b`. */
  readonly duplicates: readonly string[];
}

/** A value from JSON.parse that lost nothing, provided that it has `keys` keys altogether. */
export interface PlainJson {
  readonly value: unknown;
  readonly keys: number;
  /** The field sets of managedFields, which are not in `value`. */
  readonly sets?: readonly string[] | undefined;
}

/** Any JSON value, as an untyped reader sees it. */
export function parseJson(bytes: Buffer): ParsedJson {
  refuseCrowdedJson(bytes);
  const plain = parsePlain(bytes);
  if (plain !== undefined && countKeys(plain.value) === plain.keys) return { value: plain.value, duplicates: none };
  const node = parseExact(bytes);
  refuseOverflow(node);
  return { value: nodeToValue(node), duplicates: findDuplicates(node) };
}

/** Bytes that we wrote ourselves, back in the form objects have in memory. */
export function parseStored(bytes: Buffer, schema: StructSchema): KubernetesObject {
  const short = leaveOutSets(bytes);
  if (short === undefined) return parseObject(textOf(bytes), schema);
  const object = parseObject(short.text, schema);
  return giveSetsBack(object, short.sets) ? object : parseObject(bytes.toString(), schema);
}

function parseObject(text: string, schema: StructSchema): KubernetesObject {
  const object = parseWritten(text) as KubernetesObject;
  return text.includes(':null') ? dropNulls(schema, object) : object;
}

/** Text that we wrote ourselves. */
export function parseWritten(text: string): unknown {
  return holdsLongNumber(text) ? writtenValue(parseNode(text)) : JSON.parse(text);
}

/** A number of so many digits that JSON.parse may not keep it. Whoever steps over a row of digits in steps of its length meets one of them. */
function holdsLongNumber(text: string): boolean {
  for (let at = longestDigits - 1; at < text.length; at += longestDigits) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39 || !longDigits.test(text.slice(Math.max(0, at - longestDigits), at + longestDigits))) continue;
    let before = at - 1;
    while (before >= 0 && isOfNumber(text.charCodeAt(before))) before--;
    // Digits of a string follow its quote, or something that no number follows: most often it is an id.
    if (before < 0 || beforeNumber.includes(text.charAt(before))) return true;
    while (isOfNumber(text.charCodeAt(at))) at++;
  }
  return false;
}

function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d || code === 0x2b || code === 0x45 || code === 0x65;
}

/** Undefined when only the exact reader can tell what the bytes say. */
export function parsePlain(bytes: Buffer): PlainJson | undefined {
  const keys = countPlainKeys(bytes, 0, bytes.length);
  return keys < 0 || !isUtf8(bytes) ? undefined : parsed(textOf(bytes), keys);
}

/** Most text is ASCII, which is quicker to find out than to decode as if it were not. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** The same for an object of the API: its field sets are left out where they can be found. */
export function parsePlainObject(bytes: Buffer): PlainJson | undefined {
  const short = leaveOutSets(bytes);
  if (short === undefined) return parsePlain(bytes);
  const { kept, text, sets } = short;
  let keys = 0;
  for (let index = 0; index < kept.length && keys >= 0; index += 2) {
    const some = countPlainKeys(bytes, kept[index] as number, kept[index + 1] as number);
    keys = some < 0 ? -1 : keys + some;
  }
  return keys < 0 || !isUtf8(bytes) ? undefined : parsed(text, keys, sets);
}

function parsed(text: string, keys: number, sets?: readonly string[]): PlainJson | undefined {
  try {
    return { value: JSON.parse(text), keys, sets };
  } catch {
    return undefined;
  }
}

export function parseExact(bytes: Buffer): JsonNode {
  return parseNode(textOfBytes(bytes));
}

const none: readonly string[] = [];
const longestDigits = 16;
const longDigits = /[0-9]{16}/;
/** White space too: what others have put into an etcd need not be as tight as ours. */
const beforeNumber = ':,[ \t\r\n';

const quote = 0x22;
const backslash = 0x5c;

/** Keys in the text, or -1 when it holds something that JSON.parse does not carry over. Malformed text may give any answer. */
function countPlainKeys(bytes: Buffer, from: number, to: number): number {
  let keys = 0;
  let depth = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = endOfString(bytes, at);
      if (at < 0) return -1;
    } else if (byte === 0x3a) {
      keys++;
    } else if (byte >= 0x30 && byte <= 0x39) {
      at = endOfInteger(bytes, at);
      if (at < 0) return -1;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maximumKeptDepth) return -1;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
  return keys;
}

/** -1 for a string with an escape that may be half of a surrogate pair. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) break;
    if (byte !== backslash) continue;
    at++;
    if (bytes[at] === 0x75 && ((bytes[at + 1] as number) | 0x20) === 0x64) return -1;
  }
  return at;
}

/** -1 for a number that is long, or written in another way than its value shows. */
function endOfInteger(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at + 1] as number) >= 0x30 && (bytes[at + 1] as number) <= 0x39) at++;
  const next = bytes[at + 1];
  return at - start >= 15 || next === 0x2e || next === 0x65 || next === 0x45 ? -1 : at;
}

export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
    return count;
  }
  for (const key in value) {
    count++;
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object') count += countKeys(member);
  }
  return count;
}

/** Findings in the order of the text, each once, at most 100. */
export function findDuplicates(root: JsonNode): string[] {
  const found = new Set<string>();
  collectDuplicates(root, '', found, 0);
  return [...found].slice(0, 100);
}

function collectDuplicates(node: JsonNode, path: string, found: Set<string>, depth: number): void {
  if (depth > maximumKeptDepth) return;
  if (node.is === 'array') for (const [index, item] of node.items.entries()) collectDuplicates(item, `${path}[${index}]`, found, depth + 1);
  if (node.is !== 'object') return;
  const seen = new Set<string>();
  for (const [index, key] of node.keys.entries()) {
    const here = path === '' ? key : `${path}.${key}`;
    if (seen.has(key)) found.add(here);
    seen.add(key);
    collectDuplicates(node.values[index] as JsonNode, here, found, depth + 1);
  }
}

/** A number beyond the doubles has no untyped value. */
function refuseOverflow(root: JsonNode): void {
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    // One by one: as arguments of one call they would not fit on the stack.
    if (node.is === 'object') for (const value of node.values) open.push(value);
    else if (node.is === 'array') for (const item of node.items) open.push(item);
    else if (node.is === 'number' && !Number.isFinite(Number(node.text))) {
      throw new JsonSyntaxError(`json: cannot unmarshal number ${node.text} into Go value of type float64`);
    }
  }
}
