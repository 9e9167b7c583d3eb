// Which volume a claim could be bound to on a node: the smallest that is large enough, free, and can be reached from there.
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import { compareQuantities, parseQuantity, type Quantity } from '#base/quantity.ts';
import { type NodeName, nodeSelectorTest } from '#scheduler/cluster/node-selection.ts';
import { classOfClaim, classOfVolume, type StoredClaim, type StoredVolume } from '#scheduler/volumes/volume-world.ts';

/** `taken` are volumes that other claims of the same pod get. */
export function findVolume(claim: StoredClaim, volumes: readonly StoredVolume[], node: NodeName, taken: ReadonlySet<string>): StoredVolume | undefined {
  const wanted = sizeOf(claim.spec?.resources?.requests);
  const selector = claim.spec?.selector && labelSelectorFrom(claim.spec.selector as LabelSelectorObject);
  let best: { readonly volume: StoredVolume; readonly size: Quantity } | undefined;
  for (const volume of volumes) {
    const { name = '', labels } = volume.metadata;
    if (taken.has(name) || !couldServe(claim, volume, wanted)) continue;
    const isReachable = reaches(volume, node);
    if (isBoundTo(volume, claim)) return isReachable ? volume : undefined;
    if (volume.status?.phase !== 'Available' || !isReachable || selector?.matches(labels) === false) continue;
    if (classOfVolume(volume) !== classOfClaim(claim) || !hasModes(volume, claim)) continue;
    const size = sizeOf(volume.spec?.capacity);
    if (best === undefined || compareQuantities(best.size, size) > 0) best = { volume, size };
  }
  return best?.volume;
}

function couldServe(claim: StoredClaim, volume: StoredVolume, wanted: Quantity): boolean {
  if (volume.spec?.claimRef !== undefined && !isBoundTo(volume, claim)) return false;
  if (compareQuantities(sizeOf(volume.spec?.capacity), wanted) < 0) return false;
  if ((claim.spec?.volumeMode ?? 'Filesystem') !== (volume.spec?.volumeMode ?? 'Filesystem')) return false;
  if ((claim.spec?.volumeAttributesClassName ?? '') !== (volume.spec?.volumeAttributesClassName ?? '')) return false;
  return volume.metadata.deletionTimestamp === undefined;
}

export function isBoundTo({ spec }: StoredVolume, { metadata: { namespace, name, uid } }: StoredClaim): boolean {
  const reference = spec?.claimRef;
  if (reference === undefined || reference.name !== name || reference.namespace !== namespace) return false;
  return !reference.uid || reference.uid === uid;
}

/** Can the volume be used from the node? */
export function reaches({ spec }: StoredVolume, { labels }: NodeName): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || nodeSelectorTest(required)({ name: '', labels });
}

function hasModes(volume: StoredVolume, claim: StoredClaim): boolean {
  const offered = new Set(volume.spec?.accessModes ?? []);
  return (claim.spec?.accessModes ?? []).every((mode) => offered.has(mode));
}

export function sizeOf(amounts: Readonly<Record<string, string>> | undefined): Quantity {
  return parseQuantity(amounts?.['storage'] ?? '0');
}
