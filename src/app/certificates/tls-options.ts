// What the flags say about TLS, in the terms of node:tls.
import { FlagError } from '#app/flags/flags.ts';
import type { LiveCertificates } from '#app/certificates/live-certificates.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { TlsOptions } from '#server/front/listen.ts';

/** Nothing below 1.2 is spoken, whoever asks for it. */
const versions: Readonly<Record<string, 'TLSv1.2' | 'TLSv1.3'>> = {
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1.2',
  VersionTLS11: 'TLSv1.2',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

/** As the files are right now. */
export function buildTls({ tls }: ServerOptions, { serving, clientCa, named }: LiveCertificates): TlsOptions {
  const minVersion = versions[tls.minVersion];
  if (minVersion === undefined) throw new FlagError(`--tls-min-version: unknown tls version ${JSON.stringify(tls.minVersion)}`);
  return {
    ...serving.value,
    clientCa: clientCa.value.pem,
    minVersion,
    ...(tls.cipherSuites.length > 0 && { ciphers: tls.cipherSuites.map(opensslName).join(':') }),
    ...(tls.curves.length > 0 && { curves: tls.curves.join(':') }),
    named: named.map(({ value }) => value),
  };
}

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is `ECDHE-RSA-AES128-GCM-SHA256` to OpenSSL; those of TLS 1.3 keep their name. */
export function opensslName(suite: string): string {
  const found = /^TLS_(ECDHE_ECDSA|ECDHE_RSA|RSA)_WITH_(.+)$/.exec(suite);
  if (found === null) return suite;
  const [, exchange = '', cipher = ''] = found;
  const name = cipher
    .replace(/^AES_(\d+)_/, 'AES$1-')
    .replace(/^CHACHA20_POLY1305.*$/, 'CHACHA20-POLY1305')
    .replace(/CBC_/, '')
    .replaceAll('_', '-');
  return exchange === 'RSA' ? name : `${exchange.replace('_', '-')}-${name}`;
}
