import type { Credentials } from '#auth/authenticator.ts';
import { headerText } from '#auth/header-text.ts';

const none: Readonly<Record<string, readonly string[]>> = Object.freeze({});

/** The extra of a user, one header per key: `X-Remote-Extra-Scopes: a`. Headers whose names mean the same key add up. */
export function extraInHeaders(
  request: Pick<Credentials, 'headers' | 'headerValues'>,
  prefixes: readonly string[],
  keyOf: (suffix: string) => string,
): Readonly<Record<string, readonly string[]>> {
  let extra: Map<string, string[]> | undefined;
  for (const prefix of prefixes) {
    const lowered = prefix.toLowerCase();
    for (const header in request.headers) {
      if (!header.startsWith(lowered)) continue;
      extra ??= new Map();
      const key = keyOf(header.slice(prefix.length));
      const values = extra.get(key) ?? [];
      for (const value of request.headerValues(header)) values.push(headerText(value));
      extra.set(key, values);
    }
  }
  // Not assigned one by one: a header may be named after __proto__.
  return extra === undefined ? none : Object.fromEntries(extra);
}
