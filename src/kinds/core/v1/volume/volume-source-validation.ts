// Sources of volumes that stand for themselves, most of them old plug-ins. Persistent volumes share some of them.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123LabelProblems } from '#base/formats.ts';
import type {
  CinderVolumeSource,
  FlexVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  ISCSIVolumeSource,
  StorageOSVolumeSource,
} from '#kinds/core/v1/volume/volume.ts';
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
} from '#kinds/core/v1/volume/volume-sources.ts';
import { validateLocalPath, validateNoBacksteps } from '#kinds/rules/paths.ts';

/** A rule for sources of which only some fields must be there. */
export function requireFields(...fields: readonly string[]): (source: object, path: string, errors: FieldErrors) => void {
  return (source, path, errors) => {
    for (const field of fields) if (isEmpty((source as Record<string, unknown>)[field])) errors.required(`${path}.${field}`);
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

export function validateHostPath({ path: hostPath, type }: HostPathVolumeSource, path: string, errors: FieldErrors): void {
  if (hostPath === '') return errors.required(`${path}.path`);
  validateNoBacksteps(hostPath, `${path}.path`, errors);
  if (type !== undefined && !hostPathTypes.includes(type)) errors.notSupported(`${path}.type`, type, hostPathTypes);
}

export function validateGitRepo({ repository, directory = '' }: GitRepoVolumeSource, path: string, errors: FieldErrors): void {
  if (repository === '') errors.required(`${path}.repository`);
  validateLocalPath(directory, `${path}.directory`, errors);
}

export function validateGcePersistentDisk({ pdName, partition }: GCEPersistentDiskVolumeSource, path: string, errors: FieldErrors): void {
  if (pdName === '') errors.required(`${path}.pdName`);
  validatePartition(partition, path, errors);
}

export function validateAwsElasticBlockStore({ volumeID, partition }: AWSElasticBlockStoreVolumeSource, path: string, errors: FieldErrors): void {
  if (volumeID === '') errors.required(`${path}.volumeID`);
  validatePartition(partition, path, errors);
}

function validatePartition(partition = 0, path: string, errors: FieldErrors): void {
  if (partition < 0 || partition > 255) errors.invalid(`${path}.partition`, partition, 'must be between 1 and 255, inclusive');
}

export function validateNfs({ server, path: exported }: NFSVolumeSource, path: string, errors: FieldErrors): void {
  if (server === '') errors.required(`${path}.server`);
  if (exported === '') errors.required(`${path}.path`);
  if (!exported.startsWith('/')) errors.invalid(`${path}.path`, exported, 'must be an absolute path');
}

export interface IscsiFields extends Pick<ISCSIVolumeSource, 'targetPortal' | 'iqn' | 'lun' | 'chapAuthDiscovery' | 'chapAuthSession' | 'initiatorName'> {
  readonly secretRef?: object | undefined;
}

export function validateIscsi(source: IscsiFields, path: string, errors: FieldErrors): void {
  if (source.targetPortal === '') errors.required(`${path}.targetPortal`);
  if (source.iqn === '') errors.required(`${path}.iqn`);
  else validateIscsiName(source.iqn, `${path}.iqn`, errors);
  if (source.lun < 0 || source.lun > 255) errors.invalid(`${path}.lun`, source.lun, 'must be between 0 and 255, inclusive');
  if ((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef === undefined) errors.required(`${path}.secretRef`);
  if (source.initiatorName !== undefined) validateIscsiName(source.initiatorName, `${path}.initiatorname`, errors);
}

const iscsiNames: readonly (readonly [prefix: string, pattern: RegExp])[] = [
  ['iqn', /iqn\.[0-9]{4}-[0-9]{2}\.[0-9A-Za-z.-]+:[^,;*&$|\s]+$/],
  ['eui', /^eui.[0-9A-Za-z]{16}$/],
  ['naa', /^naa.[0-9A-Za-z]{32}$/],
];

function validateIscsiName(name: string, path: string, errors: FieldErrors): void {
  const known = iscsiNames.find(([prefix]) => name.startsWith(prefix));
  if (known === undefined) errors.invalid(path, name, 'must be valid format starting with iqn, eui, or naa');
  else if (!known[1].test(name)) errors.invalid(path, name, 'must be valid format');
}

export function validateFibreChannel({ targetWWNs = [], wwids = [], lun }: FCVolumeSource, path: string, errors: FieldErrors): void {
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both');
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    errors.invalid(`${path}.targetWWNs`, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously');
  }
  if (targetWWNs.length === 0) return;
  if (lun === undefined) errors.required(`${path}.lun`, 'lun is required if targetWWNs is specified');
  else if (lun < 0 || lun > 255) errors.invalid(`${path}.lun`, lun, 'must be between 0 and 255, inclusive');
}

export function validateQuobyte({ registry, volume, tenant = '' }: QuobyteVolumeSource, path: string, errors: FieldErrors): void {
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') errors.required(`${path}.registry`, pairs);
  else if (byteLength(tenant) >= 65) errors.required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters');
  else for (const pair of registry.split(',')) if (!isHostPort(pair)) errors.invalid(`${path}.registry`, registry, pairs);
  if (volume === '') errors.required(`${path}.volume`);
}

/** What Go's SplitHostPort takes: `host:port`, with brackets around a host that has colons. */
function isHostPort(text: string): boolean {
  return /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(text);
}

export function validateGlusterfs({ endpoints, path: volume }: GlusterfsVolumeSource, path: string, errors: FieldErrors): void {
  if (endpoints === '') errors.required(`${path}.endpoints`);
  if (volume === '') errors.required(`${path}.path`);
}

export function validateFlocker({ datasetName = '', datasetUUID = '' }: FlockerVolumeSource, path: string, errors: FieldErrors): void {
  if (datasetName === '' && datasetUUID === '') errors.required(path, 'one of datasetName and datasetUUID is required');
  if (datasetName !== '' && datasetUUID !== '') errors.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  if (datasetName.includes('/')) errors.invalid(`${path}.datasetName`, datasetName, "must not contain '/'");
}

export function validateCinder({ volumeID, secretRef }: CinderVolumeSource, path: string, errors: FieldErrors): void {
  if (volumeID === '') errors.required(`${path}.volumeID`);
  if (secretRef !== undefined && !secretRef.name) errors.required(`${path}.secretRef.name`);
}

export function validateFlexVolume({ driver, options = {} }: Pick<FlexVolumeSource, 'driver' | 'options'>, path: string, errors: FieldErrors): void {
  if (driver === '') errors.required(`${path}.driver`);
  for (const key of Object.keys(options)) {
    const namespace = `.${(key.split('/', 1)[0] ?? '').toLowerCase()}`;
    if (namespace.endsWith('.kubernetes.io') || namespace.endsWith('.k8s.io')) {
      errors.invalid(`${path}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved');
    }
  }
}

const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function validateAzureDisk({ diskName, diskURI, cachingMode, kind }: AzureDiskVolumeSource, path: string, errors: FieldErrors): void {
  const modes = ['None', 'ReadOnly', 'ReadWrite'];
  const kinds = ['Dedicated', 'Managed', 'Shared'];
  if (diskName === '') errors.required(`${path}.diskName`);
  if (diskURI === '') errors.required(`${path}.diskURI`);
  if (cachingMode !== undefined && !modes.includes(cachingMode)) errors.notSupported(`${path}.cachingMode`, cachingMode, modes);
  if (kind === undefined) return;
  if (!kinds.includes(kind)) errors.notSupported(`${path}.kind`, kind, kinds);
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) errors.notSupported(`${path}.diskURI`, diskURI, [managedDisk]);
  if (kind !== 'Managed' && !diskURI.startsWith('https://')) errors.notSupported(`${path}.diskURI`, diskURI, [blobDisk]);
}

export function validateStorageOs({ volumeName = '', volumeNamespace = '', secretRef }: StorageOSVolumeSource, path: string, errors: FieldErrors): void {
  if (volumeName === '') errors.required(`${path}.volumeName`);
  else errors.invalidEach(`${path}.volumeName`, volumeName, dns1123LabelProblems(volumeName));
  if (volumeNamespace !== '') errors.invalidEach(`${path}.volumeNamespace`, volumeNamespace, dns1123LabelProblems(volumeNamespace));
  if (secretRef !== undefined && !secretRef.name) errors.required(`${path}.secretRef.name`);
}
