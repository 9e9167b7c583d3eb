// The claims of a numbered pod: made from the templates of its StatefulSet, and owned by the set or the pod where the retention policy says
// that they go with them.
import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import { kinds } from '#client/kinds.ts';
import { controllerReference, type OwnerKind } from '#controllers/workloads/owner.ts';
import { isInRange, ordinalOf, type StoredStatefulSet } from '#controllers/workloads/stateful-set/ordinals.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';

export type StoredClaim = PersistentVolumeClaim & KubernetesObject;
/** A pod that is there has a uid. */
export type ClaimingPod = { readonly metadata: { readonly name: string; readonly uid: string } };
type Volume = { readonly name: string; readonly persistentVolumeClaim?: { readonly claimName: string } | undefined };

export function claimName({ metadata }: StoredStatefulSet, template: StoredClaim, ordinal: number): string {
  return `${template.metadata.name}-${metadata.name}-${ordinal}`;
}

function templatesOf({ spec }: StoredStatefulSet): readonly StoredClaim[] {
  return (spec.volumeClaimTemplates ?? []) as unknown as readonly StoredClaim[];
}

export function claimNames(set: StoredStatefulSet, podName: string): readonly string[] {
  return templatesOf(set).map((template) => claimName(set, template, ordinalOf(podName)));
}

/** Those that a pod needs, with the labels by which its set selects. */
export function claimsOf(set: StoredStatefulSet, podName: string): readonly StoredClaim[] {
  const { namespace } = set.metadata;
  return templatesOf(set).map((template) => {
    const labels = { ...template.metadata.labels, ...(set.spec.selector?.matchLabels as Record<string, string> | undefined) };
    const name = claimName(set, template, ordinalOf(podName));
    return { ...template, metadata: { ...template.metadata, name, namespace, labels } };
  });
}

/** The volumes of a template, with the pod's claims in the place of those that have their names. */
export function volumesWith(set: StoredStatefulSet, podName: string, volumes: readonly Volume[]): readonly Volume[] {
  const ordinal = ordinalOf(podName);
  const claimed = templatesOf(set).map((template) => ({
    name: template.metadata.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  return [...claimed, ...volumes.filter(({ name }) => !names.has(name))];
}

export function storageMatches(set: StoredStatefulSet, podName: string, volumes: readonly Volume[]): boolean {
  const ordinal = ordinalOf(podName);
  return templatesOf(set).every((template) =>
    volumes.some(({ name, persistentVolumeClaim: claim }) => name === template.metadata.name && claim?.claimName === claimName(set, template, ordinal)),
  );
}

interface Owner {
  readonly kind: OwnerKind;
  readonly object: KubernetesObject;
}

function setOwner(set: StoredStatefulSet): Owner {
  return { kind: kinds.statefulSets, object: set };
}

function podOwner(pod: ClaimingPod): Owner {
  return { kind: kinds.pods, object: pod as KubernetesObject };
}

function names({ apiVersion, kind, name }: OwnerReference, owner: Owner): boolean {
  const of = controllerReference(owner.kind, owner.object);
  return apiVersion === of.apiVersion && kind === of.kind && name === of.name;
}

function refersTo({ uid }: OwnerReference, { object }: Owner): boolean {
  return uid === object.metadata.uid;
}

function policyOf({ spec }: StoredStatefulSet): { readonly whenDeleted: boolean; readonly whenScaled: boolean } {
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return { whenDeleted: whenDeleted === 'Delete', whenScaled: whenScaled === 'Delete' };
}

/** The claim belongs to an earlier pod or set of the same name: it will go with that one. */
function hasStaleOwner({ metadata }: StoredClaim, owner: Owner): boolean {
  const named = metadata.ownerReferences?.find((reference) => names(reference, owner));
  return named !== undefined && !refersTo(named, owner);
}

/** True: a pod of this name must not be made yet. */
export function isStaleClaim(set: StoredStatefulSet, claim: StoredClaim, podName: string): boolean {
  return policyOf(set).whenScaled && hasStaleOwner(claim, podOwner({ metadata: { name: podName, uid: '' } }));
}

/** Another controller decides about the claim. */
export function hasOtherController(set: StoredStatefulSet, claim: StoredClaim, pod: ClaimingPod): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  if (!whenDeleted && !whenScaled) return false;
  const own = [setOwner(set), podOwner(pod)];
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    const named = own.find((owner) => names(reference, owner));
    return named ? !refersTo(reference, named) : reference.controller === true;
  });
}

/** Undefined: the claim has the owners that the retention policy wants. */
export function neededOwners(set: StoredStatefulSet, claim: StoredClaim, pod: ClaimingPod): readonly OwnerReference[] | undefined {
  const own = [setOwner(set), podOwner(pod)];
  if (own.some((owner) => hasStaleOwner(claim, owner))) return undefined;
  const { ownerReferences: before = [] } = claim.metadata;
  const others = before.filter((reference) => !own.some((owner) => names(reference, owner)));
  const isForeign = hasOtherController(set, claim, pod);
  const wanted = isForeign ? [] : own.filter((owner) => isWanted(set, pod, owner)).map(({ kind, object }) => controllerReference(kind, object));
  const mine = before.filter((reference) => own.some((owner) => refersTo(reference, owner)));
  if (isForeign && mine.length === 0) return undefined;
  const isSame = mine.length === wanted.length && wanted.every((one) => mine.some(({ uid, controller }) => uid === one.uid && controller === true));
  return isSame || isDeepStrictEqual(before, [...others, ...wanted]) ? undefined : [...others, ...wanted];
}

function isWanted(set: StoredStatefulSet, pod: ClaimingPod, { kind }: Owner): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  const isScaledDown = !isInRange(set, ordinalOf(pod.metadata.name));
  if (kind.kind === 'StatefulSet') return whenDeleted && !(whenScaled && isScaledDown);
  return whenScaled && isScaledDown;
}
