import type { Credentials } from '#auth/authenticator.ts';

/** A request as authentication sees it. */
export function credentials({ headers = {}, clientCertificates = [], warn = () => {} }: Partial<Credentials>): Credentials {
  const headerValues = (name: string) => [headers[name] ?? []].flat();
  return { headers, headerValues, clientCertificates, remoteAddress: '127.0.0.1', warn };
}
