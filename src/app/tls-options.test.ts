import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCiphers } from 'node:tls';
import { expect, test } from 'vitest';
import { parseOptions } from '#app/options.ts';
import { buildTls, opensslName } from '#app/tls-options.ts';
import type { Certificates } from '#app/certificates.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';

const certificates = { serving: { cert: 'c', key: 'k' }, clientCa: 'ca' } as Certificates;
const build = (...flags: string[]) => buildTls(parseOptions(flags, { homeDir: '/' }), certificates);

test.each([
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
  'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
  'TLS_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_AES_128_GCM_SHA256',
])('%s is known to OpenSSL under its own name', (suite) => {
  expect(getCiphers()).toContain(opensslName(suite).toLowerCase());
});

test('versions of TLS are named as in Go', () => {
  expect(build().minVersion).toBe('TLSv1.2');
  expect(build('--tls-min-version=VersionTLS13').minVersion).toBe('TLSv1.3');
  expect(() => build('--tls-min-version=3')).toThrow('unknown tls version "3"');
});

test('certificates for other names know their names', () => {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-tls-'));
  const { cert, key } = new TestAuthority().issue({ commonName: 'x' }, { usage: 'server', names: ['a.example', '10.0.0.1', 'b.example'] });
  writeFileSync(join(dir, 'c'), cert);
  writeFileSync(join(dir, 'k'), key);
  const files = `${join(dir, 'c')},${join(dir, 'k')}`;
  expect(build(`--tls-sni-cert-key=${files}`, `--tls-sni-cert-key=${files}:c.example,*.d.example`).named).toEqual([
    { cert, key, names: ['a.example', 'b.example'] },
    { cert, key, names: ['c.example', '*.d.example'] },
  ]);
  rmSync(dir, { recursive: true });
});
