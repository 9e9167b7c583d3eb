import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bitString, explicit, implicit, integer, objectIdentifier, octetString, sequence, setOf, utf8String } from '#base/der.ts';
import { generateEcKey, makeCertificate, privateKeyPem, publicKeyOf } from '#base/x509.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=csrapproving,csrsigning,csrcleaner'], users: 'kubelet,system:node:n1,u,system:nodes\n' });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 30 };
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

interface Wanted {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dns?: readonly string[];
  readonly uid?: string;
}

/** A PKCS #10 request in base64, signed with a fresh key. */
function requestFor({ commonName, organizations = [], dns = [], uid }: Wanted): string {
  const key = createPrivateKey(generateEcKey().export({ type: 'pkcs8', format: 'pem' }));
  const attribute = (type: string, value: string) => setOf(sequence(objectIdentifier(type), utf8String(value)));
  const own = uid === undefined ? [] : [attribute('1.3.6.1.4.1.57683.2', uid)];
  const subject = sequence(...organizations.map((name) => attribute('2.5.4.10', name)), attribute('2.5.4.3', commonName), ...own);
  const names = sequence(...dns.map((name) => implicit(2, Buffer.from(name))));
  const extensions = sequence(sequence(objectIdentifier('2.5.29.17'), octetString(names)));
  const attributes = explicit(0, dns.length > 0 ? sequence(objectIdentifier('1.2.840.113549.1.9.14'), setOf(extensions)) : Buffer.alloc(0));
  const info = sequence(integer(Buffer.of(0)), subject, publicKeyOf(key).export({ type: 'spki', format: 'der' }), attributes);
  const der = sequence(info, ecdsaWithSha256, bitString(sign('sha256', info, key)));
  return Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`).toString('base64');
}

interface Stored {
  readonly spec: object;
  readonly status: {
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
  };
}

async function read(name: string, of = server): Promise<Stored> {
  return (await of.ask('GET', `${requests}/${name}`)).json as unknown as Stored;
}

async function ask(name: string, spec: object, token = 'admin', of = server): Promise<void> {
  const { code, text } = await of.ask(
    'POST',
    requests,
    { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name }, spec },
    { token },
  );
  expect(code, text).toBe(201);
}

async function approve(name: string, of = server): Promise<void> {
  const stored = await read(name, of);
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'ok' }];
  const { code, text } = await of.ask('PUT', `${requests}/${name}/approval`, { ...stored, status: { conditions } });
  expect(code, text).toBe(200);
}

const client = { signerName: 'kubernetes.io/kube-apiserver-client', usages: ['digital signature', 'client auth'] };

test('an approved request is answered with a certificate that the server trusts, of the requested length', async () => {
  await ask('user', { ...client, expirationSeconds: 3600, request: requestFor({ commonName: 'jane', organizations: ['dev'], uid: 'forged' }) });
  await approve('user');
  await expect.poll(async () => (await read('user')).status.certificate, soon).toBeDefined();
  const certificate = new X509Certificate(Buffer.from((await read('user')).status.certificate ?? '', 'base64'));
  expect(certificate.subject).toBe('O=dev\nCN=jane');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(certificate.ca).toBe(false);
  expect(certificate.verify(new X509Certificate(server.server.certificates.clientCa).publicKey)).toBe(true);
  expect((Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 1000).toBe(3600 + 300);
});

test('a request that its signer does not take is marked as failed', async () => {
  await ask('serves', { ...client, usages: ['server auth'], request: requestFor({ commonName: 'jane' }) });
  await approve('serves');
  const conditions = [
    { type: 'Approved' },
    { type: 'Failed', reason: 'SignerValidationFailure', message: 'invalid usage for client certificate: server auth' },
  ];
  await expect.poll(async () => (await read('serves')).status.conditions, soon).toMatchObject(conditions);
  expect((await read('serves')).status.certificate).toBeUndefined();
});

test('the certificate of a kubelet has the names that were asked for', async () => {
  const usages = ['digital signature', 'key encipherment', 'server auth'];
  const request = requestFor({ commonName: 'system:node:n1', organizations: ['system:nodes'], dns: ['n1', 'n1.example.com'] });
  await ask('node', { signerName: 'kubernetes.io/kubelet-serving', usages, request });
  await approve('node');
  await expect.poll(async () => (await read('node')).status.certificate, soon).toBeDefined();
  const certificate = new X509Certificate(Buffer.from((await read('node')).status.certificate ?? '', 'base64'));
  expect(certificate.subjectAltName).toBe('DNS:n1, DNS:n1.example.com');
});

test('a kubelet that renews its own certificate is approved where a role says so, and nobody else', async () => {
  const usages = ['digital signature', 'client auth'];
  const spec = {
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages,
    request: requestFor({ commonName: 'system:node:n1', organizations: ['system:nodes'] }),
  };
  const subjects = [{ kind: 'Group', name: 'system:nodes', apiGroup: 'rbac.authorization.k8s.io' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient' };
  await server.make('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { metadata: { name: 'renew' }, roleRef, subjects });
  const other = { ...spec, request: requestFor({ commonName: 'system:node:n2', organizations: ['system:nodes'] }) };
  await ask('other', other, 'kubelet');
  await ask('renewed', spec, 'kubelet');
  await expect.poll(async () => (await read('renewed')).status.certificate, soon).toBeDefined();
  expect((await read('renewed')).status.conditions).toMatchObject([{ type: 'Approved', reason: 'AutoApproved' }]);
  expect((await read('other')).status.conditions).toBeUndefined();
});

test.each([
  ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ['Ed25519', () => generateKeyPairSync('ed25519').privateKey],
])('an authority with a key of %s that was made elsewhere signs where flags name it', async (_, generate) => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-authority-'));
  try {
    const key: KeyObject = generate();
    const issuer = { subject: { commonName: 'elsewhere', organizations: ['them'] }, privateKey: key };
    const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 86_400_000) };
    const authority = makeCertificate({ subject: issuer.subject, publicKey: publicKeyOf(key), serial: Buffer.of(1), usage: 'authority', ...validity }, issuer);
    writeFileSync(join(folder, 'ca.crt'), authority);
    writeFileSync(join(folder, 'ca.key'), privateKeyPem(key), { mode: 0o600 });
    const files = [`--cluster-signing-cert-file=${join(folder, 'ca.crt')}`, `--cluster-signing-key-file=${join(folder, 'ca.key')}`];
    await using other = await ServerInTest.start({ flags: ['--controllers=csrsigning', ...files, `--client-ca-file=${join(folder, 'ca.crt')}`] });
    await ask('user', { ...client, request: requestFor({ commonName: 'jane' }) }, 'admin', other);
    await approve('user', other);
    await expect.poll(async () => (await read('user', other)).status.certificate, soon).toBeDefined();
    const certificate = new X509Certificate(Buffer.from((await read('user', other)).status.certificate ?? '', 'base64'));
    expect(certificate.verify(publicKeyOf(key))).toBe(true);
    expect(certificate.checkIssued(new X509Certificate(authority))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
