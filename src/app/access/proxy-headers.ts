import type { ServerOptions } from '#app/flags/options.ts';

type RequestHeader = ServerOptions['authentication']['requestHeader'];

/** Never passed on to extension servers anyway (`aggregation/forwarded-head.ts`). */
const standard = /^x-remote-(?:user|uid|group|extra-.*)$/;

/** The headers by which flags let front proxies name a user, where they are not the usual ones: names of headers in lower case. */
export function otherProxyHeaders({ usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes }: RequestHeader): ((name: string) => boolean) | undefined {
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase()).filter((name) => !standard.test(name));
  const names = new Set(lower([...usernameHeaders, ...uidHeaders, ...groupHeaders]));
  const prefixes = lower(extraHeaderPrefixes);
  if (names.size === 0 && prefixes.length === 0) return undefined;
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
