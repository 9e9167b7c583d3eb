import { describe, expect, test } from 'vitest';
import { apiUnderTest } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest();
const group = '/apis/admissionregistration.k8s.io/v1';
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };

/** A policy that changes configmaps of the namespace, with its binding. */
async function policy(name: string, namespace: string, expression: string, spec: object = {}): Promise<void> {
  const patch = expression.startsWith('[')
    ? { patchType: 'JSONPatch', jsonPatch: { expression } }
    : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  await api.make(`${group}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: { failurePolicy: 'Fail', reinvocationPolicy: 'Never', matchConstraints: { resourceRules: [rule], namespaceSelector }, mutations: [patch], ...spec },
  });
  await api.make(`${group}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } });
}

/** Adds a letter to an annotation. */
const letter = (text: string) =>
  `Object{metadata: Object.metadata{annotations: {'order': (has(object.metadata.annotations) && 'order' in object.metadata.annotations ? object.metadata.annotations['order'] : '') + '${text}'}}}`;

describe('a mutating admission policy', () => {
  test('merges what it applies, and applies JSON patches', async () => {
    const namespace = await api.namespace();
    await policy('merges', namespace, "Object{data: {'n': object.metadata.name}}");
    await policy('patches', namespace, "[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('c.d'), value: 'e'}]");
    const { body } = await api.ask('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'x' }, data: { own: '1' } });
    expect(body.message).toBeUndefined();
    expect(body['data']).toEqual({ own: '1', n: 'x', 'c.d': 'e' });
  });

  test('is asked again, when it wants to be, after another has changed the object', async () => {
    const namespace = await api.namespace();
    await policy('again-a', namespace, letter('a'));
    await policy('again-b', namespace, letter('b'), { reinvocationPolicy: 'IfNeeded' });
    await policy('again-c', namespace, letter('c'));
    const { body } = await api.ask('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'x' } });
    expect(body.metadata.annotations).toEqual({ order: 'abcb' });
  });

  test('does nothing where a test of its patch does not hold', async () => {
    const namespace = await api.namespace();
    await policy('tests', namespace, "[JSONPatch{op: 'test', path: '/metadata/name', value: 'x'}, JSONPatch{op: 'add', path: '/data', value: {'a': 'b'}}]");
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    expect((await api.ask('POST', path, { metadata: { name: 'x' } })).body['data']).toEqual({ a: 'b' });
    const other = await api.ask('POST', path, { metadata: { name: 'y' } });
    expect(other.code).toBe(201);
    expect(other.body['data']).toBeUndefined();
  });

  test('whose patch does not fit the kind denies the request', async () => {
    const namespace = await api.namespace();
    await policy('misfits', namespace, "Object{nothing: 'x'}");
    const { code, body } = await api.ask('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'x' } });
    expect(code).toBe(403);
    expect(body.message).toContain('.nothing: field not declared in schema');
  });

  test.each([
    ['null in a map is a number', "Object{data: {'a': null}}", '.data.a: expected string, got &value.valueUnstructured{Value:0}'],
    ['a duration is a number', "Object{data: {'a': duration('1s')}}", '.data.a: expected string, got &value.valueUnstructured{Value:1000000000}'],
    ['keys are text', "[JSONPatch{op: 'add', path: '/data', value: {1: 'x'}}]", "could not marshal to JSON: unsupported type conversion from 'int' to string"],
    ['another kind', "[JSONPatch{op: 'add', path: '/kind', value: 'Secret'}]", 'failed to convert object: converting (v1.Secret) to (core.ConfigMap)'],
  ])('is held to what Go makes of its values: %s', async (_case, expression, message) => {
    const namespace = await api.namespace();
    await policy(`odd-${namespace}`, namespace, expression);
    const { code, body } = await api.ask('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'x' } });
    expect(code).toBeGreaterThanOrEqual(400);
    expect(body.message).toContain(message);
  });

  test('may replace no whole list, map or struct by applying a part of it', async () => {
    const namespace = await api.namespace();
    await policy('atomics', namespace, "Object{metadata: Object.metadata{finalizers: ['a.test/b']}, immutable: true}");
    const fine = await api.ask('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'x' } });
    expect(fine.body.metadata.finalizers).toEqual(['a.test/b']);
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    await policy('selects', namespace, "Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}", {
      matchConstraints: { resourceRules: [{ ...rule, apiGroups: ['apps'], resources: ['deployments'] }] },
      matchConditions: [{ name: 'here', expression: `request.namespace == '${namespace}'` }],
    });
    const container = { name: 'c', image: 'i' };
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
    const refused = await api.ask('POST', path, { metadata: { name: 'x' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    expect(refused.body.message).toContain('invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector');
  });

  test('sees connections, to which a configuration cannot be applied', async () => {
    const namespace = await api.namespace();
    const here = { matchConditions: [{ name: 'here', expression: `request.namespace == '${namespace}'` }] };
    const matchConstraints = { resourceRules: [{ ...rule, operations: ['CONNECT'], resources: ['pods/exec'] }] };
    await policy('connects', namespace, "Object{container: 'c'}", { matchConstraints, ...here });
    const { code, body } = await api.get(`/api/v1/namespaces/${namespace}/pods/x/exec?command=ls`);
    expect([code, body.message]).toEqual([403, expect.stringContaining('typed object: no corresponding type for /v1, Kind=PodExecOptions')]);
  });

  test('is counted', async () => {
    const namespace = await api.namespace();
    await policy('counted', namespace, "Object{data: {'n': 'x'}}");
    await policy('uncounted', namespace, 'Object{data: object.data.nope}', { failurePolicy: 'Ignore' });
    expect((await api.ask('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'x' } })).code).toBe(201);
    const { text } = await api.get('/metrics');
    expect(text).toMatch(/^apiserver_mutating_admission_policy_check_total\{error_type="no_error",policy="counted",policy_binding="counted"\} [1-9]/m);
    expect(text).toMatch(/^apiserver_mutating_admission_policy_check_total\{error_type="invalid_error",policy="uncounted",policy_binding="uncounted"\} [1-9]/m);
  });
});
