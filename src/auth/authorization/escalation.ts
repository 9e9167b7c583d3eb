// Nobody gives away what he does not hold: roles and bindings are checked against the writer's own rights.
import { isDeepStrictEqual } from 'node:util';
import { type ApiError, badRequest, forbidden, notFound } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { MASTERS, type User } from '#api/user.ts';
import type { PolicyRule } from '#auth/authorization/policy-rule.ts';
import type { RbacPolicy } from '#auth/authorization/rbac.ts';
import { describePermissions, goList, missingPermissions } from '#auth/authorization/rule-cover.ts';
import { everything } from '#auth/authorization/rules-of-user.ts';
import type { AccessAttributes, Authorizer } from '#auth/authorizer.ts';

export interface RoleWrite {
  readonly user: User;
  readonly resource: string;
  readonly namespace: string;
  /** Of the request; empty for a create. */
  readonly name: string;
  readonly object: KubernetesObject;
  readonly old: KubernetesObject | undefined;
}

export const rbacGroup = 'rbac.authorization.k8s.io';

/** Throws 403 or 404. `resource` must be one of the four of RBAC. */
export async function refuseEscalation(policy: RbacPolicy, authorizer: Authorizer, write: RoleWrite): Promise<void> {
  if (write.user.groups.includes(MASTERS) || onlyCollectorFieldsChange(write)) return;
  if (write.resource.endsWith('bindings')) await checkBinding(policy, authorizer, write);
  else await checkRole(policy, authorizer, write);
}

/** What the garbage collector needs to write must not depend on its rights. */
function onlyCollectorFieldsChange({ object, old }: RoleWrite): boolean {
  if (old === undefined) return false;
  const { ownerReferences, finalizers, managedFields, selfLink } = old.metadata;
  const put = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined);
  const { ownerReferences: _o, finalizers: _f, managedFields: _m, selfLink: _s, ...rest } = object.metadata;
  const metadata = { ...rest, ...Object.fromEntries(put({ ownerReferences, finalizers, managedFields, selfLink })) };
  return isDeepStrictEqual({ ...object, metadata }, old);
}

async function checkRole(policy: RbacPolicy, authorizer: Authorizer, write: RoleWrite): Promise<void> {
  const { user, resource, namespace, name, object, old } = write;
  if (await mayDo(authorizer, user, { verb: 'escalate', resource, namespace, name })) return;
  refuseMissing(policy, write, (object['rules'] as readonly PolicyRule[] | undefined) ?? []);
  if (!aggregates(object) && !aggregates(old)) return;
  if (missingPermissions(policy.rulesFor(user, namespace), everything).length === 0) return;
  throw refusal(write, 'must have cluster-admin privileges to use the aggregationRule');
}

function aggregates(role: KubernetesObject | undefined): boolean {
  const { clusterRoleSelectors } = (role?.['aggregationRule'] ?? {}) as { clusterRoleSelectors?: readonly object[] };
  return Boolean(clusterRoleSelectors?.length);
}

async function checkBinding(policy: RbacPolicy, authorizer: Authorizer, write: RoleWrite): Promise<void> {
  const { user, resource, namespace, object } = write;
  const roleRef = object['roleRef'] as { kind: string; name: string };
  const roles = roleRef.kind === 'ClusterRole' ? 'clusterroles' : roleRef.kind === 'Role' ? 'roles' : undefined;
  // A reference to something else is for validation to refuse.
  if (roles === undefined) return;
  if (await mayDo(authorizer, user, { verb: 'bind', resource: roles, namespace, name: roleRef.name })) return;
  // The original looks for the role before validation could say that a ClusterRoleBinding refers to no Role.
  if (roles === 'roles' && namespace === '') throw badRequest('Namespace parameter required.');
  const rules = policy.rulesOf({ namespace, roleRef });
  if (rules === undefined) throw notFound({ group: rbacGroup, resource }, roleRef.name);
  refuseMissing(policy, write, rules);
}

function refuseMissing(policy: RbacPolicy, write: RoleWrite, wanted: readonly PolicyRule[]): void {
  const { user, namespace } = write;
  const missing = missingPermissions(policy.rulesFor(user, namespace), wanted);
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.name)} (groups=${goList(user.groups)})`;
  throw refusal(write, `${who} is attempting to grant RBAC permissions not currently held:\n${describePermissions(missing)}${unresolved(policy, write)}`);
}

/** What the user might hold as well, if it were there. The original names a missing role after the resource of the request. */
function unresolved(policy: RbacPolicy, { user, namespace, resource }: RoleWrite): string {
  const dangling = policy.danglingFor(user, namespace).map(({ roleRef }) => notFound({ group: rbacGroup, resource }, roleRef.name).message);
  return dangling.length === 0 ? '' : `; resolution errors: [${dangling.join(' ')}]`;
}

function refusal({ resource, object }: RoleWrite, why: string): ApiError {
  return forbidden({ group: rbacGroup, resource }, object.metadata.name ?? '', why);
}

async function mayDo(authorizer: Authorizer, user: User, asked: Pick<AccessAttributes, 'verb' | 'resource' | 'namespace' | 'name'>): Promise<boolean> {
  const attributes = { ...asked, isResource: true, path: '', group: rbacGroup, version: '*', subresource: '', labelSelector: '', fieldSelector: '' };
  return (await authorizer(user, attributes)).decision === 'allow';
}
