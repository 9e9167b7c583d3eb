// In which order objects come into a server, so that each finds what it needs: definitions before their objects, namespaces before what is in
// them, owners before dependents, and last of all what would judge or count the others while they come.
import { parseApiVersion } from '#api/names.ts';
import type { StateObject } from '#cli/state/state-object.ts';

const firstKinds = [
  'CustomResourceDefinition',
  'Namespace',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
  'CSIDriver',
  'IngressClass',
  'Node',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'ClusterRole',
  'Role',
  'ClusterRoleBinding',
  'RoleBinding',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ServiceCIDR',
  'Service',
];

const lastKinds = [
  'Event',
  'LimitRange',
  'ResourceQuota',
  'APIService',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

/** Smaller comes first. A custom kind of one of these names is as any other. */
export function importRank({ apiVersion, kind }: Pick<StateObject, 'apiVersion' | 'kind'>): number {
  if (!isBuiltIn(parseApiVersion(apiVersion)?.group ?? '')) return 0;
  const first = firstKinds.indexOf(kind);
  if (first >= 0) return first - firstKinds.length;
  return lastKinds.indexOf(kind) + 1;
}

function isBuiltIn(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** By rank, owners before their dependents. What owns each other in a circle stays in the order given. */
export function inImportOrder(objects: readonly StateObject[]): StateObject[] {
  const byUid = new Map(objects.flatMap((object) => (object.metadata.uid === undefined ? [] : [[object.metadata.uid, object] as const])));
  const ownersOf = ({ metadata }: StateObject) => (metadata.ownerReferences ?? []).flatMap(({ uid }) => byUid.get(uid) ?? []);
  const ordered = new Set<StateObject>();
  const ranked = objects.map((object) => ({ object, rank: importRank(object) })).sort((one, other) => one.rank - other.rank);
  for (const { object } of ranked) placeWithOwners(object, ownersOf, ordered);
  return [...ordered];
}

/** Without recursion: a chain of owners may be as long as the file. */
function placeWithOwners(object: StateObject, ownersOf: (object: StateObject) => readonly StateObject[], ordered: Set<StateObject>): void {
  const chain = [object];
  const waiting = new Set<StateObject>();
  for (let next = chain.at(-1); next !== undefined; next = chain.at(-1)) {
    waiting.add(next);
    const owner = ordered.has(next) ? undefined : ownersOf(next).find((one) => !ordered.has(one) && !waiting.has(one));
    if (owner !== undefined) chain.push(owner);
    else {
      ordered.add(next);
      chain.pop();
    }
  }
}
