import type { Credentials } from '#auth/authenticator.ts';

/** The extra of a user, one header per key: `X-Remote-Extra-Scopes: a`. Headers whose names mean the same key add up. */
export function extraInHeaders(
  request: Pick<Credentials, 'headers' | 'headerValues'>,
  prefixes: readonly string[],
  keyOf: (suffix: string) => string,
): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes.map((text) => text.toLowerCase())) {
    for (const header of Object.keys(request.headers)) {
      if (!header.startsWith(prefix)) continue;
      const key = keyOf(header.slice(prefix.length));
      const values = extra.get(key) ?? [];
      for (const value of request.headerValues(header)) values.push(value);
      extra.set(key, values);
    }
  }
  // Not assigned one by one: a header may be named after __proto__.
  return Object.fromEntries(extra);
}
