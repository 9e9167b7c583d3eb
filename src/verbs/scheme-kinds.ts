// Kinds that the original's scheme still reads although no server offers them (by default): a body of such a kind is
// refused for its version, not for being unknown.
import type { GroupVersionKind } from '#api/names.ts';

const readKinds: Readonly<Record<string, string>> = {
  '/v1':
    'List Status APIVersions APIGroup APIGroupList APIResourceList PodStatusResult RangeAllocation SerializedReference PodAttachOptions PodExecOptions PodLogOptions PodPortForwardOptions PodProxyOptions NodeProxyOptions ServiceProxyOptions',
  'admissionregistration.k8s.io/v1alpha1': 'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1beta1':
    'ValidatingWebhookConfiguration MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding',
  'apiextensions.k8s.io/v1': 'ConversionReview',
  'apiextensions.k8s.io/v1beta1': 'CustomResourceDefinition ConversionReview',
  'apiregistration.k8s.io/v1beta1': 'APIService',
  'apps/v1beta1': 'Deployment Scale StatefulSet ControllerRevision',
  'apps/v1beta2': 'Deployment Scale StatefulSet DaemonSet ReplicaSet ControllerRevision',
  'authentication.k8s.io/v1': 'TokenRequest',
  'authentication.k8s.io/v1alpha1': 'SelfSubjectReview',
  'authentication.k8s.io/v1beta1': 'SelfSubjectReview TokenReview',
  'authorization.k8s.io/v1beta1': 'SelfSubjectRulesReview SelfSubjectAccessReview SubjectAccessReview LocalSubjectAccessReview',
  'autoscaling/v1': 'Scale',
  'batch/v1beta1': 'CronJob',
  'certificates.k8s.io/v1alpha1': 'ClusterTrustBundle',
  'certificates.k8s.io/v1beta1': 'CertificateSigningRequest ClusterTrustBundle PodCertificateRequest',
  'coordination.k8s.io/v1alpha2': 'LeaseCandidate',
  'coordination.k8s.io/v1beta1': 'Lease LeaseCandidate',
  'discovery.k8s.io/v1beta1': 'EndpointSlice',
  'events.k8s.io/v1beta1': 'Event',
  'extensions/v1beta1': 'Deployment Scale DaemonSet Ingress ReplicaSet NetworkPolicy',
  'flowcontrol.apiserver.k8s.io/v1beta1': 'FlowSchema PriorityLevelConfiguration',
  'flowcontrol.apiserver.k8s.io/v1beta2': 'FlowSchema PriorityLevelConfiguration',
  'flowcontrol.apiserver.k8s.io/v1beta3': 'FlowSchema PriorityLevelConfiguration',
  'imagepolicy.k8s.io/v1alpha1': 'ImageReview',
  'internal.apiserver.k8s.io/v1alpha1': 'StorageVersion',
  'networking.k8s.io/v1beta1': 'Ingress IngressClass IPAddress ServiceCIDR',
  'node.k8s.io/v1alpha1': 'RuntimeClass',
  'node.k8s.io/v1beta1': 'RuntimeClass',
  'policy/v1': 'Eviction',
  'policy/v1beta1': 'PodDisruptionBudget Eviction',
  'rbac.authorization.k8s.io/v1alpha1': 'Role RoleBinding ClusterRole ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1beta1': 'Role RoleBinding ClusterRole ClusterRoleBinding',
  'resource.k8s.io/v1alpha3': 'DeviceTaintRule ResourcePoolStatusRequest',
  'resource.k8s.io/v1beta1': 'DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice',
  'resource.k8s.io/v1beta2': 'DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice',
  'scheduling.k8s.io/v1alpha2': 'Workload PodGroup',
  'scheduling.k8s.io/v1beta1': 'PriorityClass',
  'storage.k8s.io/v1alpha1': 'VolumeAttachment CSIStorageCapacity VolumeAttributesClass',
  'storage.k8s.io/v1beta1': 'StorageClass VolumeAttachment CSIDriver CSINode CSIStorageCapacity VolumeAttributesClass',
  'storagemigration.k8s.io/v1beta1': 'StorageVersionMigration',
};

/** Part of every version of every group. */
const commonKinds = ['CreateOptions', 'DeleteOptions', 'GetOptions', 'ListOptions', 'PatchOptions', 'UpdateOptions', 'WatchEvent'];

/** `served`: some kind of this group and version is offered. */
export function isReadKind({ group, version, kind }: GroupVersionKind, served: boolean): boolean {
  const known = readKinds[`${group}/${version}`]?.split(' ');
  if (commonKinds.includes(kind)) return served || known !== undefined;
  return known?.some((name) => name === kind || `${name}List` === kind) ?? false;
}

/** The original's extensions and aggregation are servers of their own: their schemes know nothing of other groups, nor does another know of theirs. */
const ownSchemes = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

const schemeOf = (group: string): string => (ownSchemes.includes(group) ? group : '');

/** In every scheme. */
const metaKinds = ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList', ...commonKinds];

/** Where objects of one group are read, those of the other are known too. */
export function isInSchemeOf(group: string, found: GroupVersionKind): boolean {
  if (found.group === '' && found.version === 'v1' && metaKinds.includes(found.kind)) return true;
  return schemeOf(group) === schemeOf(found.group);
}

/** The Go package of a type: `v1`, whatever the version under which a common kind is registered. */
export function versionPackage({ version, kind }: GroupVersionKind): string {
  return commonKinds.includes(kind) ? 'v1' : version;
}

/** Groups that moved: their kinds are one and the same inside the original. */
const movedGroups: Readonly<Record<string, readonly string[]>> = {
  extensions: ['apps', 'networking.k8s.io'],
  'events.k8s.io': [''],
  '': ['events.k8s.io'],
};

/** Every group that could be scaled had one of its own, until they became one. */
const scaleGroups = ['autoscaling', 'apps', 'extensions'];

/** Is it the same thing in another version? */
export function isSameKind(found: GroupVersionKind, expected: GroupVersionKind): boolean {
  if (found.kind !== expected.kind) return false;
  if (found.kind === 'Scale') return scaleGroups.includes(found.group);
  return found.group === expected.group || (movedGroups[found.group]?.includes(expected.group) ?? false);
}
