import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Credentials } from '#auth/authenticator.ts';
import { clientCertificate } from '#auth/authentication/client-certificate.ts';
import { parseCertificates } from '#base/pki/certificate.ts';
import type { Subject } from '#base/x509.ts';
import { type IssueOptions, TestAuthority } from '../../../test/support/test-pki.ts';
import { credentials } from '../../../test/support/credentials.ts';

const authority = new TestAuthority();
const now = new Date();

const trusting = ({ cert }: TestAuthority) => {
  const list = parseCertificates(cert);
  return () => list;
};

async function authenticate(chain: readonly Buffer[], at = now) {
  return clientCertificate(trusting(authority), { now: () => at })(credentials({ clientCertificates: chain }));
}

function chainOf(subject: Subject, options: Partial<IssueOptions> = {}, issuer = authority): Buffer[] {
  return [new X509Certificate(issuer.issue(subject, { usage: 'client', ...options }).cert).raw];
}

test('the common name is the user, each organization a group', async () => {
  const user = await authenticate(chainOf({ commonName: 'alice', organizations: ['team-a', 'system:masters'] }));
  expect(user).toMatchObject({ name: 'alice', groups: ['team-a', 'system:masters', 'system:authenticated'] });
  expect(user?.extra?.['authentication.kubernetes.io/credential-id']?.[0]).toMatch(/^X509SHA256=[0-9a-f]{64}$/);
});

test.each(['a=b', 'a,b', 'a+b', 'größe', 'a"b', 'a\\b', 'ö,ß', 'a\nO=system:masters', 'a + O=system:masters', 'system:node:n1', ' x '])(
  'the name %j arrives as it is',
  async (commonName) => {
    const user = await authenticate(chainOf({ commonName, organizations: [commonName] }));
    expect(user).toMatchObject({ name: commonName, groups: [commonName, 'system:authenticated'] });
  },
);

test('a certificate may name the uid of its user, but only one', async () => {
  expect(await authenticate(chainOf({ commonName: 'alice', uids: ['u,1'] }))).toMatchObject({ name: 'alice', uid: 'u,1' });
  await expect(authenticate(chainOf({ commonName: 'alice', uids: ['a', 'b'] }))).rejects.toMatchObject({ code: 401 });
  await expect(authenticate(chainOf({ commonName: 'alice', uids: [''] }))).rejects.toMatchObject({ code: 401 });
  const blind = clientCertificate(trusting(authority), { now: () => now }, false);
  expect(await blind(credentials({ clientCertificates: chainOf({ commonName: 'alice', uids: ['a'] }) }))).not.toHaveProperty('uid');
});

test('without a certificate there is no opinion', async () => {
  expect(await authenticate([])).toBeUndefined();
});

test('a certificate of another authority, even of the same name, is refused', async () => {
  await expect(authenticate(chainOf({ commonName: 'eve' }, {}, new TestAuthority('test-ca')))).rejects.toMatchObject({ code: 401 });
  await expect(authenticate(chainOf({ commonName: 'eve' }, {}, new TestAuthority('other')))).rejects.toMatchObject({ code: 401 });
});

test('a certificate for servers is refused', async () => {
  await expect(authenticate(chainOf({ commonName: 'web' }, { usage: 'server' }))).rejects.toMatchObject({ code: 401 });
});

test('a certificate is refused before its time and after it, also on a connection that was good', async () => {
  const notAfter = new Date(now.getTime() + 1000);
  const chain = chainOf({ commonName: 'alice' }, { notAfter });
  let time = now;
  const authenticator = clientCertificate(trusting(authority), { now: () => time });
  const check = async (shown: Credentials) => authenticator(shown);
  expect((await check(credentials({ clientCertificates: chain })))?.name).toBe('alice');
  time = new Date(notAfter.getTime() + 1000);
  await expect(check(credentials({ clientCertificates: chain }))).rejects.toMatchObject({ code: 401 });
  await expect(authenticate(chainOf({ commonName: 'alice' }), new Date(now.getTime() - 3_600_000))).rejects.toMatchObject({ code: 401 });
});

test('a client may prove itself over an intermediate that it shows, but not over one that may not sign', async () => {
  const middle = new TestAuthority('middle');
  const signed = authority.issueFor(middle, { usage: 'authority' });
  const leaf = new X509Certificate(middle.issue({ commonName: 'alice' }, { usage: 'client' }).cert).raw;
  expect((await authenticate([leaf, new X509Certificate(signed).raw]))?.name).toBe('alice');
  await expect(authenticate([leaf])).rejects.toMatchObject({ code: 401 });
  const powerless = authority.issueFor(middle, { usage: 'client' });
  await expect(authenticate([leaf, new X509Certificate(powerless).raw])).rejects.toMatchObject({ code: 401 });
});
