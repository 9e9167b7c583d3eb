/** String and bytes literals to their values: cel-go's unescape. */
import { CelError } from '../value.ts';

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

/** The text of a string literal, quotes and prefix included, to its value. Throws CelError with cel-go's message. */
export function unescapeString(literal: string): string {
  const { body, raw } = unquote(literal);
  if (raw || !body.includes('\\')) return body;
  return body.replace(/\\(?:([0-3][0-7]{2})|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g, (_, octal, hex, short, long, simple) => {
    if (simple !== undefined) return simpleEscapes[simple] ?? fail('unable to unescape string');
    const code = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? short ?? long, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return fail('invalid unicode code point');
    return String.fromCodePoint(code);
  });
}

/** The text of a bytes literal after its `b`: escapes are bytes, everything else is UTF-8. */
export function unescapeBytes(literal: string): Uint8Array {
  const { body, raw } = unquote(literal);
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return encoder.encode(body);
  const bytes: number[] = [];
  for (const [part, escaped] of body.matchAll(/\\([0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|[^])|[^\\]+/g)) {
    if (escaped === undefined) bytes.push(...encoder.encode(part));
    else bytes.push(escapedByte(escaped));
  }
  return Uint8Array.from(bytes);
}

function escapedByte(escaped: string): number {
  if (escaped.length === 3) return Number.parseInt(/^[xX]/.test(escaped) ? escaped.slice(1) : escaped, /^[xX]/.test(escaped) ? 16 : 8);
  return (simpleEscapes[escaped] ?? fail('unable to unescape string')).charCodeAt(0);
}

/** The body between the quotes, line ends normalised to \n. */
function unquote(literal: string): { readonly body: string; readonly raw: boolean } {
  const text = literal.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const raw = text.startsWith('r') || text.startsWith('R');
  const quoted = raw ? text.slice(1) : text;
  const width = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}

function fail(message: string): never {
  throw new CelError(message);
}
