import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCiphers } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { parseOptions } from '#app/flags/options.ts';
import { buildTls, opensslName } from '#app/certificates/tls-options.ts';
import { openCertificates } from '#app/certificates/live-certificates.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';

const dir = mkdtempSync(join(tmpdir(), 'binnacle-tls-'));
afterAll(() => rmSync(dir, { recursive: true }));

const authority = new TestAuthority();
const { cert, key } = authority.issue({ commonName: 'x' }, { usage: 'server', names: ['a.example', '10.0.0.1', 'b.example'] });

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

async function build(...flags: string[]) {
  const own = [`--tls-cert-file=${file('c', cert)}`, `--tls-private-key-file=${file('k', key)}`, `--client-ca-file=${file('ca', authority.cert)}`];
  const options = parseOptions([...own, ...flags], { homeDir: '/' });
  return buildTls(options, await openCertificates(options));
}

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

test('versions of TLS are named as in Go', async () => {
  expect((await build()).minVersion).toBe('TLSv1.2');
  expect((await build('--tls-min-version=VersionTLS13')).minVersion).toBe('TLSv1.3');
  await expect(build('--tls-min-version=3')).rejects.toThrow('unknown tls version "3"');
});

test('a key that belongs to another certificate is refused', async () => {
  const other = authority.issue({ commonName: 'x' }, { usage: 'server' });
  await expect(build(`--tls-sni-cert-key=${file('c', cert)},${file('other', other.key)}`)).rejects.toThrow('private key does not match public key');
});

test('certificates for other names know their names', async () => {
  const files = `${join(dir, 'c')},${join(dir, 'k')}`;
  expect((await build(`--tls-sni-cert-key=${files}`, `--tls-sni-cert-key=${files}:c.example,*.d.example`)).named).toEqual([
    { cert, key, names: ['a.example', 'b.example'] },
    { cert, key, names: ['c.example', '*.d.example'] },
  ]);
});
