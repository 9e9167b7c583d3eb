// Go's package strings where JavaScript's methods differ. Positions count code points.

const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** strings.TrimSpace: what unicode.IsSpace knows, not what JavaScript calls white space. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** strings.Replace: the first `limit` occurrences, all when it is negative; the empty text is found around every character. */
export function replaceText(text: string, from: string, to: string, limit: bigint): string {
  if (limit < 0n) return from === '' ? `${to}${[...text].map((character) => character + to).join('')}` : text.split(from).join(to);
  if (from === '') return replaceAround(text, to, limit);
  const parts = splitText(text, from, limit + 1n);
  return limit === 0n ? text : parts.join(to);
}

function replaceAround(text: string, to: string, limit: bigint): string {
  let left = limit;
  let replaced = '';
  for (const character of text) {
    if (left-- > 0n) replaced += to;
    replaced += character;
  }
  return left > 0n ? replaced + to : replaced;
}

/** strings.SplitN: at most `limit` parts, all when it is negative. */
export function splitText(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  if (separator === '') return splitCharacters(text, limit);
  const parts = text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function splitCharacters(text: string, limit: bigint): string[] {
  const characters = [...text];
  if (limit < 0n || BigInt(characters.length) <= limit) return characters;
  const kept = Number(limit) - 1;
  return [...characters.slice(0, kept), characters.slice(kept).join('')];
}
