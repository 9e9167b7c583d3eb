// What a server puts into its store before it counts as started. All of it through the API, all of it idempotent.
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { ensureAll } from '#controllers/bootstrap/ensure.ts';
import { bootstrapFlowControl } from '#controllers/bootstrap/flow-control.ts';
import { bootstrapRbac } from '#controllers/bootstrap/rbac.ts';
import { beginAuthentication, renewIdentity, type ServerFacts, startTokenTracking } from '#controllers/bootstrap/server-objects.ts';

/** By the name of the start-up check that waits for it. */
export interface BootstrapStep {
  readonly hook:
    | 'start-system-namespaces-controller'
    | 'rbac/bootstrap-roles'
    | 'scheduling/bootstrap-system-priority-classes'
    | 'priority-and-fairness-config-producer'
    | 'start-cluster-authentication-info-controller'
    | 'start-legacy-token-tracking-controller'
    | 'start-kube-apiserver-identity-lease-controller';
  readonly run: (client: RestClient, facts: ServerFacts) => Promise<void>;
  /** Done again while the server runs: nothing that a start depends on. */
  readonly isRepeated?: true;
  /** All of its objects are among those that the build prepares for first starts. */
  readonly isPrepared?: true;
}

const namespaces: ResourceAddress = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };
const priorityClasses: ResourceAddress = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses', namespaced: false };

export const bootstrapSteps: readonly BootstrapStep[] = [
  { hook: 'start-system-namespaces-controller', run: (client) => ensureAll(client, namespaces, systemNamespaces), isPrepared: true },
  { hook: 'rbac/bootstrap-roles', run: bootstrapRbac, isPrepared: true },
  { hook: 'scheduling/bootstrap-system-priority-classes', run: (client) => ensureAll(client, priorityClasses, systemPriorityClasses), isPrepared: true },
  { hook: 'priority-and-fairness-config-producer', run: bootstrapFlowControl, isPrepared: true },
  { hook: 'start-cluster-authentication-info-controller', run: beginAuthentication, isRepeated: true },
  { hook: 'start-legacy-token-tracking-controller', run: startTokenTracking },
  { hook: 'start-kube-apiserver-identity-lease-controller', run: renewIdentity, isRepeated: true },
];

const systemNamespaces: readonly KubernetesObject[] = ['kube-system', 'kube-public', 'kube-node-lease', 'default'].map((name) => ({
  kind: 'Namespace',
  metadata: { name },
}));

const systemPriorityClasses: readonly KubernetesObject[] = [
  {
    kind: 'PriorityClass',
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    kind: 'PriorityClass',
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];
