import { expect, test, vi } from 'vitest';
import { apiUnderTest, type ApiObject } from '../../test/support/api-under-test.ts';

const api = apiUnderTest('--controllers=validatingadmissionpolicy-status-controller');
const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

interface Status {
  readonly observedGeneration?: number;
  readonly typeChecking?: { readonly expressionWarnings?: readonly { readonly fieldRef: string; readonly warning: string }[] };
}

async function checked(name: string, resources: readonly string[], ...expressions: readonly string[]): Promise<ApiObject & { readonly status: Status }> {
  const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources };
  const validations = expressions.map((expression) => ({ expression }));
  await api.make(path, { metadata: { name }, spec: { matchConstraints: { resourceRules: [rule] }, validations } });
  return vi.waitFor(async () => {
    const { body } = await api.get(`${path}/${name}`);
    expect((body.status as Status).observedGeneration).toBe(1);
    return body as ApiObject & { readonly status: Status };
  });
}

test('a field that the kind does not have is a warning at the expression that names it', async () => {
  const { status, metadata } = await checked('unknown-field', ['deployments'], 'object.spec.replicas > 1', 'object.spec.foo == 1');
  const warning = "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'foo'\n | object.spec.foo == 1\n | ...........^\n";
  expect(status.typeChecking?.expressionWarnings).toEqual([{ fieldRef: 'spec.validations[1].expression', warning }]);
  expect(metadata.managedFields?.find(({ subresource }) => subresource === 'status')?.manager).toBe('validatingadmissionpolicy-status');
});

test('every kind that the rules name is checked, those behind wildcards are not', async () => {
  const both = await checked('two-kinds', ['deployments', 'daemonsets'], 'object.spec.replicas > 1');
  expect(both.status.typeChecking?.expressionWarnings?.[0]?.warning).toContain("apps/v1, Kind=DaemonSet: ERROR: <input>:1:12: undefined field 'replicas'");
  const all = await checked('wildcard', ['*'], 'object.spec.replicas > 1');
  expect(all.status.typeChecking).toEqual({});
});
