// Internal types of storage that messages print as a whole; see go-fields.ts.

export const storageGoFields: Readonly<Record<string, string>> = {
  PersistentVolumeSpec:
    'Capacity GCEPersistentDisk:gcePersistentDisk AWSElasticBlockStore HostPath Glusterfs NFS RBD Quobyte ISCSI FlexVolume Cinder CephFS:cephfs FC Flocker AzureFile VsphereVolume AzureDisk PhotonPersistentDisk PortworxVolume ScaleIO:scaleIO Local StorageOS:storageos CSI AccessModes ClaimRef PersistentVolumeReclaimPolicy StorageClassName MountOptions VolumeMode NodeAffinity VolumeAttributesClassName',
  VolumeNodeAffinity: 'Required',
  CSIPersistentVolumeSource:
    'Driver VolumeHandle ReadOnly FSType VolumeAttributes ControllerPublishSecretRef NodeStageSecretRef NodePublishSecretRef ControllerExpandSecretRef NodeExpandSecretRef',
  SecretReference: 'Name Namespace',
  ObjectReference: 'Kind Namespace Name UID APIVersion ResourceVersion FieldPath',
  LocalVolumeSource: 'Path FSType',
};
