// How many members and items a request body may hold, in whatever form it comes. Every step of a write costs time for each of them, and one
// process answers everybody: with this limit no step holds the others up for long (test/fault/large-bodies.mjs). Upstream has no such limit;
// what etcd holds of an object (1.5 MiB) is seldom made of so many parts.
import { tooLarge } from '#api/api-error.ts';

export const mostElements = 100_000;

export function refuseCrowded(elements: number): void {
  if (elements > mostElements) throw tooLarge(`limit is ${mostElements} fields and items`);
}

/** Before the text is parsed. Text that is no JSON may count as anything. */
export function refuseCrowdedJson(bytes: Buffer): void {
  // The shortest element is a digit and its comma.
  if (bytes.length > 2 * mostElements) refuseCrowded(countElements(bytes));
}

const quote = 0x22;
const backslash = 0x5c;

/** Each member has a colon, each item but the first of a list a comma before it, and members have commas too: at most twice the elements. */
function countElements(bytes: Buffer): number {
  let commas = 0;
  let colons = 0;
  let opened = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === 0x2c) commas++;
    else if (byte === 0x3a) colons++;
    else if (byte === 0x5b || byte === 0x7b) opened++;
  }
  // A comma stands between two members or two items; every container has one element more than commas.
  return Math.max(colons, commas + opened);
}

function endOfString(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(quote, start + 1);
  if (end < 0) return bytes.length;
  if (bytes[end - 1] !== backslash) return end;
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
