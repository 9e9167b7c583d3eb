import { NodeSelector } from '#kinds/core/v1/node-selector.ts';
import { ObjectReference, SecretReference } from '#kinds/core/v1/references.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from '#kinds/core/v1/volume/volume-sources.ts';
import { boolean, type Infer, inline, int32, list, map, optional, pointer, quantity, ref, required, string, struct } from '#schema/build.ts';

export const PersistentVolumeSpec = struct('io.k8s.api.core.v1.PersistentVolumeSpec', () => ({
  capacity: optional(1, map(quantity), { goType: 'v1.ResourceList' }),
  ...inline(2, 'persistentVolumeSource', PersistentVolumeSource),
  accessModes: optional(3, list(string), {
    enum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
    merge: 'atomic',
    goType: '[]v1.PersistentVolumeAccessMode',
  }),
  claimRef: pointer(4, ref<ObjectReference>(ObjectReference), { atomic: false }),
  persistentVolumeReclaimPolicy: optional(5, string, { enum: ['Delete', 'Recycle', 'Retain'], goType: 'v1.PersistentVolumeReclaimPolicy' }),
  storageClassName: optional(6, string),
  mountOptions: optional(7, list(string), { merge: 'atomic' }),
  volumeMode: pointer(8, string, { enum: ['Block', 'Filesystem'], goType: 'v1.PersistentVolumeMode' }),
  nodeAffinity: pointer(9, ref<VolumeNodeAffinity>(VolumeNodeAffinity)),
  volumeAttributesClassName: pointer(10, string),
}));
export interface PersistentVolumeSpec extends Infer<typeof PersistentVolumeSpec> {}

export const AzureFilePersistentVolumeSource = struct('io.k8s.api.core.v1.AzureFilePersistentVolumeSource', () => ({
  secretName: required(1, string),
  shareName: required(2, string),
  readOnly: optional(3, boolean),
  secretNamespace: pointer(4, string, { written: 'always' }),
}));
export interface AzureFilePersistentVolumeSource extends Infer<typeof AzureFilePersistentVolumeSource> {}

export const CSIPersistentVolumeSource = struct('io.k8s.api.core.v1.CSIPersistentVolumeSource', () => ({
  driver: required(1, string),
  volumeHandle: required(2, string),
  readOnly: optional(3, boolean),
  fsType: optional(4, string),
  volumeAttributes: optional(5, map(string)),
  controllerPublishSecretRef: pointer(6, ref<SecretReference>(SecretReference)),
  nodeStageSecretRef: pointer(7, ref<SecretReference>(SecretReference)),
  nodePublishSecretRef: pointer(8, ref<SecretReference>(SecretReference)),
  controllerExpandSecretRef: pointer(9, ref<SecretReference>(SecretReference)),
  nodeExpandSecretRef: pointer(10, ref<SecretReference>(SecretReference)),
}));
export interface CSIPersistentVolumeSource extends Infer<typeof CSIPersistentVolumeSource> {}

export const CephFSPersistentVolumeSource = struct('io.k8s.api.core.v1.CephFSPersistentVolumeSource', () => ({
  monitors: required(1, list(string), { merge: 'atomic' }),
  path: optional(2, string),
  user: optional(3, string),
  secretFile: optional(4, string),
  secretRef: pointer(5, ref<SecretReference>(SecretReference)),
  readOnly: optional(6, boolean),
}));
export interface CephFSPersistentVolumeSource extends Infer<typeof CephFSPersistentVolumeSource> {}

export const CinderPersistentVolumeSource = struct('io.k8s.api.core.v1.CinderPersistentVolumeSource', () => ({
  volumeID: required(1, string),
  fsType: optional(2, string),
  readOnly: optional(3, boolean),
  secretRef: pointer(4, ref<SecretReference>(SecretReference)),
}));
export interface CinderPersistentVolumeSource extends Infer<typeof CinderPersistentVolumeSource> {}

export const FlexPersistentVolumeSource = struct('io.k8s.api.core.v1.FlexPersistentVolumeSource', () => ({
  driver: required(1, string),
  fsType: optional(2, string),
  secretRef: pointer(3, ref<SecretReference>(SecretReference)),
  readOnly: optional(4, boolean),
  options: optional(5, map(string)),
}));
export interface FlexPersistentVolumeSource extends Infer<typeof FlexPersistentVolumeSource> {}

export const GlusterfsPersistentVolumeSource = struct('io.k8s.api.core.v1.GlusterfsPersistentVolumeSource', () => ({
  endpoints: required(1, string),
  path: required(2, string),
  readOnly: optional(3, boolean),
  endpointsNamespace: pointer(4, string),
}));
export interface GlusterfsPersistentVolumeSource extends Infer<typeof GlusterfsPersistentVolumeSource> {}

export const ISCSIPersistentVolumeSource = struct('io.k8s.api.core.v1.ISCSIPersistentVolumeSource', () => ({
  targetPortal: required(1, string),
  iqn: required(2, string),
  lun: required(3, int32),
  iscsiInterface: optional(4, string, { default: 'default' }),
  fsType: optional(5, string),
  readOnly: optional(6, boolean),
  portals: optional(7, list(string), { merge: 'atomic' }),
  chapAuthDiscovery: optional(8, boolean),
  chapAuthSession: optional(11, boolean),
  secretRef: pointer(10, ref<SecretReference>(SecretReference)),
  initiatorName: pointer(12, string),
}));
export interface ISCSIPersistentVolumeSource extends Infer<typeof ISCSIPersistentVolumeSource> {}

export const LocalVolumeSource = struct('io.k8s.api.core.v1.LocalVolumeSource', () => ({
  path: required(1, string),
  fsType: pointer(2, string),
}));
export interface LocalVolumeSource extends Infer<typeof LocalVolumeSource> {}

export const PersistentVolumeSource = struct(
  'io.k8s.api.core.v1.PersistentVolumeSource',
  () => ({
    gcePersistentDisk: pointer(1, ref<GCEPersistentDiskVolumeSource>(GCEPersistentDiskVolumeSource)),
    awsElasticBlockStore: pointer(2, ref<AWSElasticBlockStoreVolumeSource>(AWSElasticBlockStoreVolumeSource)),
    hostPath: pointer(3, ref<HostPathVolumeSource>(HostPathVolumeSource)),
    glusterfs: pointer(4, ref<GlusterfsPersistentVolumeSource>(GlusterfsPersistentVolumeSource)),
    nfs: pointer(5, ref<NFSVolumeSource>(NFSVolumeSource)),
    rbd: pointer(6, ref<RBDPersistentVolumeSource>(RBDPersistentVolumeSource)),
    iscsi: pointer(7, ref<ISCSIPersistentVolumeSource>(ISCSIPersistentVolumeSource)),
    cinder: pointer(8, ref<CinderPersistentVolumeSource>(CinderPersistentVolumeSource)),
    cephfs: pointer(9, ref<CephFSPersistentVolumeSource>(CephFSPersistentVolumeSource)),
    fc: pointer(10, ref<FCVolumeSource>(FCVolumeSource)),
    flocker: pointer(11, ref<FlockerVolumeSource>(FlockerVolumeSource)),
    flexVolume: pointer(12, ref<FlexPersistentVolumeSource>(FlexPersistentVolumeSource)),
    azureFile: pointer(13, ref<AzureFilePersistentVolumeSource>(AzureFilePersistentVolumeSource)),
    vsphereVolume: pointer(14, ref<VsphereVirtualDiskVolumeSource>(VsphereVirtualDiskVolumeSource)),
    quobyte: pointer(15, ref<QuobyteVolumeSource>(QuobyteVolumeSource)),
    azureDisk: pointer(16, ref<AzureDiskVolumeSource>(AzureDiskVolumeSource)),
    photonPersistentDisk: pointer(17, ref<PhotonPersistentDiskVolumeSource>(PhotonPersistentDiskVolumeSource)),
    portworxVolume: pointer(18, ref<PortworxVolumeSource>(PortworxVolumeSource)),
    scaleIO: pointer(19, ref<ScaleIOPersistentVolumeSource>(ScaleIOPersistentVolumeSource)),
    local: pointer(20, ref<LocalVolumeSource>(LocalVolumeSource)),
    storageos: pointer(21, ref<StorageOSPersistentVolumeSource>(StorageOSPersistentVolumeSource)),
    csi: pointer(22, ref<CSIPersistentVolumeSource>(CSIPersistentVolumeSource)),
  }),
  { unpublished: true },
);
export interface PersistentVolumeSource extends Infer<typeof PersistentVolumeSource> {}

export const RBDPersistentVolumeSource = struct('io.k8s.api.core.v1.RBDPersistentVolumeSource', () => ({
  monitors: required(1, list(string), { merge: 'atomic' }),
  image: required(2, string),
  fsType: optional(3, string),
  pool: optional(4, string, { default: 'rbd' }),
  user: optional(5, string, { default: 'admin' }),
  keyring: optional(6, string, { default: '/etc/ceph/keyring' }),
  secretRef: pointer(7, ref<SecretReference>(SecretReference)),
  readOnly: optional(8, boolean),
}));
export interface RBDPersistentVolumeSource extends Infer<typeof RBDPersistentVolumeSource> {}

export const ScaleIOPersistentVolumeSource = struct('io.k8s.api.core.v1.ScaleIOPersistentVolumeSource', () => ({
  gateway: required(1, string),
  system: required(2, string),
  secretRef: pointer(3, ref<SecretReference>(SecretReference), { written: 'always', mandatory: true }),
  sslEnabled: optional(4, boolean),
  protectionDomain: optional(5, string),
  storagePool: optional(6, string),
  storageMode: optional(7, string, { default: 'ThinProvisioned' }),
  volumeName: optional(8, string),
  fsType: optional(9, string, { default: 'xfs' }),
  readOnly: optional(10, boolean),
}));
export interface ScaleIOPersistentVolumeSource extends Infer<typeof ScaleIOPersistentVolumeSource> {}

export const StorageOSPersistentVolumeSource = struct('io.k8s.api.core.v1.StorageOSPersistentVolumeSource', () => ({
  volumeName: optional(1, string),
  volumeNamespace: optional(2, string),
  fsType: optional(3, string),
  readOnly: optional(4, boolean),
  secretRef: pointer(5, ref<ObjectReference>(ObjectReference)),
}));
export interface StorageOSPersistentVolumeSource extends Infer<typeof StorageOSPersistentVolumeSource> {}

export const VolumeNodeAffinity = struct('io.k8s.api.core.v1.VolumeNodeAffinity', () => ({
  required: pointer(1, ref<NodeSelector>(NodeSelector)),
}));
export interface VolumeNodeAffinity extends Infer<typeof VolumeNodeAffinity> {}
