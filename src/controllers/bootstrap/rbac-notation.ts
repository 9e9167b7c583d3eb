// How the bootstrap policy is written down, and the objects it stands for.
import type { KubernetesObject } from '#api/object.ts';

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface BootstrapRole {
  readonly name: string;
  readonly namespace?: string;
  readonly rules: readonly Rule[];
  /** The rules go into every role that aggregates this name. */
  readonly aggregatesTo?: string;
  readonly aggregates?: readonly string[];
}

export interface BootstrapBinding {
  readonly name: string;
  readonly namespace?: string;
  /** `Kind/name`. */
  readonly role: string;
  /** `Kind/name`, service accounts `ServiceAccount/namespace/name`. */
  readonly subjects: readonly string[];
}

const rbacGroup = 'rbac.authorization.k8s.io';

export function allow(verbs: string, groups: string, resources: string, names?: string): Rule {
  const apiGroups = words(groups).map((group) => (group === 'core' ? '' : group));
  return { verbs: words(verbs), apiGroups, resources: words(resources), ...(names !== undefined && { resourceNames: words(names) }) };
}

export function urls(verbs: string, paths: string): Rule {
  return { verbs: words(verbs), nonResourceURLs: words(paths) };
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

export function roleObject({ name, namespace, rules, aggregatesTo, aggregates }: BootstrapRole): KubernetesObject {
  const labels = aggregatesTo === undefined ? {} : { [aggregationLabel(aggregatesTo)]: 'true' };
  const aggregationRule = aggregates && { clusterRoleSelectors: aggregates.map((into) => ({ matchLabels: { [aggregationLabel(into)]: 'true' } })) };
  return {
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: metadataOf(name, namespace, labels),
    // Rules of an aggregating role are not ours to own, not even as an empty list.
    rules: aggregationRule === undefined ? rules : null,
    ...(aggregationRule && { aggregationRule }),
  };
}

function aggregationLabel(name: string): string {
  return `${rbacGroup}/aggregate-to-${name}`;
}

export function bindingObject({ name, namespace, role, subjects }: BootstrapBinding): KubernetesObject {
  const [kind, roleName] = splitOnce(role);
  return {
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: metadataOf(name, namespace, {}),
    roleRef: { apiGroup: rbacGroup, kind, name: roleName },
    subjects: subjects.map(subjectOf),
  };
}

function subjectOf(text: string): object {
  const [kind, rest] = splitOnce(text);
  if (kind !== 'ServiceAccount') return { apiGroup: rbacGroup, kind, name: rest };
  const [namespace, name] = splitOnce(rest);
  return { kind, name, namespace };
}

function splitOnce(text: string): [string, string] {
  const cut = text.indexOf('/');
  return [text.slice(0, cut), text.slice(cut + 1)];
}

function metadataOf(name: string, namespace: string | undefined, labels: Record<string, string>): KubernetesObject['metadata'] {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
}
