// The sources of persistent volumes. Those that pods share are in volume-source-validation.ts.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123LabelProblems, dns1123SubdomainProblems } from '#base/formats.ts';
import type {
  AzureFilePersistentVolumeSource,
  CinderPersistentVolumeSource,
  CSIPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  PersistentVolumeSource,
  PersistentVolumeSpec,
  StorageOSPersistentVolumeSource,
} from '#kinds/core/v1/volume/persistent-volume-spec.ts';
import type { SecretReference } from '#kinds/core/v1/references.ts';
import * as sources from '#kinds/core/v1/volume/volume-source-validation.ts';
import { validateCsiDriverName } from '#kinds/core/v1/volume/volume-validation.ts';
import { validateNoBacksteps } from '#kinds/rules/paths.ts';

type SourceName = keyof PersistentVolumeSource;
type SourceRule = (source: never, path: string, errors: FieldErrors, volume: string) => void;

interface SourceEntry {
  readonly name: SourceName;
  readonly rule: SourceRule;
  /** The names that the original's messages use where they are not the field's. */
  readonly shownAs?: string;
  readonly shownAsSecond?: string;
}

/** In the order in which the original looks: of two sources the later one is refused. */
const sourceTable: readonly SourceEntry[] = [
  { name: 'hostPath', rule: sources.validateHostPath },
  { name: 'gcePersistentDisk', rule: sources.validateGcePersistentDisk, shownAs: 'persistentDisk' },
  { name: 'awsElasticBlockStore', rule: sources.validateAwsElasticBlockStore },
  { name: 'glusterfs', rule: validateGlusterfs },
  { name: 'flocker', rule: sources.validateFlocker },
  { name: 'nfs', rule: sources.validateNfs },
  { name: 'rbd', rule: sources.requireFields('monitors', 'image') },
  { name: 'quobyte', rule: sources.validateQuobyte },
  { name: 'cephfs', rule: sources.requireFields('monitors'), shownAsSecond: 'cephFS' },
  { name: 'iscsi', rule: validateIscsi },
  { name: 'cinder', rule: validateCinder },
  { name: 'fc', rule: sources.validateFibreChannel },
  { name: 'flexVolume', rule: sources.validateFlexVolume },
  { name: 'azureFile', rule: validateAzureFile },
  { name: 'vsphereVolume', rule: sources.requireFields('volumePath') },
  { name: 'photonPersistentDisk', rule: sources.requireFields('pdID') },
  { name: 'portworxVolume', rule: sources.requireFields('volumeID') },
  { name: 'azureDisk', rule: sources.validateAzureDisk },
  { name: 'scaleIO', rule: sources.requireFields('gateway', 'system', 'volumeName') },
  { name: 'local', rule: validateLocal },
  { name: 'storageos', rule: validateStorageOs },
  { name: 'csi', rule: validateCsi },
];

/** Exactly one source; `volume` is the name of the object, '' inside others. */
export function validatePersistentSource(spec: PersistentVolumeSpec, volume: string, path: string, errors: FieldErrors): void {
  let found = 0;
  for (const { name, rule, shownAs = name, shownAsSecond = name } of sourceTable) {
    const source = spec[name];
    if (source === undefined) continue;
    // Flex volumes are not counted against others.
    if (found > 0 && name !== 'flexVolume') errors.forbidden(`${path}.${shownAsSecond}`, 'may not specify more than 1 volume type');
    else {
      found++;
      (rule as (source: unknown, path: string, errors: FieldErrors, volume: string) => void)(source, `${path}.${shownAs}`, errors, volume);
      if (name === 'local' && spec.nodeAffinity === undefined) errors.required(`${path}.nodeAffinity`, 'Local volume requires node affinity');
    }
  }
  if (found === 0) errors.required(path, 'must specify a volume type');
}

/** The source alone, for comparison. */
export function sourceOf(spec: PersistentVolumeSpec): PersistentVolumeSource {
  return Object.fromEntries(sourceTable.flatMap(({ name }) => (spec[name] === undefined ? [] : [[name, spec[name]]])));
}

function validateLocal({ path: local }: LocalVolumeSource, path: string, errors: FieldErrors): void {
  if (local === '') errors.required(`${path}.path`);
  else validateNoBacksteps(local, `${path}.path`, errors);
}

function validateCsi(csi: CSIPersistentVolumeSource, path: string, errors: FieldErrors): void {
  validateCsiDriverName(csi.driver, `${path}.driver`, errors);
  if (csi.volumeHandle === '') errors.required(`${path}.volumeHandle`);
  for (const field of ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const) {
    const reference = csi[field];
    if (reference !== undefined) validateSecretReference(reference, `${path}.${field}`, errors);
  }
}

function validateSecretReference({ name, namespace }: SecretReference, path: string, errors: FieldErrors): void {
  if (!name) errors.required(`${path}.name`);
  else errors.invalidEach(`${path}.name`, name, dns1123SubdomainProblems(name));
  if (!namespace) errors.required(`${path}.namespace`);
  else errors.invalidEach(`${path}.namespace`, namespace, dns1123LabelProblems(namespace));
}

function requireSecretNames(reference: { name?: string | undefined; namespace?: string | undefined } | undefined, path: string, errors: FieldErrors): void {
  if (reference === undefined) return;
  if (!reference.name) errors.required(`${path}.secretRef.name`);
  if (!reference.namespace) errors.required(`${path}.secretRef.namespace`);
}

function validateCinder({ volumeID, secretRef }: CinderPersistentVolumeSource, path: string, errors: FieldErrors): void {
  if (volumeID === '') errors.required(`${path}.volumeID`);
  requireSecretNames(secretRef, path, errors);
}

function validateStorageOs({ secretRef, ...source }: StorageOSPersistentVolumeSource, path: string, errors: FieldErrors): void {
  sources.validateStorageOs(source, path, errors);
  requireSecretNames(secretRef, path, errors);
}

function validateGlusterfs(source: GlusterfsPersistentVolumeSource, path: string, errors: FieldErrors): void {
  sources.validateGlusterfs(source, path, errors);
  const { endpointsNamespace: namespace } = source;
  const at = `${path}.endpointsNamespace`;
  if (namespace === '') errors.invalid(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name');
  else if (namespace !== undefined) errors.invalidEach(at, namespace, dns1123LabelProblems(namespace));
}

function validateAzureFile({ secretName, shareName, secretNamespace }: AzureFilePersistentVolumeSource, path: string, errors: FieldErrors): void {
  if (secretName === '') errors.required(`${path}.secretName`);
  if (shareName === '') errors.required(`${path}.shareName`);
  if (secretNamespace === '') errors.required(`${path}.secretNamespace`);
}

const iscsiName = /^(?:iqn\.[0-9]{4}-[0-9]{2}\.(?:[a-z0-9-.]+)(?::(?:[^,;*&$|\s]+))$|eui\.[a-fA-F0-9]{16}$|naa\.[a-fA-F0-9]{32}$)/;

function validateIscsi(source: ISCSIPersistentVolumeSource, path: string, errors: FieldErrors, volume: string): void {
  const { targetPortal, iqn, lun, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  if (targetPortal === '') errors.required(`${path}.targetPortal`);
  if (initiatorName !== undefined && byteLength(`${volume}:${targetPortal}`) > 64) {
    const detail = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    errors.invalid(`${path}.targetportal`, targetPortal, detail);
  }
  if (iqn === '') errors.required(`${path}.iqn`);
  else if (!iscsiName.test(iqn)) errors.invalid(`${path}.iqn`, iqn, 'must be valid format');
  if (lun < 0 || lun > 255) errors.invalid(`${path}.lun`, lun, 'must be between 0 and 255, inclusive');
  if ((chapAuthDiscovery || chapAuthSession) && secretRef === undefined) errors.required(`${path}.secretRef`);
  if (secretRef !== undefined && !secretRef.name) errors.required(`${path}.secretRef.name`);
  if (initiatorName !== undefined && !iscsiName.test(initiatorName)) errors.invalid(`${path}.initiatorname`, initiatorName, 'must be valid format');
}
