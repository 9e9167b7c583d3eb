// Content-Type as Go's mime.ParseMediaType reads it, from left to right in one pass.

/** The bare media type in lower case; undefined when Go would return an error. */
export function parseMediaType(contentType: string): string | undefined {
  const semicolon = contentType.indexOf(';');
  const base = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  if (!shape.test(base)) return undefined;
  return semicolon < 0 || areParameters(contentType, semicolon) ? base : undefined;
}

/** One token, or two around a slash. */
const shape = /^[!#-'*+\-.0-9A-Z^-~]+(?:\/[!#-'*+\-.0-9A-Z^-~]+)?$/;
/** Sticky: each continues where the one before has ended. */
const token = /[!#-'*+\-.0-9A-Z^-~]+/y;
const spaces = /\s*/y;

/** Clients need no more than two; Go has no limit but the size of a head. */
const mostParameters = 1000;

function areParameters(text: string, from: number): boolean {
  const seen = new Map<string, string>();
  for (let at = after(spaces, text, from), count = 0; at < text.length; count++) {
    if (text[at] !== ';' || count === mostParameters) return false;
    const name = after(spaces, text, at + 1);
    // A semicolon at the end leads to nothing, and is forgiven.
    if (name === text.length) return true;
    const nameEnd = after(token, text, name);
    const equals = after(spaces, text, nameEnd);
    if (nameEnd === name || text[equals] !== '=') return false;
    const value = after(spaces, text, equals + 1);
    const valueEnd = text[value] === '"' ? afterQuoted(text, value) : after(token, text, value);
    if (valueEnd === value || !isConsistent(seen, text.slice(name, nameEnd).toLowerCase(), text.slice(value, valueEnd))) return false;
    at = after(spaces, text, valueEnd);
  }
  return true;
}

/** A parameter may come twice, if it says the same. */
function isConsistent(seen: Map<string, string>, name: string, value: string): boolean {
  const before = seen.get(name);
  seen.set(name, value);
  return before === undefined || before === value;
}

/** Behind the closing quote; `from` when there is none. */
function afterQuoted(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === '\r' || character === '\n') return from;
    if (character === '\\') at += 1;
  }
  return from;
}

/** Where the match that begins at `at` ends; `at` itself when there is none. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
