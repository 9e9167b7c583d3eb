// Go reads the target of a request before any handler does: what url.ParseRequestURI refuses never becomes a request.

/** Escapes of the path that are none, or control characters. Broken escapes of the query are the business of whoever reads it. */
export function isBrokenTarget(target: string): boolean {
  if (controlCharacter.test(target)) return true;
  if (!target.includes('%')) return false;
  const query = target.indexOf('?');
  return brokenEscape.test(query < 0 ? target : target.slice(0, query));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
// oxlint-disable-next-line no-control-regex -- the same
const controlCharacter = /[\u0000-\u001f\u007f]/;
const brokenEscape = /%(?![0-9a-fA-F]{2})/;
