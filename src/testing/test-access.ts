// Users of a test server: a kubeconfig and a client each.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { authorityName } from '#app/certificates/certificates.ts';
import { writeKubeconfig } from '#app/certificates/kubeconfig.ts';
import type { PemPair } from '#app/certificates/pem-folder.ts';
import { systemClock } from '#base/clock.ts';
import { generateEcKey, makeCertificate, parsePrivateKey, privateKeyPem, publicKeyOf } from '#base/x509.ts';
import { configOf } from '#client/client-config.ts';
import { connect } from '#client/connect.ts';
import { DynamicClient } from '#client/dynamic-client.ts';
import { readKubeconfig } from '#client/kubeconfig.ts';
import { RestMapper } from '#client/rest-mapper.ts';
import type { TestAccess, TestUser } from '#testing/testing.d.ts';

export interface OpenAccess extends TestAccess, AsyncDisposable {
  /** Kinds that the client knew may be gone. */
  forgetKinds(): void;
}

export function openAccess(kubeconfig: string): OpenAccess {
  const config = configOf(readKubeconfig({ file: kubeconfig, env: {}, homeDir: '' }), { env: {}, clock: systemClock });
  const connected = connect(config, { userAgent: 'binnacle-test' });
  const mapper = new RestMapper(connected.client);
  return {
    kubeconfig,
    client: new DynamicClient(connected.client, mapper),
    forgetKinds: () => mapper.reset(),
    [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose](),
  };
}

export interface UserFacts {
  readonly dir: string;
  readonly server: string;
  readonly ca: string;
  /** Signs client certificates; undefined when flags named an authority whose key we do not have. */
  readonly authority: PemPair | undefined;
}

const lifeMs = 24 * 3_600_000;

export function openUsers(users: readonly TestUser[], facts: UserFacts): ReadonlyMap<string, OpenAccess> {
  return new Map(users.map((user, i) => [user.name, openUser(user, join(facts.dir, `user-${i}.kubeconfig`), facts)]));
}

function openUser({ name, groups = [] }: TestUser, file: string, { server, ca, authority }: UserFacts): OpenAccess {
  if (authority === undefined) throw new Error('users need an authority that can sign for them: leave --client-ca-file away');
  const key = generateEcKey();
  const now = systemClock.now().getTime();
  const validity = { notBefore: new Date(now - lifeMs), notAfter: new Date(now + lifeMs) };
  const subject = { commonName: name, organizations: groups };
  const request = { subject, usage: 'client', publicKey: publicKeyOf(key), serial: randomBytes(16), ...validity } as const;
  const cert = makeCertificate(request, { subject: { commonName: authorityName }, privateKey: parsePrivateKey(authority.key) });
  writeKubeconfig(file, { server, ca, admin: { cert, key: privateKeyPem(key) }, user: name });
  return openAccess(file);
}
