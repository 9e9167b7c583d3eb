// One step of a field path, held as the text it has in FieldsV1: `f:name`, `k:{"name":"a"}`, `v:"x"`, `i:0`.
// Texts are canonical (keys sorted, JSON as Go writes it), so that equal steps are equal strings.
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';
import { isPlainObject } from '#patch/members.ts';

export type PathElement = string;

/** The keys of a list item, by name. */
export type ItemKey = readonly (readonly [name: string, value: unknown])[];

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function keyElement(key: ItemKey): PathElement {
  const sorted = key.length > 1 ? [...key].sort(([left], [right]) => compareTexts(left, right)) : key;
  return `k:{${sorted.map(([name, value]) => keyPart(name, value)).join(',')}}`;
}

/** One key of the step of a list item. */
export function keyPart(name: string, value: unknown): string {
  return `${goJson(name)}:${goJson(value)}`;
}

export function valueElement(value: unknown): PathElement {
  return `v:${goJson(value)}`;
}

/** The name of a field step; undefined for the other three. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

export type ParsedElement = { readonly element: PathElement } | { readonly unknown: true } | { readonly error: string };

/** A step as somebody wrote it. Kinds of steps that we do not know are for a later version, not an error. */
export function parseElement(text: string): ParsedElement {
  if (text.length < 2) return { error: 'key must be 2 characters long:' };
  if (text[1] !== ':') return { error: `missing colon: ${text}` };
  switch (text[0]) {
    case 'f':
      return { element: text };
    case 'v':
      return isPlainStep(text) ? { element: text } : parsed(text, valueElement);
    case 'k':
      return isPlainKey(text) ? { element: text } : parsed(text, (key) => keyElement(Object.entries(key as object)), isPlainObject);
    case 'i':
      return /^i:[+-]?[0-9]+$/.test(text)
        ? { element: `i:${Number(text.slice(2))}` }
        : { error: `strconv.Atoi: parsing ${goJson(text.slice(2))}: invalid syntax` };
    default:
      return { unknown: true };
  }
}

/** The common case that is canonical as it stands, and sorts as the text it is. */
export function isPlainKey(element: PathElement): boolean {
  return plainKey.test(element);
}

/** The same for members of sets as well: their order shows in their texts. */
export function isPlainStep(element: PathElement): boolean {
  return element[0] === 'v' ? plainValue.test(element) : isPlainKey(element);
}

const plainValue = /^v:"[A-Za-z0-9._/-]*"$/;
const plainKey = /^k:\{"[A-Za-z]+":"[A-Za-z0-9._/-]*"\}$/;

function parsed(text: string, make: (value: unknown) => PathElement, fits: (value: unknown) => boolean = () => true): ParsedElement {
  try {
    const value: unknown = JSON.parse(text.slice(2));
    return fits(value) ? { element: make(value) } : { error: 'ReadObjectCB: expect { or n' };
  } catch {
    return { error: `invalid JSON in ${text}` };
  }
}

/** How messages show a step: `.name`, `[name="a"]`, `[="x"]`, `[0]`. */
export function formatElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${content}`;
    case 'k':
      return `[${Object.entries(JSON.parse(content) as object)
        .map(([name, value]) => `${name}=${formatValue(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${formatValue(JSON.parse(content))}]`;
    default:
      return `[${content}]`;
  }
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (isPlainObject(value)) {
    return Object.entries(value)
      .map(([name, member]) => `${name}=${formatValue(member)}`)
      .join('');
  }
  return typeof value === 'string' ? goQuote(value) : String(value);
}

/** Go's %q. */
export function goQuote(text: string): string {
  return JSON.stringify(text)
    .replace(/\\u00([01][0-9a-f])/g, (_, code: string) => namedEscapes[code] ?? `\\x${code}`)
    .replaceAll('\u007f', '\\x7f');
}

const namedEscapes: Readonly<Record<string, string>> = { '07': '\\a', '0b': '\\v' };

/** A field whose name has only characters that UTF-16 and UTF-8 order alike. */
export function isPlainField(element: PathElement): boolean {
  return plainField.test(element);
}

const plainField = /^f:[ -~]*$/;

/** Fields before keys before values before indexes, each kind in its own order. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const kind = left[0] as string;
  if (kind !== right[0]) return kindOrder.indexOf(kind) - kindOrder.indexOf(right[0] as string);
  if (kind === 'f') return compareTexts(left, right);
  // The quote that ends a plain key sorts before every character such a key can have.
  if (isPlainStep(left) && isPlainStep(right)) return left < right ? -1 : 1;
  return compareContents(kind, contentOf(left), contentOf(right));
}

/** In order; each step of a long list is read once, not at every comparison. */
export function sortElements(elements: PathElement[]): PathElement[] {
  if (elements.length < longList) return elements.sort(compareElements);
  return elements
    .map(withContent)
    .sort(compareRead)
    .map(({ element }) => element);
}

const longList = 100;

/** A step and what stands in it. */
export interface ReadElement {
  readonly element: PathElement;
  /** Undefined: its order shows in its text. */
  readonly content: unknown;
}

export function withContent(element: PathElement): ReadElement {
  return { element, content: needsContent(element) ? contentOf(element) : undefined };
}

export function compareRead(left: ReadElement, right: ReadElement): number {
  if (left.content === undefined || right.content === undefined || left.element[0] !== right.element[0]) return compareElements(left.element, right.element);
  return left.element === right.element ? 0 : compareContents(left.element[0] as string, left.content, right.content);
}

function needsContent(element: PathElement): boolean {
  return element[0] !== 'f' && !isPlainStep(element);
}

function contentOf(element: PathElement): unknown {
  if (element[0] === 'k') return keysOf(element);
  const text = element.slice(2);
  return element[0] === 'i' ? Number(text) : (JSON.parse(text) as unknown);
}

function compareContents(kind: string, left: unknown, right: unknown): number {
  if (kind === 'i') return (left as number) - (right as number);
  return kind === 'v' ? compareValues(left, right) : compareKeys(left as ItemKey, right as ItemKey);
}

/** The keys of a list item, by step: objects of a cluster share few of them. */
const knownKeys = sharedMemo(new TextMemo<ItemKey>(128 << 10));

function keysOf(element: PathElement): ItemKey {
  return knownKeys.get(element) ?? knownKeys.add(element, (own) => Object.entries(JSON.parse(own.slice(2)) as object));
}

const kindOrder = 'fkvi';

function compareKeys(left: ItemKey, right: ItemKey): number {
  for (let index = 0; index < left.length && index < right.length; index += 1) {
    const [a, b] = [left[index] as ItemKey[number], right[index] as ItemKey[number]];
    const order = compareTexts(a[0], b[0]) || compareValues(a[1], b[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** A total order over scalars of all types: numbers, texts, booleans, then the rest. */
function compareValues(left: unknown, right: unknown): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  if (typeof left === 'number') return left - (right as number);
  if (typeof left === 'boolean') return Number(left) - Number(right);
  return typeof left === 'string' ? compareTexts(left, right as string) : compareTexts(JSON.stringify(left), JSON.stringify(right));
}

function rankOf(value: unknown): number {
  const rank = ['number', 'string', 'boolean'].indexOf(typeof value);
  if (rank >= 0) return rank;
  return Array.isArray(value) ? 3 : value === null ? 5 : 4;
}

/** By bytes of UTF-8, as Go compares strings. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  for (let index = 0; ; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // Surrogates stand for characters beyond all others, which UTF-16 hides.
    if (a >= 0xd800 && b >= 0xd800) return Buffer.compare(Buffer.from(left), Buffer.from(right));
    return Number.isNaN(a) || a < b ? -1 : 1;
  }
}

/** Needs no escapes. */
const plainText = /^[A-Za-z0-9 ._:/=-]*$/;

/** JSON as Go writes it, with these five characters escaped. */
function goJson(value: unknown): string {
  if (typeof value === 'string' && plainText.test(value)) return `"${value}"`;
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return JSON.stringify(value ?? null).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
