// Finds a value inside encoded JSON without parsing it: a start with 100,000 objects must not parse each of them.

export interface Span {
  readonly start: number;
  readonly end: number;
}

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Names of members from the root on, for `findValue`. */
export function pathOf(dotted: string): readonly Uint8Array[] {
  return dotted.split('.').map((name) => Buffer.from(name));
}

/** Where the value at `path` stands; undefined when it is not there. `start` is where the document begins. */
export function findValue(json: Uint8Array, start: number, path: readonly Uint8Array[]): Span | undefined {
  let at = skipSpace(json, start);
  for (const name of path) {
    at = findMember(json, at, name);
    if (at < 0) return undefined;
  }
  return { start: at, end: skipValue(json, at) };
}

/** Where the value of the member begins, or -1. */
function findMember(json: Uint8Array, object: number, name: Uint8Array): number {
  if (json[object] !== openBrace) return -1;
  let at = skipSpace(json, object + 1);
  while (json[at] === quote) {
    const end = skipString(json, at);
    const value = skipSpace(json, skipSpace(json, end) + 1);
    if (isName(json, at + 1, end - 1, name)) return value;
    at = skipSpace(json, skipValue(json, value));
    if (json[at] !== comma) return -1;
    at = skipSpace(json, at + 1);
  }
  return -1;
}

function isName(json: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (json[start + i] !== name[i]) return false;
  return true;
}

function skipSpace(json: Uint8Array, at: number): number {
  let next = at;
  while ((json[next] as number) <= space) next++;
  return next;
}

/** Names and most values are short; what is longer, as the descriptions of schemas are, is searched by the machine's own means. */
const shortString = 24;

function skipString(json: Uint8Array, at: number): number {
  const near = Math.min(at + shortString, json.length);
  let i = at + 1;
  for (; i < near; i++) {
    const byte = json[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
  }
  return skipLongString(json, i);
}

/** `from` is behind an escape, if there was one. */
function skipLongString(json: Uint8Array, from: number): number {
  for (let end = json.indexOf(quote, from); end >= 0; end = json.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (end - 1 - escapes >= from && json[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return json.length;
}

/** Where the value that begins at `at` ends. */
export function skipValue(json: Uint8Array, at: number): number {
  const first = json[at];
  if (first === quote) return skipString(json, at);
  if (first === openBrace || first === openBracket) return skipNested(json, at);
  let end = at;
  while (end < json.length && json[end] !== comma && json[end] !== closeBrace && json[end] !== closeBracket) end++;
  return end;
}

function skipNested(json: Uint8Array, at: number): number {
  let depth = 0;
  let i = at;
  while (i < json.length) {
    const byte = json[i];
    if (byte === quote) {
      i = skipString(json, i);
      continue;
    }
    i++;
    if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return i;
  }
  return i;
}

/** Visits the members of the object that begins at `start`; `visit` returns where the value ends. Returns where the object ends. */
export function visitMembers(json: Buffer, start: number, visit: (name: string, value: number) => number): number {
  if (json[start] !== openBrace) return skipValue(json, start);
  let at = skipSpace(json, start + 1);
  while (json[at] === quote) {
    const end = skipString(json, at);
    const name = JSON.parse(json.toString('utf8', at, end)) as string;
    at = skipSpace(json, visit(name, skipSpace(json, skipSpace(json, end) + 1)));
    if (json[at] !== comma) break;
    at = skipSpace(json, at + 1);
  }
  return at + 1;
}

/** The same for the items of an array. */
export function visitItems(json: Buffer, start: number, visit: (item: number) => number): number {
  if (json[start] !== openBracket) return skipValue(json, start);
  let at = skipSpace(json, start + 1);
  while (at < json.length && json[at] !== closeBracket) {
    at = skipSpace(json, visit(at));
    if (json[at] !== comma) break;
    at = skipSpace(json, at + 1);
  }
  return at + 1;
}
