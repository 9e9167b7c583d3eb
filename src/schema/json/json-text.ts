// JSON text as Go writes it: `<`, `>`, `&` and the two line separators of Unicode are escaped; integers of any size are exact.

/** A string with its quotes. */
export function quoteJson(text: string): string {
  if (text.length > longText) return needsEscape.test(text) ? escapedLikeGo(JSON.stringify(text)) : `"${text}"`;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code === 0x3c || code === 0x3e || code === 0x26 || code >= 0x2028) {
      return escapedLikeGo(JSON.stringify(text));
    }
  }
  return `"${text}"`;
}

/** What JSON.stringify made, with the escapes that Go's encoder makes besides. */
export function escapedLikeGo(json: string): string {
  return escapeHtml(withoutLoneBytes(json));
}

/** Bytes that are no UTF-8 (base/byte-text.ts): JSON.stringify escapes lone surrogates, and nothing else in this way. */
function withoutLoneBytes(json: string): string {
  if (!json.includes('\\ud')) return json;
  // In place, because both escapes are of one length: a sender may have chosen very many such bytes.
  const bytes = Buffer.from(json, 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, json.length);
  for (let at = 0; at < units.length; at++) {
    if (units[at] !== 0x5c) continue;
    if (units[at + 1] === 0x75 && units[at + 2] === 0x64 && isSurrogateDigit(units[at + 3])) {
      units.fill(0x66, at + 2, at + 5);
      units[at + 5] = 0x64;
    }
    // What follows a backslash is part of its escape, another backslash too.
    at += 1;
  }
  return bytes.toString('utf16le');
}

/** 8 and 9, or a to f: the third digit of an escape \udXXX that is a surrogate. */
function isSurrogateDigit(code = 0): boolean {
  return code === 0x38 || code === 0x39 || (code >= 0x61 && code <= 0x66);
}

/** Any value, keys in the order they have. */
export function writeJson(value: unknown): string {
  return escapeHtml(stringify(value));
}

/** The same without the escapes for HTML, as messages quote values. */
export function stringify(value: unknown): string {
  try {
    return withoutLoneBytes(JSON.stringify(value) ?? 'null');
  } catch (error) {
    // JSON.stringify knows no bigint.
    if (error instanceof TypeError) return writeExact(value, (keys) => keys);
    throw error;
  }
}

/** Any value, keys sorted at every level. */
export function writeSorted(value: unknown): string {
  return writeExact(value, (keys) => keys.sort());
}

/** From here on the native search is faster than ours. */
const longText = 200;
/** The characters that `quoteJson` looks for one by one in shorter texts. */
const needsEscape = /[\x00-\x1f"\\<>&\u2028-\uffff]/;

function writeExact(value: unknown, arrange: (keys: string[]) => string[]): string {
  if (typeof value === 'string') return quoteJson(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => writeExact(item, arrange)).join(',')}]`;
  const object = value as Record<string, unknown>;
  const keys = arrange(Object.keys(object).filter((key) => object[key] !== undefined));
  return `{${keys.map((key) => `${quoteJson(key)}:${writeExact(object[key], arrange)}`).join(',')}}`;
}

const special = /[<>&\u2028\u2029]/;

/** These characters can only stand inside strings. */
function escapeHtml(text: string): string {
  return special.test(text) ? text.replace(/[<>&\u2028\u2029]/g, escapeCharacter) : text;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
