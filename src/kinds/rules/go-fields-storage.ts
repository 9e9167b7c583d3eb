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
  ISCSIPersistentVolumeSource:
    'TargetPortal IQN Lun ISCSIInterface FSType ReadOnly Portals DiscoveryCHAPAuth:chapAuthDiscovery SessionCHAPAuth:chapAuthSession SecretRef InitiatorName',
  RBDPersistentVolumeSource: 'CephMonitors:monitors RBDImage:image FSType RBDPool:pool RadosUser:user Keyring SecretRef ReadOnly',
  CephFSPersistentVolumeSource: 'Monitors Path User SecretFile SecretRef ReadOnly',
  FlexPersistentVolumeSource: 'Driver FSType SecretRef ReadOnly Options',
  GlusterfsPersistentVolumeSource: 'EndpointsName:endpoints Path ReadOnly EndpointsNamespace',
  CinderPersistentVolumeSource: 'VolumeID FSType ReadOnly SecretRef',
  AzureFilePersistentVolumeSource: 'SecretName ShareName ReadOnly SecretNamespace',
  ScaleIOPersistentVolumeSource: 'Gateway System SecretRef SSLEnabled ProtectionDomain StoragePool StorageMode VolumeName FSType ReadOnly',
  StorageOSPersistentVolumeSource: 'VolumeName VolumeNamespace FSType ReadOnly SecretRef',
};
