// Which volume fits a claim. Pure: the binder asks for any node, the scheduler for one.
import { labelSelectorFrom } from '#api/label-selector.ts';
import { compareQuantities, parseQuantity, type Quantity, valueOfQuantity } from '#base/quantity.ts';
import { classOf, isMeantFor, type StoredClaim, type StoredVolume } from '#controllers/volumes/storage-objects.ts';

export interface FindOptions {
  /** A volume is chosen when a node is: until then only one that is meant for the claim fits. */
  readonly delayBinding?: boolean;
  /** Can the volume be used where it is wanted? By default anywhere. */
  readonly isReachable?: (volume: StoredVolume) => boolean;
}

/** As `smallestVolume`, but those with fewer access modes come first: the others may be needed by claims that ask for more. */
export function findVolume(claim: StoredClaim, volumes: readonly StoredVolume[], options: FindOptions = {}): StoredVolume | undefined {
  const modesOf = ({ spec }: StoredVolume) => new Set(spec.accessModes).size;
  const allowed = volumes.filter((volume) => allows(volume, claim));
  for (const count of [...new Set(allowed.map(modesOf))].sort((a, b) => a - b)) {
    const ofCount = allowed.filter((volume) => modesOf(volume) === count);
    const found = smallestVolume(claim, ofCount, options);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of those that fit, the smallest; one that is meant for the claim before all others, and none where that cannot be reached. */
export function smallestVolume(claim: StoredClaim, volumes: readonly StoredVolume[], options: FindOptions = {}): StoredVolume | undefined {
  const { delayBinding = false, isReachable = () => true } = options;
  const wanted = storageOf(claim.spec.resources?.requests);
  const selector = claim.spec.selector && labelSelectorFrom(claim.spec.selector);
  let best: { readonly volume: StoredVolume; readonly size: Quantity } | undefined;
  for (const volume of volumes) {
    if (!isUsable(volume, claim, wanted)) continue;
    if (isMeantFor(volume, claim)) return isReachable(volume) ? volume : undefined;
    if (delayBinding || volume.status?.phase !== 'Available' || classOf(volume) !== classOf(claim)) continue;
    if (!allows(volume, claim) || selector?.matches(volume.metadata.labels) === false || !isReachable(volume)) continue;
    const size = storageOf(volume.spec.capacity);
    if (best === undefined || compareQuantities(size, best.size) < 0) best = { volume, size };
  }
  return best?.volume;
}

/** Large enough, of the right mode, and not somebody else's. */
function isUsable(volume: StoredVolume, claim: StoredClaim, wanted: Quantity): boolean {
  if (volume.metadata.deletionTimestamp !== undefined) return false;
  if (volume.spec.claimRef !== undefined && !isMeantFor(volume, claim)) return false;
  return (
    compareQuantities(storageOf(volume.spec.capacity), wanted) >= 0 &&
    modeOf(volume) === modeOf(claim) &&
    attributesClassOf(volume) === attributesClassOf(claim)
  );
}

/** Why the volume that a claim asks for by name cannot be bound to it, in the words of the original. */
export function mismatchOf(volume: StoredVolume, claim: StoredClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) return `the volume is marked for deletion ${JSON.stringify(volume.metadata.name)}`;
  const [size, wanted] = [storageOf(volume.spec.capacity), storageOf(claim.spec.resources?.requests)];
  if (valueOfQuantity(size) < valueOfQuantity(wanted)) return 'requested PV is too small';
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if (attributesClassOf(volume) !== attributesClassOf(claim)) return 'volumeAttributesClassName does not match';
  if (modeOf(volume) !== modeOf(claim)) return 'incompatible volumeMode';
  return allows(volume, claim) ? undefined : 'incompatible accessMode';
}

export function modeOf({ spec }: StoredVolume | StoredClaim): string {
  return spec.volumeMode ?? 'Filesystem';
}

export function storageOf(amounts: Readonly<Record<string, string>> | undefined): Quantity {
  return parseQuantity(amounts?.['storage'] ?? '0');
}

function attributesClassOf({ spec }: StoredVolume | StoredClaim): string {
  return spec.volumeAttributesClassName ?? '';
}

function allows({ spec }: StoredVolume, claim: StoredClaim): boolean {
  return (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode));
}
