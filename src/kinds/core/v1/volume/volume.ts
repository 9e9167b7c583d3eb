import { ObjectFieldSelector, ResourceFieldSelector } from '#kinds/core/v1/container/env-var.ts';
import { PersistentVolumeClaimSpec } from '#kinds/core/v1/volume/persistent-volume-claim-spec.ts';
import { LocalObjectReference } from '#kinds/core/v1/references.ts';
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
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, inline, int32, int64, list, map, optional, pointer, quantity, ref, required, string, struct } from '#schema/build.ts';

export const Volume = struct('io.k8s.api.core.v1.Volume', () => ({
  name: required(1, string),
  ...inline(2, 'volumeSource', VolumeSource),
}));
export interface Volume extends Infer<typeof Volume> {}

export const VolumeSource = struct(
  'io.k8s.api.core.v1.VolumeSource',
  () => ({
    hostPath: pointer(1, ref<HostPathVolumeSource>(HostPathVolumeSource)),
    emptyDir: pointer(2, ref<EmptyDirVolumeSource>(EmptyDirVolumeSource)),
    gcePersistentDisk: pointer(3, ref<GCEPersistentDiskVolumeSource>(GCEPersistentDiskVolumeSource)),
    awsElasticBlockStore: pointer(4, ref<AWSElasticBlockStoreVolumeSource>(AWSElasticBlockStoreVolumeSource)),
    gitRepo: pointer(5, ref<GitRepoVolumeSource>(GitRepoVolumeSource)),
    secret: pointer(6, ref<SecretVolumeSource>(SecretVolumeSource)),
    nfs: pointer(7, ref<NFSVolumeSource>(NFSVolumeSource)),
    iscsi: pointer(8, ref<ISCSIVolumeSource>(ISCSIVolumeSource)),
    glusterfs: pointer(9, ref<GlusterfsVolumeSource>(GlusterfsVolumeSource)),
    persistentVolumeClaim: pointer(10, ref<PersistentVolumeClaimVolumeSource>(PersistentVolumeClaimVolumeSource)),
    rbd: pointer(11, ref<RBDVolumeSource>(RBDVolumeSource)),
    flexVolume: pointer(12, ref<FlexVolumeSource>(FlexVolumeSource)),
    cinder: pointer(13, ref<CinderVolumeSource>(CinderVolumeSource)),
    cephfs: pointer(14, ref<CephFSVolumeSource>(CephFSVolumeSource)),
    flocker: pointer(15, ref<FlockerVolumeSource>(FlockerVolumeSource)),
    downwardAPI: pointer(16, ref<DownwardAPIVolumeSource>(DownwardAPIVolumeSource)),
    fc: pointer(17, ref<FCVolumeSource>(FCVolumeSource)),
    azureFile: pointer(18, ref<AzureFileVolumeSource>(AzureFileVolumeSource)),
    configMap: pointer(19, ref<ConfigMapVolumeSource>(ConfigMapVolumeSource)),
    vsphereVolume: pointer(20, ref<VsphereVirtualDiskVolumeSource>(VsphereVirtualDiskVolumeSource)),
    quobyte: pointer(21, ref<QuobyteVolumeSource>(QuobyteVolumeSource)),
    azureDisk: pointer(22, ref<AzureDiskVolumeSource>(AzureDiskVolumeSource)),
    photonPersistentDisk: pointer(23, ref<PhotonPersistentDiskVolumeSource>(PhotonPersistentDiskVolumeSource)),
    projected: pointer(26, ref<ProjectedVolumeSource>(ProjectedVolumeSource)),
    portworxVolume: pointer(24, ref<PortworxVolumeSource>(PortworxVolumeSource)),
    scaleIO: pointer(25, ref<ScaleIOVolumeSource>(ScaleIOVolumeSource)),
    storageos: pointer(27, ref<StorageOSVolumeSource>(StorageOSVolumeSource)),
    csi: pointer(28, ref<CSIVolumeSource>(CSIVolumeSource)),
    ephemeral: pointer(29, ref<EphemeralVolumeSource>(EphemeralVolumeSource)),
    image: pointer(30, ref<ImageVolumeSource>(ImageVolumeSource)),
  }),
  { unpublished: true },
);
export interface VolumeSource extends Infer<typeof VolumeSource> {}

export const EmptyDirVolumeSource = struct('io.k8s.api.core.v1.EmptyDirVolumeSource', () => ({
  medium: optional(1, string, { goType: 'v1.StorageMedium' }),
  sizeLimit: pointer(2, quantity),
}));
export interface EmptyDirVolumeSource extends Infer<typeof EmptyDirVolumeSource> {}

export const GitRepoVolumeSource = struct('io.k8s.api.core.v1.GitRepoVolumeSource', () => ({
  repository: required(1, string),
  revision: optional(2, string),
  directory: optional(3, string),
}));
export interface GitRepoVolumeSource extends Infer<typeof GitRepoVolumeSource> {}

export const SecretVolumeSource = struct('io.k8s.api.core.v1.SecretVolumeSource', () => ({
  secretName: optional(1, string),
  items: optional(2, list(ref<KeyToPath>(KeyToPath)), { merge: 'atomic' }),
  defaultMode: pointer(3, int32),
  optional: pointer(4, boolean),
}));
export interface SecretVolumeSource extends Infer<typeof SecretVolumeSource> {}

export const KeyToPath = struct('io.k8s.api.core.v1.KeyToPath', () => ({
  key: required(1, string),
  path: required(2, string),
  mode: pointer(3, int32),
}));
export interface KeyToPath extends Infer<typeof KeyToPath> {}

export const ISCSIVolumeSource = struct('io.k8s.api.core.v1.ISCSIVolumeSource', () => ({
  targetPortal: required(1, string),
  iqn: required(2, string),
  lun: required(3, int32),
  iscsiInterface: optional(4, string, { default: 'default' }),
  fsType: optional(5, string),
  readOnly: optional(6, boolean),
  portals: optional(7, list(string), { merge: 'atomic' }),
  chapAuthDiscovery: optional(8, boolean),
  chapAuthSession: optional(11, boolean),
  secretRef: pointer(10, ref<LocalObjectReference>(LocalObjectReference)),
  initiatorName: pointer(12, string),
}));
export interface ISCSIVolumeSource extends Infer<typeof ISCSIVolumeSource> {}

export const GlusterfsVolumeSource = struct('io.k8s.api.core.v1.GlusterfsVolumeSource', () => ({
  endpoints: required(1, string),
  path: required(2, string),
  readOnly: optional(3, boolean),
}));
export interface GlusterfsVolumeSource extends Infer<typeof GlusterfsVolumeSource> {}

export const PersistentVolumeClaimVolumeSource = struct('io.k8s.api.core.v1.PersistentVolumeClaimVolumeSource', () => ({
  claimName: required(1, string),
  readOnly: optional(2, boolean),
}));
export interface PersistentVolumeClaimVolumeSource extends Infer<typeof PersistentVolumeClaimVolumeSource> {}

export const RBDVolumeSource = struct('io.k8s.api.core.v1.RBDVolumeSource', () => ({
  monitors: required(1, list(string), { merge: 'atomic' }),
  image: required(2, string),
  fsType: optional(3, string),
  pool: optional(4, string, { default: 'rbd' }),
  user: optional(5, string, { default: 'admin' }),
  keyring: optional(6, string, { default: '/etc/ceph/keyring' }),
  secretRef: pointer(7, ref<LocalObjectReference>(LocalObjectReference)),
  readOnly: optional(8, boolean),
}));
export interface RBDVolumeSource extends Infer<typeof RBDVolumeSource> {}

export const FlexVolumeSource = struct('io.k8s.api.core.v1.FlexVolumeSource', () => ({
  driver: required(1, string),
  fsType: optional(2, string),
  secretRef: pointer(3, ref<LocalObjectReference>(LocalObjectReference)),
  readOnly: optional(4, boolean),
  options: optional(5, map(string)),
}));
export interface FlexVolumeSource extends Infer<typeof FlexVolumeSource> {}

export const CinderVolumeSource = struct('io.k8s.api.core.v1.CinderVolumeSource', () => ({
  volumeID: required(1, string),
  fsType: optional(2, string),
  readOnly: optional(3, boolean),
  secretRef: pointer(4, ref<LocalObjectReference>(LocalObjectReference)),
}));
export interface CinderVolumeSource extends Infer<typeof CinderVolumeSource> {}

export const CephFSVolumeSource = struct('io.k8s.api.core.v1.CephFSVolumeSource', () => ({
  monitors: required(1, list(string), { merge: 'atomic' }),
  path: optional(2, string),
  user: optional(3, string),
  secretFile: optional(4, string),
  secretRef: pointer(5, ref<LocalObjectReference>(LocalObjectReference)),
  readOnly: optional(6, boolean),
}));
export interface CephFSVolumeSource extends Infer<typeof CephFSVolumeSource> {}

export const DownwardAPIVolumeSource = struct('io.k8s.api.core.v1.DownwardAPIVolumeSource', () => ({
  items: optional(1, list(ref<DownwardAPIVolumeFile>(DownwardAPIVolumeFile)), { merge: 'atomic' }),
  defaultMode: pointer(2, int32),
}));
export interface DownwardAPIVolumeSource extends Infer<typeof DownwardAPIVolumeSource> {}

export const DownwardAPIVolumeFile = struct('io.k8s.api.core.v1.DownwardAPIVolumeFile', () => ({
  path: required(1, string),
  fieldRef: pointer(2, ref<ObjectFieldSelector>(ObjectFieldSelector)),
  resourceFieldRef: pointer(3, ref<ResourceFieldSelector>(ResourceFieldSelector)),
  mode: pointer(4, int32),
}));
export interface DownwardAPIVolumeFile extends Infer<typeof DownwardAPIVolumeFile> {}

export const AzureFileVolumeSource = struct('io.k8s.api.core.v1.AzureFileVolumeSource', () => ({
  secretName: required(1, string),
  shareName: required(2, string),
  readOnly: optional(3, boolean),
}));
export interface AzureFileVolumeSource extends Infer<typeof AzureFileVolumeSource> {}

export const ConfigMapVolumeSource = struct('io.k8s.api.core.v1.ConfigMapVolumeSource', () => ({
  ...inline(1, 'localObjectReference', LocalObjectReference),
  items: optional(2, list(ref<KeyToPath>(KeyToPath)), { merge: 'atomic' }),
  defaultMode: pointer(3, int32),
  optional: pointer(4, boolean),
}));
export interface ConfigMapVolumeSource extends Infer<typeof ConfigMapVolumeSource> {}

export const ProjectedVolumeSource = struct('io.k8s.api.core.v1.ProjectedVolumeSource', () => ({
  sources: optional(1, list(ref<VolumeProjection>(VolumeProjection)), { written: 'always', merge: 'atomic' }),
  defaultMode: pointer(2, int32),
}));
export interface ProjectedVolumeSource extends Infer<typeof ProjectedVolumeSource> {}

export const VolumeProjection = struct('io.k8s.api.core.v1.VolumeProjection', () => ({
  secret: pointer(1, ref<SecretProjection>(SecretProjection)),
  downwardAPI: pointer(2, ref<DownwardAPIProjection>(DownwardAPIProjection)),
  configMap: pointer(3, ref<ConfigMapProjection>(ConfigMapProjection)),
  serviceAccountToken: pointer(4, ref<ServiceAccountTokenProjection>(ServiceAccountTokenProjection)),
  clusterTrustBundle: pointer(5, ref<ClusterTrustBundleProjection>(ClusterTrustBundleProjection)),
  podCertificate: pointer(6, ref<PodCertificateProjection>(PodCertificateProjection)),
}));
export interface VolumeProjection extends Infer<typeof VolumeProjection> {}

export const SecretProjection = struct('io.k8s.api.core.v1.SecretProjection', () => ({
  ...inline(1, 'localObjectReference', LocalObjectReference),
  items: optional(2, list(ref<KeyToPath>(KeyToPath)), { merge: 'atomic' }),
  optional: pointer(4, boolean),
}));
export interface SecretProjection extends Infer<typeof SecretProjection> {}

export const DownwardAPIProjection = struct('io.k8s.api.core.v1.DownwardAPIProjection', () => ({
  items: optional(1, list(ref<DownwardAPIVolumeFile>(DownwardAPIVolumeFile)), { merge: 'atomic' }),
}));
export interface DownwardAPIProjection extends Infer<typeof DownwardAPIProjection> {}

export const ConfigMapProjection = struct('io.k8s.api.core.v1.ConfigMapProjection', () => ({
  ...inline(1, 'localObjectReference', LocalObjectReference),
  items: optional(2, list(ref<KeyToPath>(KeyToPath)), { merge: 'atomic' }),
  optional: pointer(4, boolean),
}));
export interface ConfigMapProjection extends Infer<typeof ConfigMapProjection> {}

export const ServiceAccountTokenProjection = struct('io.k8s.api.core.v1.ServiceAccountTokenProjection', () => ({
  audience: optional(1, string),
  expirationSeconds: pointer(2, int64),
  path: required(3, string),
}));
export interface ServiceAccountTokenProjection extends Infer<typeof ServiceAccountTokenProjection> {}

export const ClusterTrustBundleProjection = struct('io.k8s.api.core.v1.ClusterTrustBundleProjection', () => ({
  name: pointer(1, string),
  signerName: pointer(2, string),
  labelSelector: pointer(3, ref<LabelSelector>(LabelSelector)),
  optional: pointer(5, boolean),
  path: required(4, string),
}));
export interface ClusterTrustBundleProjection extends Infer<typeof ClusterTrustBundleProjection> {}

export const PodCertificateProjection = struct('io.k8s.api.core.v1.PodCertificateProjection', () => ({
  signerName: required(1, string, { written: 'nonempty' }),
  keyType: required(2, string, { written: 'nonempty' }),
  maxExpirationSeconds: pointer(3, int32),
  credentialBundlePath: optional(4, string),
  keyPath: optional(5, string),
  certificateChainPath: optional(6, string),
  userAnnotations: optional(7, map(string)),
}));
export interface PodCertificateProjection extends Infer<typeof PodCertificateProjection> {}

export const ScaleIOVolumeSource = struct('io.k8s.api.core.v1.ScaleIOVolumeSource', () => ({
  gateway: required(1, string),
  system: required(2, string),
  secretRef: pointer(3, ref<LocalObjectReference>(LocalObjectReference), { written: 'always', mandatory: true }),
  sslEnabled: optional(4, boolean),
  protectionDomain: optional(5, string),
  storagePool: optional(6, string),
  storageMode: optional(7, string, { default: 'ThinProvisioned' }),
  volumeName: optional(8, string),
  fsType: optional(9, string, { default: 'xfs' }),
  readOnly: optional(10, boolean),
}));
export interface ScaleIOVolumeSource extends Infer<typeof ScaleIOVolumeSource> {}

export const StorageOSVolumeSource = struct('io.k8s.api.core.v1.StorageOSVolumeSource', () => ({
  volumeName: optional(1, string),
  volumeNamespace: optional(2, string),
  fsType: optional(3, string),
  readOnly: optional(4, boolean),
  secretRef: pointer(5, ref<LocalObjectReference>(LocalObjectReference)),
}));
export interface StorageOSVolumeSource extends Infer<typeof StorageOSVolumeSource> {}

export const CSIVolumeSource = struct('io.k8s.api.core.v1.CSIVolumeSource', () => ({
  driver: required(1, string),
  readOnly: pointer(2, boolean),
  fsType: pointer(3, string),
  volumeAttributes: optional(4, map(string)),
  nodePublishSecretRef: pointer(5, ref<LocalObjectReference>(LocalObjectReference)),
}));
export interface CSIVolumeSource extends Infer<typeof CSIVolumeSource> {}

export const EphemeralVolumeSource = struct('io.k8s.api.core.v1.EphemeralVolumeSource', () => ({
  volumeClaimTemplate: pointer(1, ref<PersistentVolumeClaimTemplate>(PersistentVolumeClaimTemplate)),
}));
export interface EphemeralVolumeSource extends Infer<typeof EphemeralVolumeSource> {}

export const PersistentVolumeClaimTemplate = struct('io.k8s.api.core.v1.PersistentVolumeClaimTemplate', () => ({
  metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
  spec: required(2, ref<PersistentVolumeClaimSpec>(PersistentVolumeClaimSpec)),
}));
export interface PersistentVolumeClaimTemplate extends Infer<typeof PersistentVolumeClaimTemplate> {}

export const ImageVolumeSource = struct('io.k8s.api.core.v1.ImageVolumeSource', () => ({
  reference: optional(1, string),
  pullPolicy: optional(2, string, { enum: ['Always', 'IfNotPresent', 'Never'], goType: 'v1.PullPolicy' }),
}));
export interface ImageVolumeSource extends Infer<typeof ImageVolumeSource> {}
