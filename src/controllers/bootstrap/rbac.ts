// The default policy: missing roles and bindings are made, existing ones get what they lack and keep what was added.
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { ensureAll, type Reconcile } from '#controllers/bootstrap/ensure.ts';
import { bindingObject, roleObject, type Rule } from '#controllers/bootstrap/rbac-notation.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '#controllers/bootstrap/rbac-policy.ts';

const autoupdate = 'rbac.authorization.kubernetes.io/autoupdate';

export async function bootstrapRbac(client: RestClient): Promise<void> {
  await ensureAll(client, rbac('clusterroles', false), clusterRoles.map(roleObject), addMissing('rules'));
  await ensureAll(client, rbac('clusterrolebindings', false), clusterRoleBindings.map(bindingObject), reconcileBinding);
  await ensureAll(client, rbac('roles', true), roles.map(roleObject), addMissing('rules'));
  await ensureAll(client, rbac('rolebindings', true), roleBindings.map(bindingObject), reconcileBinding);
}

function rbac(resource: string, namespaced: boolean): ResourceAddress {
  return { group: 'rbac.authorization.k8s.io', version: 'v1', resource, namespaced };
}

/** A binding's roleRef cannot be changed, so a binding to another role is made anew. */
const reconcileBinding: Reconcile = (stored, wanted) => {
  if (isProtected(stored)) return undefined;
  if (JSON.stringify(sorted(stored['roleRef'])) !== JSON.stringify(sorted(wanted['roleRef']))) return 'recreate';
  return addMissing('subjects')(stored, wanted);
};

function isProtected({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[autoupdate] === 'false';
}

function addMissing(field: 'rules' | 'subjects'): Reconcile {
  return (stored, wanted) => {
    if (isProtected(stored)) return undefined;
    const missing = stored['aggregationRule'] ? [] : missingFrom(stored[field] as readonly Rule[], (wanted[field] as readonly Rule[] | null) ?? []);
    const labels = { ...wanted.metadata.labels, ...stored.metadata.labels };
    const annotations = { ...wanted.metadata.annotations, ...stored.metadata.annotations };
    const complete = missing.length === 0 && sameSize(labels, stored.metadata.labels) && sameSize(annotations, stored.metadata.annotations);
    if (complete) return undefined;
    return { ...stored, metadata: { ...stored.metadata, labels, annotations }, [field]: [...((stored[field] as readonly unknown[] | null) ?? []), ...missing] };
  };
}

function missingFrom(stored: readonly unknown[] | null | undefined, wanted: readonly unknown[]): readonly unknown[] {
  const there = new Set((stored ?? []).map((item) => JSON.stringify(sorted(item))));
  return wanted.filter((item) => !there.has(JSON.stringify(sorted(item))));
}

/** With members in one order, so that equal values have equal texts. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function sameSize(merged: Record<string, string>, stored: Record<string, string> | undefined): boolean {
  return Object.keys(merged).length === Object.keys(stored ?? {}).length;
}
