import { describe, expect, test } from 'vitest';
import { refuseEscalation } from '#auth/authorization/escalation.ts';
import { RbacPolicy, rbacAuthorizer } from '#auth/authorization/rbac.ts';

const user = { name: 'bob', uid: '', groups: ['system:authenticated'], extra: {} };
const bob = { kind: 'User', name: 'bob' };

/** Two bindings to one role that is not there, one of them naming the user twice. */
function policyWithGaps(): RbacPolicy {
  const policy = new RbacPolicy();
  const roleRef = { kind: 'Role', name: 'missing' };
  policy.setBinding({ namespace: 'ns', name: 'a', roleRef, subjects: [bob, bob] });
  policy.setBinding({ namespace: 'ns', name: 'b', roleRef: { kind: 'ClusterRole', name: 'gone' }, subjects: [bob] });
  return policy;
}

describe('bindings to roles that do not exist', () => {
  test('are named once each when access is refused', async () => {
    const asked = { verb: 'get', resource: 'pods', namespace: 'ns', name: '', isResource: true, path: '', group: '', version: 'v1', subresource: '' };
    const verdict = await rbacAuthorizer(policyWithGaps())(user, { ...asked, labelSelector: '', fieldSelector: '' });
    expect(verdict.reason).toBe('RBAC: [role.rbac.authorization.k8s.io "missing" not found, clusterrole.rbac.authorization.k8s.io "gone" not found]');
  });

  test('are named when a role is refused, after the resource that is written', async () => {
    const policy = policyWithGaps();
    const object = { metadata: { name: 'new' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] };
    const write = { user, resource: 'roles', namespace: 'ns', name: '', object, old: undefined };
    await expect(refuseEscalation(policy, rbacAuthorizer(policy), write)).rejects.toThrow(
      /; resolution errors: \[roles\.rbac\.authorization\.k8s\.io "missing" not found roles\.rbac\.authorization\.k8s\.io "gone" not found\]$/,
    );
  });
});
