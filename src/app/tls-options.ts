// What the flags say about TLS, in the terms of node:tls.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Certificates } from '#app/certificates.ts';
import { FlagError } from '#app/flags.ts';
import type { ServerOptions } from '#app/options.ts';
import type { NamedCertificate, TlsOptions } from '#server/listen.ts';

/** Nothing below 1.2 is spoken, whoever asks for it. */
const versions: Readonly<Record<string, 'TLSv1.2' | 'TLSv1.3'>> = {
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1.2',
  VersionTLS11: 'TLSv1.2',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

export function buildTls({ tls, flags }: ServerOptions, { serving, clientCa }: Certificates): TlsOptions {
  const minVersion = versions[tls.minVersion];
  if (minVersion === undefined) throw new FlagError(`--tls-min-version: unknown tls version ${JSON.stringify(tls.minVersion)}`);
  return {
    ...serving,
    clientCa,
    minVersion,
    ...(tls.cipherSuites.length > 0 && { ciphers: tls.cipherSuites.map(opensslName).join(':') }),
    named: flags.list('tls-sni-cert-key').map(namedCertificate),
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

/** `cert,key` or `cert,key:name,name`; without names those of the certificate count. */
function namedCertificate(text: string): NamedCertificate {
  const [files = '', names] = text.split(':');
  const [cert = '', key = ''] = files.split(',').map((file) => readFileSync(file, 'utf8'));
  return { cert, key, names: names === undefined ? namesOf(cert) : names.split(',') };
}

function namesOf(pem: string): string[] {
  const names = new X509Certificate(pem).subjectAltName ?? '';
  return names.split(', ').flatMap((name) => (name.startsWith('DNS:') ? name.slice(4) : []));
}
