import { type GroupTexts, specAndStatus } from '#kinds/descriptions/group-texts.ts';

export const storageTexts: GroupTexts = {
  package: 'io.k8s.api.storage.v1',
  also: ['io.k8s.api.storage.v1beta1'],
  structs: {
    StorageClass: {
      '': 'A kind of storage that claims can ask for, and who makes it.',
      provisioner: 'Who makes the volumes.',
      parameters: 'Settings for the provisioner.',
      reclaimPolicy: 'What becomes of volumes when their claim is gone: Delete (the default) or Retain.',
      mountOptions: 'Options for mounting its volumes.',
      allowVolumeExpansion: 'Whether claims may grow.',
      volumeBindingMode: 'Immediate (the default), or WaitForFirstConsumer to wait for a pod and its node.',
      allowedTopologies: 'Where volumes may be made.',
    },
    CSIDriver: { '': 'A CSI driver and how the system works with it.', spec: 'What the driver can do.' },
    CSIDriverSpec: {
      '': 'What a driver can do and needs.',
      attachRequired: 'Volumes must be attached to nodes. Default: true. It cannot be changed.',
      podInfoOnMount: 'The driver is told about the pod when mounting. Default: false.',
      volumeLifecycleModes: 'Persistent (the default), Ephemeral or both.',
      storageCapacity: 'The scheduler looks at its CSIStorageCapacity objects. Default: false.',
      fsGroupPolicy: 'Whether the owner of files may be changed: ReadWriteOnceWithFSType (the default), File or None.',
      tokenRequests: 'Tokens of the pod’s service account that the driver gets.',
      requiresRepublish: 'The driver is called again and again while a volume is mounted.',
      seLinuxMount: 'Volumes can be mounted with an SELinux label.',
      nodeAllocatableUpdatePeriodSeconds: 'How often the number of volumes per node is read again.',
      serviceAccountTokenInSecrets: 'Tokens come among the secrets of a call rather than in its context.',
      preventPodSchedulingIfMissing: 'Pods with its volumes are not put on nodes without the driver.',
    },
    TokenRequest: { '': 'A token for a driver.', audience: 'Whom the token is meant for.', expirationSeconds: 'How long it is valid.' },
    CSINode: { '': 'The CSI drivers of one node; has the name of the node.', spec: 'The drivers.' },
    CSINodeSpec: { '': 'The drivers of a node.', drivers: 'One entry per driver.' },
    CSINodeDriver: {
      '': 'A driver on a node.',
      name: 'Name of the driver.',
      nodeID: 'Name of the node as the driver knows it.',
      topologyKeys: 'Labels of the node that say where it is for the driver.',
      allocatable: 'How many volumes it can have.',
    },
    VolumeNodeResources: { '': 'What a driver can do on a node.', count: 'The most volumes. Left out: no limit.' },
    CSIStorageCapacity: {
      '': 'How much room there is in one place for one storage class.',
      nodeTopology: 'Nodes that can reach the place.',
      storageClassName: 'The storage class.',
      capacity: 'Room that is left.',
      maximumVolumeSize: 'The largest volume that can be made.',
    },
    VolumeAttachment: { '': 'Says that a volume is to be attached to a node.', ...specAndStatus },
    VolumeAttachmentSpec: { '': 'What is attached where.', attacher: 'Who attaches it.', source: 'The volume.', nodeName: 'The node.' },
    VolumeAttachmentSource: {
      '': 'A volume; one of these.',
      persistentVolumeName: 'Name of the PersistentVolume.',
      inlineVolumeSpec: 'A volume written out; used for migration only.',
    },
    VolumeAttachmentStatus: {
      '': 'How far attaching has come.',
      attached: 'It is attached.',
      attachmentMetadata: 'What the attacher has to say for mounting.',
      attachError: 'Last error of attaching.',
      detachError: 'Last error of detaching.',
    },
    VolumeError: { '': 'An error.', time: 'When it happened.', message: 'What happened.', errorCode: 'gRPC code of the error.' },
    VolumeAttributesClass: {
      '': 'Attributes that volumes can be given and changed to, such as speed.',
      driverName: 'CSI driver that knows the parameters.',
      parameters: 'The attributes. They cannot be changed.',
    },
  },
};

export const storageMigrationTexts: GroupTexts = {
  package: 'io.k8s.api.storagemigration.v1beta1',
  structs: {
    StorageVersionMigration: { '': 'Rewrites all objects of a resource in the version that is stored now.', ...specAndStatus },
    StorageVersionMigrationSpec: { '': 'What is rewritten.', resource: 'The resource. It cannot be changed.' },
    StorageVersionMigrationStatus: {
      '': 'How far the migration has come.',
      conditions: 'Aspects such as Running, Succeeded and Failed.',
      resourceVersion: 'Version of the store up to which objects are rewritten.',
    },
  },
};

export const internalTexts: GroupTexts = {
  package: 'io.k8s.api.apiserverinternal.v1alpha1',
  structs: {
    StorageVersion: { '': 'In which version each server stores a resource.', ...specAndStatus },
    StorageVersionSpec: { '': 'Empty.' },
    StorageVersionStatus: {
      '': 'What the servers say.',
      storageVersions: 'One entry per server.',
      commonEncodingVersion: 'The version they all store, if they agree.',
      conditions: 'Aspects such as AllEncodingVersionsEqual.',
    },
    ServerStorageVersion: {
      '': 'What one server says.',
      apiServerID: 'The server.',
      encodingVersion: 'Version it stores.',
      decodableVersions: 'Versions it can read.',
      servedVersions: 'Versions it serves.',
    },
  },
};
