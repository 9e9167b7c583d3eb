// The rules of a pod's volumes. Sources with little to say are in volume-source-validation.ts.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123LabelProblems, dns1123SubdomainProblems } from '#base/formats.ts';
import type { ObjectMeta } from '#api/object.ts';
import { validateClaimTemplate } from '#kinds/core/v1/volume/persistent-volume-claim-spec-validation.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { validateProjectedSource } from '#kinds/core/v1/volume/projected-volume-validation.ts';
import type {
  ConfigMapVolumeSource,
  CSIVolumeSource,
  DownwardAPIVolumeSource,
  EphemeralVolumeSource,
  ImageVolumeSource,
  ISCSIVolumeSource,
  SecretVolumeSource,
  Volume,
} from '#kinds/core/v1/volume/volume.ts';
import { validateDownwardApiFile, validateKeyToPath } from '#kinds/core/v1/volume/volume-file-validation.ts';
import * as sources from '#kinds/core/v1/volume/volume-source-validation.ts';
import { validateFileMode } from '#kinds/rules/paths.ts';
import { quantitySign } from '#kinds/rules/quantities.ts';
import { validateChoice } from '#kinds/rules/values.ts';

type SourceName = Exclude<keyof Volume, 'name'>;
type SourceRule<T> = (source: T, path: string, errors: FieldErrors, rules: PodRules) => void;

interface SourceEntry {
  readonly name: SourceName;
  readonly rule: SourceRule<never>;
  /** The names that the original's messages use where they are not the field's. */
  readonly shownAs?: string;
  readonly shownAsSecond?: string;
}

/** In the order in which the original looks: of two sources the later one is refused. */
const sourceTable: readonly SourceEntry[] = [
  { name: 'emptyDir', rule: validateEmptyDir },
  { name: 'hostPath', rule: sources.validateHostPath },
  { name: 'gitRepo', rule: sources.validateGitRepo },
  { name: 'gcePersistentDisk', rule: sources.validateGcePersistentDisk, shownAs: 'persistentDisk' },
  { name: 'awsElasticBlockStore', rule: sources.validateAwsElasticBlockStore },
  { name: 'secret', rule: validateSecretSource },
  { name: 'nfs', rule: sources.validateNfs },
  { name: 'iscsi', rule: sources.validateIscsi },
  { name: 'glusterfs', rule: sources.validateGlusterfs },
  { name: 'flocker', rule: sources.validateFlocker },
  { name: 'persistentVolumeClaim', rule: sources.requireFields('claimName') },
  { name: 'rbd', rule: sources.requireFields('monitors', 'image') },
  { name: 'cinder', rule: sources.validateCinder },
  { name: 'cephfs', rule: sources.requireFields('monitors'), shownAsSecond: 'cephFS' },
  { name: 'quobyte', rule: sources.validateQuobyte },
  { name: 'downwardAPI', rule: validateDownwardApi, shownAsSecond: 'downwarAPI' },
  { name: 'fc', rule: sources.validateFibreChannel },
  { name: 'flexVolume', rule: sources.validateFlexVolume },
  { name: 'configMap', rule: validateConfigMapSource },
  { name: 'azureFile', rule: sources.requireFields('secretName', 'shareName') },
  { name: 'vsphereVolume', rule: sources.requireFields('volumePath') },
  { name: 'photonPersistentDisk', rule: sources.requireFields('pdID') },
  { name: 'portworxVolume', rule: sources.requireFields('volumeID') },
  { name: 'azureDisk', rule: sources.validateAzureDisk },
  { name: 'storageos', rule: sources.validateStorageOs },
  { name: 'projected', rule: validateProjectedSource },
  { name: 'scaleIO', rule: sources.requireFields('gateway', 'system', 'volumeName') },
  { name: 'csi', rule: validateCsi },
  { name: 'ephemeral', rule: validateEphemeral },
  { name: 'image', rule: validateImage },
];
const entryOf = new Map<string, SourceEntry>(sourceTable.map((entry) => [entry.name, entry]));

/** The volumes with nothing wrong, by name: only those can be mounted. */
export type ValidVolumes = ReadonlyMap<string, Volume>;

export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  pod: ObjectMeta | undefined,
  path: string,
  errors: FieldErrors,
  rules: PodRules,
): ValidVolumes {
  const valid = new Map<string, Volume>();
  const created = claimsToCreate(volumes, pod);
  volumes?.forEach((volume, index) => {
    const at = `${path}[${index}]`;
    const before = errors.list.length;
    validateSource(volume, pod, at, errors, rules);
    if (volume.name === '') errors.required(`${at}.name`);
    else errors.invalidEach(`${at}.name`, volume.name, dns1123LabelProblems(volume.name));
    if (valid.has(volume.name)) errors.duplicate(`${at}.name`, volume.name);
    if (errors.list.length === before) valid.set(volume.name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) {
      errors.invalid(`${at}.persistentVolumeClaim.claimName`, claim, 'must not reference a PVC that gets created for an ephemeral volume');
    }
  });
  return valid;
}

function claimsToCreate(volumes: readonly Volume[] | undefined, pod: ObjectMeta | undefined): ReadonlySet<string> {
  const claims = new Set<string>();
  if (!pod?.name) return claims;
  for (const volume of volumes ?? []) if (volume.ephemeral !== undefined) claims.add(`${pod.name}-${volume.name}`);
  return claims;
}

function validateSource(volume: Volume, pod: ObjectMeta | undefined, path: string, errors: FieldErrors, rules: PodRules): void {
  const sole = soleSource(volume);
  const [first, ...others] = sole === undefined ? sourceTable.filter(({ name }) => volume[name] !== undefined) : [sole];
  if (first === undefined) errors.required(path, 'must specify a volume type');
  // The table pairs each name with the rule for its type.
  else (first.rule as SourceRule<unknown>)(volume[first.name], `${path}.${first.shownAs ?? first.name}`, errors, rules);
  if (first?.name === 'ephemeral') validateClaimName(volume.name, pod, path, errors);
  for (const { name, shownAsSecond } of others) errors.forbidden(`${path}.${shownAsSecond ?? name}`, 'may not specify more than 1 volume type');
  if (volume.iscsi !== undefined) validateInitiatorLength(volume.name, volume.iscsi, path, errors);
}

/** The usual case, found without walking the table. */
function soleSource(volume: Volume): SourceEntry | undefined {
  let found: SourceEntry | undefined;
  for (const field in volume) {
    if (field === 'name' || volume[field as SourceName] === undefined) continue;
    if (found !== undefined) return undefined;
    found = entryOf.get(field);
  }
  return found;
}

function validateClaimName(volume: string, pod: ObjectMeta | undefined, path: string, errors: FieldErrors): void {
  if (!pod?.name || volume === '') return;
  const claim = `${pod.name}-${volume}`;
  for (const problem of dns1123SubdomainProblems(claim)) errors.invalid(`${path}.name`, volume, `PVC name "${claim}": ${problem}`);
}

function validateInitiatorLength(volume: string, { initiatorName, targetPortal }: ISCSIVolumeSource, path: string, errors: FieldErrors): void {
  if (initiatorName === undefined || byteLength(`${volume}:${targetPortal}`) <= 64) return;
  const detail = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  errors.invalid(`${path}.name`, volume, detail);
}

function validateEmptyDir({ sizeLimit }: NonNullable<Volume['emptyDir']>, path: string, errors: FieldErrors): void {
  if (sizeLimit !== undefined && quantitySign(sizeLimit) < 0) errors.forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
}

function validateSecretSource(source: SecretVolumeSource, path: string, errors: FieldErrors): void {
  if (!source.secretName) errors.required(`${path}.secretName`);
  validateFileMode(source.defaultMode, `${path}.defaultMode`, errors);
  source.items?.forEach((item, index) => validateKeyToPath(item, `${path}.items[${index}]`, errors));
}

function validateConfigMapSource(source: ConfigMapVolumeSource, path: string, errors: FieldErrors): void {
  if (!source.name) errors.required(`${path}.name`);
  validateFileMode(source.defaultMode, `${path}.defaultMode`, errors);
  source.items?.forEach((item, index) => validateKeyToPath(item, `${path}.items[${index}]`, errors));
}

function validateDownwardApi(source: DownwardAPIVolumeSource, path: string, errors: FieldErrors): void {
  validateFileMode(source.defaultMode, `${path}.defaultMode`, errors);
  // Upstream reports all files of a source at the source.
  for (const file of source.items ?? []) validateDownwardApiFile(file, path, errors);
}

function validateCsi({ driver, nodePublishSecretRef }: CSIVolumeSource, path: string, errors: FieldErrors): void {
  validateCsiDriverName(driver, `${path}.driver`, errors);
  if (nodePublishSecretRef === undefined) return;
  const { name } = nodePublishSecretRef;
  if (!name) errors.required(`${path}.nodePublishSecretRef.name`);
  else errors.invalidEach(`${path}.name`, name, dns1123SubdomainProblems(name));
}

export function validateCsiDriverName(driver: string, path: string, errors: FieldErrors): void {
  if (driver === '') return errors.required(path);
  if (byteLength(driver) > 63) errors.tooLong(path, 63);
  errors.invalidEach(path, driver, dns1123SubdomainProblems(driver.toLowerCase()));
}

function validateEphemeral({ volumeClaimTemplate }: EphemeralVolumeSource, path: string, errors: FieldErrors): void {
  if (volumeClaimTemplate === undefined) errors.required(`${path}.volumeClaimTemplate`);
  else validateClaimTemplate(volumeClaimTemplate, `${path}.volumeClaimTemplate`, errors);
}

function validateImage({ reference, pullPolicy }: ImageVolumeSource, path: string, errors: FieldErrors, rules: PodRules): void {
  if (rules.isPod && !reference) errors.required(`${path}.reference`);
  validateChoice(pullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.pullPolicy`, errors);
}
