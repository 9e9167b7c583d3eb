import { describe, expect, test } from 'vitest';
import { admissionActivation, type AdmissionFacts } from '#admission/expressions/admission-activation.ts';
import { compileMatchConditions } from '#admission/expressions/match-conditions.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const kind = { group: '', version: 'v1', kind: 'Pod' };
const facts: AdmissionFacts = {
  request: {
    kind,
    resource: pods,
    subresource: '',
    requestKind: kind,
    requestResource: pods,
    name: 'web',
    namespace: 'shop',
    operation: 'CREATE',
    user: { name: 'alice', groups: ['team-a'] },
    dryRun: false,
    options: undefined,
  },
  object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { app: 'web' } }, spec: { replicas: 3 } },
  old: undefined,
  values: new Map(),
  namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'u1', creationTimestamp: '2026-01-01T00:00:00Z' } },
  authorize: async (question) => ({ allowed: question.subject.is === 'requester', reason: 'because' }),
};

function verdict(...expressions: readonly string[]) {
  const conditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
  return compileMatchConditions(conditions)(admissionActivation(facts));
}

describe('match conditions', () => {
  test('see the request, the object, what was before it and its namespace', () => {
    expect(
      verdict(
        "request.operation == 'CREATE' && request.userInfo.username == 'alice' && 'team-a' in request.userInfo.groups",
        "object.metadata.labels.app == 'web' && object.spec.replicas == 3 && oldObject == null",
        "namespaceObject.metadata.UID == 'u1' && namespaceObject.metadata.creationTimestamp < timestamp('2027-01-01T00:00:00Z')",
      ),
    ).toEqual({ is: 'match', problems: 0 });
  });

  test('do not match when one is false, whatever becomes of the others', () => {
    expect(verdict('object.nope.nope == 1', 'false')).toEqual({ is: 'mismatch', condition: 'c1', problems: 1 });
  });

  test('that cannot be told leave it to the failure policy', () => {
    expect(verdict('object.nope == 1')).toMatchObject({ is: 'failed', why: expect.stringContaining('no such key: nope') });
  });

  test('wait for the authorizer', async () => {
    expect(await verdict("authorizer.group('').resource('pods').namespace('shop').check('create').allowed()")).toEqual({ is: 'match', problems: 0 });
    expect(await verdict("authorizer.requestResource.check('get').reason() == 'because'")).toEqual({ is: 'match', problems: 0 });
  });
});
