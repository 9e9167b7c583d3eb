import { expect, test } from 'vitest';
import { formatLevelVersion, noRestriction, policyOf, privilegedPolicy } from '#admission/pod-security/policy.ts';

const label = (pairs: Record<string, string>) => Object.fromEntries(Object.entries(pairs).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));

test.each([
  [{}, 'privileged:latest', 'privileged:latest', 'privileged:latest'],
  [{ enforce: 'baseline' }, 'baseline:latest', 'privileged:latest', 'baseline:latest'],
  [{ enforce: 'restricted', 'enforce-version': 'v1.24' }, 'restricted:v1.24', 'privileged:latest', 'restricted:v1.24'],
  [{ enforce: 'restricted', 'warn-version': 'v1.20' }, 'restricted:latest', 'privileged:latest', 'restricted:v1.20'],
  [{ enforce: 'restricted', warn: 'privileged' }, 'restricted:latest', 'privileged:latest', 'privileged:latest'],
  [{ audit: 'baseline', 'audit-version': 'v1.0' }, 'privileged:latest', 'baseline:v1.0', 'privileged:latest'],
  [{ enforce: 'strict' }, 'restricted:latest', 'privileged:latest', 'privileged:latest'],
  [{ audit: 'strict', warn: 'strict' }, 'privileged:latest', 'privileged:latest', 'privileged:latest'],
])('labels %j ask for %s, %s and %s', (labels, enforce, audit, warn) => {
  const { policy } = policyOf(label(labels), privilegedPolicy);
  expect([policy.enforce, policy.audit, policy.warn].map(formatLevelVersion)).toEqual([enforce, audit, warn]);
});

test.each([
  [{ enforce: 'strict' }, 'must be one of privileged, baseline, restricted'],
  [{ 'warn-version': '1.24' }, 'must be "latest" or "v1.x"'],
  [{ 'audit-version': 'v1.024' }, 'must be "latest" or "v1.x"'],
])('labels %j are refused', (labels, why) => {
  const { errors } = policyOf(label(labels), privilegedPolicy);
  expect(errors.list.map(({ detail }) => detail)).toEqual([why]);
});

test('labels of others leave the defaults alone', () => {
  const defaults = { ...privilegedPolicy, enforce: { level: 'baseline', version: 30 } as const };
  expect(policyOf({ app: 'web' }, defaults).policy).toBe(defaults);
  expect(policyOf(undefined, privilegedPolicy).policy.enforce).toBe(noRestriction);
});
