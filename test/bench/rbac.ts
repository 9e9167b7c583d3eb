// What an RBAC decision costs with 10 and with 10,000 bindings of others: the ratio may be 1.5 at most. And what a known
// service account token costs beside checking its signature. Run: npx tsx test/bench/rbac.ts
import { generateKeyPairSync } from 'node:crypto';
import { signingKey, signJwt, verifyingKeys } from '#auth/authentication/jwt.ts';
import { VerifiedTokens } from '#auth/authentication/verified-tokens.ts';
import { rbacAuthorizer, RbacPolicy } from '#auth/authorization/rbac.ts';
import type { AccessAttributes } from '#auth/authorizer.ts';

const limit = 1.5;

function policyWith(bindings: number): RbacPolicy {
  const policy = new RbacPolicy();
  policy.setRole('', 'reader', () => [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }]);
  for (let i = 0; i < bindings; i++) {
    policy.setBinding({ namespace: '', name: `b${i}`, roleRef: { kind: 'ClusterRole', name: 'reader' }, subjects: [{ kind: 'User', name: `user-${i}` }] });
    policy.setBinding({
      namespace: `ns-${i % 100}`,
      name: `b${i}`,
      roleRef: { kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'Group', name: `team-${i}` }],
    });
  }
  return policy;
}

const user = { name: 'user-5', groups: ['team-7', 'system:authenticated'] };
const base = { isResource: true, path: '', group: '', version: 'v1', subresource: '', namespace: 'ns-7', name: 'x', labelSelector: '', fieldSelector: '' };
const allowed: AccessAttributes = { ...base, verb: 'get', resource: 'pods' };
const refused: AccessAttributes = { ...base, verb: 'delete', resource: 'secrets' };

async function nanoseconds(work: () => unknown, rounds = 200_000): Promise<number> {
  for (let i = 0; i < rounds / 10; i++) await work();
  const start = process.hrtime.bigint();
  for (let i = 0; i < rounds; i++) await work();
  return Number(process.hrtime.bigint() - start) / rounds;
}

async function best(work: () => unknown, rounds?: number): Promise<number> {
  const runs: number[] = [];
  for (let i = 0; i < 5; i++) runs.push(await nanoseconds(work, rounds));
  return Math.min(...runs);
}

async function main(): Promise<void> {
  const few = rbacAuthorizer(policyWith(10));
  const lots = rbacAuthorizer(policyWith(10_000));
  let worst = 0;
  for (const [name, access] of [
    ['allowed', allowed],
    ['refused', refused],
  ] as const) {
    const small = await best(() => few(user, access));
    const large = await best(() => lots(user, access));
    worst = Math.max(worst, large / small);
    console.log(`${name}: 10 bindings ${small.toFixed(0)} ns, 10,000 bindings ${large.toFixed(0)} ns, ratio ${(large / small).toFixed(2)} (at most ${limit})`);
  }
  const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const token = signJwt({ iss: 'x', sub: 'y', aud: ['z'] }, signingKey(pem));
  const keys = verifyingKeys(pem);
  const known = new VerifiedTokens(keys);
  const first = await best(() => new VerifiedTokens(keys).read(token, ['x']), 2000);
  const again = await best(() => known.read(token, ['x']), 20_000);
  console.log(`token: signature checked ${(first / 1000).toFixed(1)} µs, remembered ${(again / 1000).toFixed(1)} µs`);
  process.exitCode = worst > limit ? 1 : 0;
}

await main();
