import { describe, expect, test } from 'vitest';
import { apiUnderTest } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest();
const group = '/apis/admissionregistration.k8s.io/v1';
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };

/** A policy about configmaps of one namespace, with its binding. */
async function policy(name: string, spec: object, binding: object = {}): Promise<string> {
  const namespace = await api.namespace();
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  await api.make(`${group}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { failurePolicy: 'Fail', matchConstraints: { resourceRules: [rule], namespaceSelector }, ...spec },
  });
  await api.make(`${group}/validatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'], ...binding } });
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

describe('a validating admission policy', () => {
  test('denies from the moment its binding is acknowledged, with its message and reason', async () => {
    const path = await policy('denies', {
      variables: [{ name: 'size', expression: 'size(object.data)' }],
      validations: [{ expression: 'variables.size < 2', messageExpression: "'too many: ' + string(variables.size)", reason: 'Forbidden' }],
    });
    const denied = await api.ask('POST', path, { metadata: { name: 'a' }, data: { x: '1', y: '2' } });
    expect(denied).toMatchObject({ code: 403, body: { reason: 'Forbidden' } });
    expect(denied.body.message).toContain("ValidatingAdmissionPolicy 'denies' with binding 'denies' denied request: too many: 2");
    expect((await api.ask('POST', path, { metadata: { name: 'a' }, data: { x: '1' } })).code).toBe(201);
    expect((await api.ask('PUT', `${path}/a`, { metadata: { name: 'a' }, data: { x: '1', y: '2' } })).code).toBe(403);
  });

  test('that cannot be evaluated denies, unless it is to be ignored', async () => {
    const validations = [{ expression: "object.data.nope == 'x'" }];
    const closed = await policy('fails-closed', { validations });
    const refused = await api.ask('POST', closed, { metadata: { name: 'a' }, data: {} });
    expect(refused.code).toBe(422);
    expect(refused.body.message).toContain('resulted in error: no such key');
    const open = await policy('fails-open', { validations, failurePolicy: 'Ignore' });
    expect((await api.ask('POST', open, { metadata: { name: 'a' }, data: {} })).code).toBe(201);
  });

  test('asks for nothing where its conditions do not match', async () => {
    const path = await policy('conditional', {
      matchConditions: [{ name: 'c', expression: "has(object.data) && 'x' in object.data" }],
      validations: [{ expression: 'false' }],
    });
    expect((await api.ask('POST', path, { metadata: { name: 'a' } })).code).toBe(201);
    expect((await api.ask('POST', path, { metadata: { name: 'b' }, data: { x: '1' } })).code).toBe(422);
  });

  test('judges by its parameters, and denies when they are missing', async () => {
    const spec = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'object.metadata.name != params.data.forbidden' }] };
    const path = await policy('with-params', spec, { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } });
    const missing = await api.ask('POST', path, { metadata: { name: 'limits' }, data: { forbidden: 'bad' } });
    expect(missing.body.message).toContain('no params found for policy binding');
  });

  test('is about the objects that its rules name, and no others', async () => {
    const namespace = await api.namespace();
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
    const resourceRules = [{ ...rule, resourceNames: ['guarded'] }];
    await api.make(`${group}/validatingadmissionpolicies`, {
      metadata: { name: 'named' },
      spec: { matchConstraints: { resourceRules, namespaceSelector }, validations: [{ expression: 'false' }] },
    });
    await api.make(`${group}/validatingadmissionpolicybindings`, { metadata: { name: 'named' }, spec: { policyName: 'named', validationActions: ['Deny'] } });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    expect((await api.ask('POST', path, { metadata: { name: 'guarded' } })).code).toBe(422);
    expect((await api.ask('POST', path, { metadata: { name: 'free' } })).code).toBe(201);
  });

  test('with a kind of parameters that is not served is refused as a whole, by no binding', async () => {
    const path = await policy('no-such-params', { paramKind: { apiVersion: 'nope.test/v1', kind: 'Nope' }, validations: [{ expression: 'true' }] });
    const { body } = await api.ask('POST', path, { metadata: { name: 'a' } });
    expect(body.message).toContain("ValidatingAdmissionPolicy 'no-such-params' denied request: failed to configure policy: failed to find resource");
  });

  test('waits for the authorizer', async () => {
    const path = await policy('asks', {
      validations: [{ expression: "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()" }],
    });
    expect((await api.ask('POST', path, { metadata: { name: 'a' } })).code).toBe(201);
  });

  test('whose audit annotation cannot be evaluated denies, although its binding only warns', async () => {
    const auditAnnotations = [{ key: 'k', valueExpression: 'string(object.data.nope)' }];
    const path = await policy('annotates', { validations: [{ expression: 'true' }], auditAnnotations }, { validationActions: ['Warn'] });
    const refused = await api.ask('POST', path, { metadata: { name: 'a' }, data: {} });
    expect(refused.code).toBe(422);
    expect(refused.body.message).toContain("expression 'string(object.data.nope)' resulted in error: no such key");
  });

  test('is counted where it denies or warns, and where its failure is ignored; its conditions are timed', async () => {
    const matchConditions = [{ name: 'c', expression: 'true' }];
    const validations = [{ expression: "!has(object.data) || !('x' in object.data)" }];
    const warns = await policy('counted', { matchConditions, validations }, { validationActions: ['Deny', 'Audit'] });
    const ignores = await policy('ignored', { validations: [{ expression: "object.data.nope == 'x'" }], failurePolicy: 'Ignore' });
    expect((await api.ask('POST', warns, { metadata: { name: 'a' }, data: { x: '1' } })).code).toBe(422);
    expect((await api.ask('POST', warns, { metadata: { name: 'b' }, data: {} })).code).toBe(201);
    expect((await api.ask('POST', ignores, { metadata: { name: 'a' }, data: {} })).code).toBe(201);
    const { text } = await api.get('/metrics');
    const counted = (policyName: string, action: string) =>
      text.match(
        new RegExp(
          `^apiserver_validating_admission_policy_check_total\\{enforcement_action="${action}",error_type="invalid_error",policy="${policyName}",.*\\} (\\d+)$`,
          'm',
        ),
      )?.[1];
    expect([counted('counted', 'deny'), counted('counted', 'audit'), counted('counted', 'warn'), counted('ignored', 'allow')]).toEqual([
      '1',
      '1',
      undefined,
      '1',
    ]);
    expect(text).toMatch(
      /^apiserver_admission_match_condition_evaluation_seconds_count\{kind="policy",name="counted",operation="CREATE",type="validate"\} 2$/m,
    );
  });
});
