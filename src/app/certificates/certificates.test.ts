import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Certificates, ensureCertificates } from '#app/certificates/certificates.ts';
import { kubeconfigText } from '#app/certificates/kubeconfig.ts';
import { parseOptions } from '#app/flags/options.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';

let dir: string;
const now = new Date('2026-11-16T00:00:00Z');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-certificates-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function ensure(flags: readonly string[] = [], at = now, hostname = 'machine'): Promise<Certificates> {
  return ensureCertificates(parseOptions([`--data-dir=${dir}`, ...flags], { homeDir: '/nowhere' }), hostname, at);
}

test('a first start makes an authority, and a serving certificate for every name of the server', async () => {
  const { serving, servingCa } = await ensure(['--service-cluster-ip-range=10.96.0.0/16,fd00::/108', '--advertise-address=192.0.2.7']);
  const authority = new X509Certificate(servingCa ?? '');
  const certificate = new X509Certificate(serving.cert);
  expect([authority.ca, certificate.ca]).toEqual([true, false]);
  expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true);
  const names = ['localhost', 'machine', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];
  for (const name of names) expect(certificate.checkHost(name), name).toBe(name);
  for (const address of ['127.0.0.1', '::1', '10.96.0.1', 'fd00::1', '192.0.2.7']) expect(certificate.checkIP(address), address).toBeDefined();
  expect(createPublicKey(createPrivateKey(serving.key)).export({ type: 'spki', format: 'der' })).toEqual(
    certificate.publicKey.export({ type: 'spki', format: 'der' }),
  );
});

test('the administrator is a member of system:masters, signed by the authority of clients', async () => {
  const { admin, clientCa } = await ensure();
  const certificate = new X509Certificate(admin?.cert ?? '');
  expect(certificate.subject).toBe('O=system:masters\nCN=admin');
  expect(certificate.verify(new X509Certificate(clientCa).publicKey)).toBe(true);
});

test('a later start finds everything again', async () => {
  const first = await ensure();
  expect(await ensure()).toEqual(first);
});

test('new names or a near end make a new serving certificate of the same authority', async () => {
  const first = await ensure();
  const renamed = await ensure([], now, 'other-machine');
  expect(renamed.serving).not.toEqual(first.serving);
  expect([renamed.servingCa, renamed.admin]).toEqual([first.servingCa, first.admin]);
  const later = await ensure([], new Date('2036-11-01T00:00:00Z'), 'other-machine');
  expect(later.serving).not.toEqual(renamed.serving);
});

test('only the owner may read keys, and no half-written file is left', async () => {
  await ensure();
  const files = readdirSync(join(dir, 'pki')).sort();
  expect(files).toEqual(['admin.crt', 'admin.key', 'apiserver.crt', 'apiserver.key', 'ca.crt', 'ca.key', 'service-accounts.key']);
  for (const file of files.filter((name) => name.endsWith('.key'))) expect(statSync(join(dir, 'pki', file)).mode & 0o777, file).toBe(0o600);
});

test('files that the flags name are used, and nothing is made for them', async () => {
  const authority = new TestAuthority();
  const pair = authority.issue({ commonName: 's' }, { usage: 'server', names: ['x'] });
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const signing = file('sa.key', pair.key);
  const given = await ensure([
    `--tls-cert-file=${file('s.crt', pair.cert)}`,
    `--tls-private-key-file=${file('s.key', pair.key)}`,
    `--client-ca-file=${file('ca.crt', authority.cert)}`,
    `--service-account-signing-key-file=${signing}`,
  ]);
  expect(given).toMatchObject({ serving: pair, clientCa: authority.cert, servingCa: undefined, admin: undefined });
  expect(given.serviceAccounts.signingKey).toBe(pair.key);
  expect(given.serviceAccounts.publicKeys[0]).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expect(readdirSync(dir)).not.toContain('pki');
});

test('--cert-dir takes what is made', async () => {
  await ensure([`--cert-dir=${join(dir, 'certs')}`]);
  expect(readFileSync(join(dir, 'certs/apiserver.crt'), 'utf8')).toContain('BEGIN CERTIFICATE');
});

test('a pair that somebody put into --cert-dir is used as it is, also at the next start', async () => {
  const pair = new TestAuthority().issue({ commonName: 's' }, { usage: 'server', names: ['x'] });
  const certs = join(dir, 'certs');
  mkdirSync(certs);
  writeFileSync(join(certs, 'apiserver.crt'), pair.cert);
  writeFileSync(join(certs, 'apiserver.key'), pair.key);
  for (let start = 0; start < 2; start++) expect(await ensure([`--cert-dir=${certs}`])).toMatchObject({ serving: pair, servingCa: undefined });
});

test('the kubeconfig of the administrator holds all that a client needs', async () => {
  const { admin, servingCa } = await ensure();
  const config = JSON.parse(kubeconfigText({ server: 'https://127.0.0.1:6443', ca: servingCa ?? '', admin: admin ?? { cert: '', key: '' } }));
  expect(config).toMatchObject({ kind: 'Config', 'current-context': 'binnacle', clusters: [{ cluster: { server: 'https://127.0.0.1:6443' } }] });
  expect(Buffer.from(config.users[0].user['client-key-data'], 'base64').toString()).toBe(admin?.key);
});
