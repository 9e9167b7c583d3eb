import { boolean, type Infer, int32, list, optional, pointer, required, string, struct } from '#schema/build.ts';

export const HostPathVolumeSource = struct('io.k8s.api.core.v1.HostPathVolumeSource', () => ({
  path: required(1, string),
  type: pointer(2, string, {
    enum: ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
    goType: 'v1.HostPathType',
  }),
}));
export interface HostPathVolumeSource extends Infer<typeof HostPathVolumeSource> {}

export const GCEPersistentDiskVolumeSource = struct('io.k8s.api.core.v1.GCEPersistentDiskVolumeSource', () => ({
  pdName: required(1, string),
  fsType: optional(2, string),
  partition: optional(3, int32),
  readOnly: optional(4, boolean),
}));
export interface GCEPersistentDiskVolumeSource extends Infer<typeof GCEPersistentDiskVolumeSource> {}

export const AWSElasticBlockStoreVolumeSource = struct('io.k8s.api.core.v1.AWSElasticBlockStoreVolumeSource', () => ({
  volumeID: required(1, string),
  fsType: optional(2, string),
  partition: optional(3, int32),
  readOnly: optional(4, boolean),
}));
export interface AWSElasticBlockStoreVolumeSource extends Infer<typeof AWSElasticBlockStoreVolumeSource> {}

export const NFSVolumeSource = struct('io.k8s.api.core.v1.NFSVolumeSource', () => ({
  server: required(1, string),
  path: required(2, string),
  readOnly: optional(3, boolean),
}));
export interface NFSVolumeSource extends Infer<typeof NFSVolumeSource> {}

export const FlockerVolumeSource = struct('io.k8s.api.core.v1.FlockerVolumeSource', () => ({
  datasetName: optional(1, string),
  datasetUUID: optional(2, string),
}));
export interface FlockerVolumeSource extends Infer<typeof FlockerVolumeSource> {}

export const FCVolumeSource = struct('io.k8s.api.core.v1.FCVolumeSource', () => ({
  targetWWNs: optional(1, list(string), { merge: 'atomic' }),
  lun: pointer(2, int32),
  fsType: optional(3, string),
  readOnly: optional(4, boolean),
  wwids: optional(5, list(string), { merge: 'atomic' }),
}));
export interface FCVolumeSource extends Infer<typeof FCVolumeSource> {}

export const VsphereVirtualDiskVolumeSource = struct('io.k8s.api.core.v1.VsphereVirtualDiskVolumeSource', () => ({
  volumePath: required(1, string),
  fsType: optional(2, string),
  storagePolicyName: optional(3, string),
  storagePolicyID: optional(4, string),
}));
export interface VsphereVirtualDiskVolumeSource extends Infer<typeof VsphereVirtualDiskVolumeSource> {}

export const QuobyteVolumeSource = struct('io.k8s.api.core.v1.QuobyteVolumeSource', () => ({
  registry: required(1, string),
  volume: required(2, string),
  readOnly: optional(3, boolean),
  user: optional(4, string),
  group: optional(5, string),
  tenant: optional(6, string),
}));
export interface QuobyteVolumeSource extends Infer<typeof QuobyteVolumeSource> {}

export const AzureDiskVolumeSource = struct('io.k8s.api.core.v1.AzureDiskVolumeSource', () => ({
  diskName: required(1, string),
  diskURI: required(2, string),
  cachingMode: pointer(3, string, { default: 'ReadWrite', enum: ['None', 'ReadOnly', 'ReadWrite'], goType: 'v1.AzureDataDiskCachingMode' }),
  fsType: pointer(4, string, { default: 'ext4' }),
  readOnly: pointer(5, boolean, { default: false }),
  kind: pointer(6, string, { default: 'Shared', enum: ['Dedicated', 'Managed', 'Shared'], goType: 'v1.AzureDataDiskKind' }),
}));
export interface AzureDiskVolumeSource extends Infer<typeof AzureDiskVolumeSource> {}

export const PhotonPersistentDiskVolumeSource = struct('io.k8s.api.core.v1.PhotonPersistentDiskVolumeSource', () => ({
  pdID: required(1, string),
  fsType: optional(2, string),
}));
export interface PhotonPersistentDiskVolumeSource extends Infer<typeof PhotonPersistentDiskVolumeSource> {}

export const PortworxVolumeSource = struct('io.k8s.api.core.v1.PortworxVolumeSource', () => ({
  volumeID: required(1, string),
  fsType: optional(2, string),
  readOnly: optional(3, boolean),
}));
export interface PortworxVolumeSource extends Infer<typeof PortworxVolumeSource> {}
