// JSON text as Go writes it: `<`, `>`, `&` and the two line separators of Unicode are escaped; integers of any size are exact.

/** A string with its quotes. */
export function quoteJson(text: string): string {
  if (text.length > longText) return escapedLikeGo(JSON.stringify(text));
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
  return json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\\ufffd'));
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
