// How Go prints values in messages: `%q` for text, encoding/json for everything that is neither text nor number nor boolean.
import { loneByte } from '#base/byte-text.ts';

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** strconv.Quote. */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += escapes[character] ?? (isPrintable(character) ? character : escapeRune(character));
  return `${quoted}"`;
}

/** Go's quoting inside errors about times and durations: bytes outside printable ASCII as \xNN. */
export function goTimeQuote(text: string): string {
  if (/^[ !#-[\]-\x7f]*$/.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const byte of Buffer.from(text)) {
    if (byte === 0x22 || byte === 0x5c) quoted += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
    else quoted += String.fromCharCode(byte);
  }
  return `${quoted}"`;
}

/** unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrintable(character: string): boolean {
  return character === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
}

/** Most texts: nothing in them that Go would not print, and as many bytes as characters. Every write asks this of its manager's name. */
export function isPrintableAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function escapeRune(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const byte = loneByte(code);
  if (byte !== undefined) return `\\x${byte.toString(16)}`;
  // Any other lone surrogate cannot have been UTF-8: Go has seen the replacement character instead.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** json.Marshal: HTML characters are escaped and the keys of maps are sorted (structs keep the order they are given in). */
export function goJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner), indent) ?? 'null';
  return text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** fmt's `%v` of a list of texts: `[a b]`. */
export function goList(values: readonly unknown[]): string {
  return `[${values.map(String).join(' ')}]`;
}

/** fmt's `%v` of a number that JSON gave: whole ones plain, others with an exponent from a million on and below 0.0001. */
export function goNumber(value: number | bigint): string {
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/** fmt's `%v` of a float64, also of a whole one. */
export function goFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (!Number.isFinite(value) || value === 0 || (power >= -4 && power < 6)) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
