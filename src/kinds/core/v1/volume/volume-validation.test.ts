import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('volumes', pods, validPod, [
  ['a volume without a name', { 'spec.volumes.5': { name: '', emptyDir: {} } }, 'spec.volumes[5].name: Required value'],
  [
    'a volume name that is none',
    { 'spec.volumes.5': { name: 'A', emptyDir: {} } },
    `spec.volumes[5].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
  ['a volume name twice', { 'spec.volumes.5': { name: 'data', emptyDir: {} } }, 'spec.volumes[5].name: Duplicate value: "data"'],
  [
    'two sources of one volume',
    { 'spec.volumes.5': { name: 'extra', emptyDir: {}, hostPath: { path: '/a' }, downwardAPI: {}, cephfs: { monitors: ['m'] } } },
    'spec.volumes[5].cephFS: Forbidden: may not specify more than 1 volume type',
    'spec.volumes[5].downwarAPI: Forbidden: may not specify more than 1 volume type',
    'spec.volumes[5].hostPath: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'a negative size limit',
    { 'spec.volumes.5': { name: 'extra', emptyDir: { sizeLimit: '-1' } } },
    'spec.volumes[5].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity',
  ],
  [
    'a claim without a name',
    { 'spec.volumes.5': { name: 'extra', persistentVolumeClaim: { claimName: '' } } },
    'spec.volumes[5].persistentVolumeClaim.claimName: Required value',
  ],
  [
    'the claim of an ephemeral volume',
    {
      'spec.volumes.5': {
        name: 'extra',
        ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
      },
      'spec.volumes.6': { name: 'same', persistentVolumeClaim: { claimName: 'one-extra' } },
    },
    'spec.volumes[6].persistentVolumeClaim.claimName: Invalid value: "one-extra": must not reference a PVC that gets created for an ephemeral volume',
  ],
  ['a host path without a path', { 'spec.volumes.5': { name: 'extra', hostPath: { path: '' } } }, 'spec.volumes[5].hostPath.path: Required value'],
  [
    'a host path that leads up',
    { 'spec.volumes.5': { name: 'extra', hostPath: { path: '/a/../b', type: 'Bogus' } } },
    `spec.volumes[5].hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
    'spec.volumes[5].hostPath.type: Unsupported value: "Bogus": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
  ],
  [
    'a repository that is none',
    { 'spec.volumes.5': { name: 'extra', gitRepo: { repository: '', directory: '/abs' } } },
    'spec.volumes[5].gitRepo.directory: Invalid value: "/abs": must be a relative path',
    'spec.volumes[5].gitRepo.repository: Required value',
  ],
  [
    'a secret without a name and with a wild mode',
    {
      'spec.volumes.5': {
        name: 'extra',
        secret: {
          secretName: '',
          defaultMode: 512,
          items: [
            { key: '', path: '', mode: -1 },
            { key: 'k', path: '..x' },
          ],
        },
      },
    },
    'spec.volumes[5].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    'spec.volumes[5].secret.items[0].key: Required value',
    'spec.volumes[5].secret.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive',
    'spec.volumes[5].secret.items[0].path: Required value',
    `spec.volumes[5].secret.items[1].path: Invalid value: "..x": must not start with '..'`,
    'spec.volumes[5].secret.secretName: Required value',
  ],
  [
    'a config map without a name',
    { 'spec.volumes.5': { name: 'extra', configMap: { name: '', defaultMode: -1, items: [{ key: 'k', path: '/abs' }] } } },
    'spec.volumes[5].configMap.defaultMode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive',
    'spec.volumes[5].configMap.items[0].path: Invalid value: "/abs": must be a relative path',
    'spec.volumes[5].configMap.name: Required value',
  ],
  [
    'files of the downward API that are wrong',
    {
      'spec.volumes.5': {
        name: 'extra',
        downwardAPI: {
          defaultMode: 512,
          items: [
            { path: '', fieldRef: { fieldPath: 'metadata.name' } },
            { path: 'a' },
            { path: 'b', fieldRef: { fieldPath: 'spec.nodeName' } },
            { path: 'c', resourceFieldRef: { resource: 'limits.cpu' } },
            { path: 'd', fieldRef: { fieldPath: 'metadata.name' }, resourceFieldRef: { containerName: 'main', resource: 'limits.cpu' } },
            { path: 'e', mode: 512, fieldRef: { fieldPath: 'metadata.uid' } },
          ],
        },
      },
    },
    'spec.volumes[5].downwardAPI.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    'spec.volumes[5].downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
    'spec.volumes[5].downwardAPI.mode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    'spec.volumes[5].downwardAPI.path: Required value',
    'spec.volumes[5].downwardAPI.resourceFieldRef.containerName: Required value',
    'spec.volumes[5].downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
    'spec.volumes[5].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
  ],
  [
    'an ephemeral volume without a template',
    { 'spec.volumes.5': { name: 'extra', ephemeral: {} } },
    'spec.volumes[5].ephemeral.volumeClaimTemplate: Required value',
  ],
  [
    'an ephemeral volume with a claim that is wrong',
    {
      'spec.volumes.5': {
        name: 'extra',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { name: 'x', labels: { 'a b': 'c' } },
            spec: {
              accessModes: ['Bogus', 'ReadWriteOncePod', 'ReadWriteOnce'],
              volumeMode: 'Tape',
              storageClassName: 'A',
              dataSource: { kind: 'X', name: '' },
              volumeAttributesClassName: 'B',
              selector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
            },
          },
        },
      },
    },
    `spec.volumes[5].ephemeral.volumeClaimTemplate.metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    'spec.volumes[5].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "Bogus": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec.dataSource.name: Required value',
    `spec.volumes[5].ephemeral.volumeClaimTemplate.spec.dataSource: Invalid value: "X": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
    "spec.volumes[5].ephemeral.volumeClaimTemplate.spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    `spec.volumes[5].ephemeral.volumeClaimTemplate.spec.storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    `spec.volumes[5].ephemeral.volumeClaimTemplate.spec.volumeAttributesClassName: Invalid value: "B": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
  ],
  [
    'an ephemeral volume with a claim of nothing',
    {
      'spec.volumes.5': {
        name: 'extra',
        ephemeral: {
          volumeClaimTemplate: {
            spec: {
              resources: { requests: { storage: '0' } },
              dataSource: { apiGroup: 'A', kind: 'X', name: 'n' },
              dataSourceRef: { apiGroup: 'b', kind: 'X', name: 'm' },
            },
          },
        },
      },
    },
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
    `spec.volumes[5].ephemeral.volumeClaimTemplate.spec.dataSource.apiGroup: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec.resources[storage]: Invalid value: "0": must be greater than zero',
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec: Invalid value: {}: must match dataSourceRef',
  ],
  [
    'an ephemeral volume with two data sources',
    {
      'spec.volumes.5': {
        name: 'extra',
        ephemeral: {
          volumeClaimTemplate: {
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '1' } },
              dataSource: { apiGroup: 'a', kind: 'X', name: 'n' },
              dataSourceRef: { apiGroup: 'a', kind: 'X', name: 'n', namespace: 'NS' },
            },
          },
        },
      },
    },
    `spec.volumes[5].ephemeral.volumeClaimTemplate.spec.dataSourceRef.namespace: Invalid value: "NS": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
    'spec.volumes[5].ephemeral.volumeClaimTemplate.spec: Invalid value: {}: may not be specified when dataSourceRef.namespace is specified',
  ],
  [
    'a CSI driver that is none',
    { 'spec.volumes.5': { name: 'extra', csi: { driver: 'a b', nodePublishSecretRef: { name: '' } } } },
    `spec.volumes[5].csi.driver: Invalid value: "a b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    'spec.volumes[5].csi.nodePublishSecretRef.name: Required value',
  ],
  ['a CSI driver without a name', { 'spec.volumes.5': { name: 'extra', csi: { driver: '' } } }, 'spec.volumes[5].csi.driver: Required value'],
  [
    'a CSI driver with a long name',
    { 'spec.volumes.5': { name: 'extra', csi: { driver: 'a'.repeat(64), nodePublishSecretRef: { name: 'S' } } } },
    'spec.volumes[5].csi.driver: Too long: may not be more than 63 bytes',
    `spec.volumes[5].csi.name: Invalid value: "S": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'an image without a reference',
    { 'spec.volumes.5': { name: 'extra', image: { reference: '', pullPolicy: 'Bogus' } } },
    'spec.volumes[5].image.pullPolicy: Unsupported value: "Bogus": supported values: "Always", "IfNotPresent", "Never"',
    'spec.volumes[5].image.reference: Required value',
  ],
  [
    'an NFS export that is none',
    { 'spec.volumes.5': { name: 'extra', nfs: { server: '', path: 'rel' } } },
    'spec.volumes[5].nfs.path: Invalid value: "rel": must be an absolute path',
    'spec.volumes[5].nfs.server: Required value',
  ],
  [
    'an iSCSI target that is none',
    { 'spec.volumes.5': { name: 'extra', iscsi: { targetPortal: '', iqn: '', lun: 256, chapAuthSession: true } } },
    'spec.volumes[5].iscsi.iqn: Required value',
    'spec.volumes[5].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
    'spec.volumes[5].iscsi.secretRef: Required value',
    'spec.volumes[5].iscsi.targetPortal: Required value',
  ],
  [
    'iSCSI names of the wrong kind',
    { 'spec.volumes.5': { name: 'extra', iscsi: { targetPortal: '10.0.0.1', iqn: 'xyz', lun: 0, initiatorName: 'iqn.bad' } } },
    'spec.volumes[5].iscsi.initiatorname: Invalid value: "iqn.bad": must be valid format',
    'spec.volumes[5].iscsi.iqn: Invalid value: "xyz": must be valid format starting with iqn, eui, or naa',
  ],
  [
    'iSCSI names that are too short',
    { 'spec.volumes.5': { name: 'extra', iscsi: { targetPortal: 'a'.repeat(64), iqn: 'eui.1', lun: 0, initiatorName: 'naa.1' } } },
    'spec.volumes[5].iscsi.initiatorname: Invalid value: "naa.1": must be valid format',
    'spec.volumes[5].iscsi.iqn: Invalid value: "eui.1": must be valid format',
    'spec.volumes[5].name: Invalid value: "extra": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
  ],
  [
    'a GlusterFS volume of nothing',
    { 'spec.volumes.5': { name: 'extra', glusterfs: { endpoints: '', path: '' } } },
    'spec.volumes[5].glusterfs.endpoints: Required value',
    'spec.volumes[5].glusterfs.path: Required value',
  ],
  ['a CephFS volume of nothing', { 'spec.volumes.5': { name: 'extra', cephfs: { monitors: [] } } }, 'spec.volumes[5].cephfs.monitors: Required value'],
  [
    'an RBD image of nothing',
    { 'spec.volumes.5': { name: 'extra', rbd: { monitors: [], image: '' } } },
    'spec.volumes[5].rbd.image: Required value',
    'spec.volumes[5].rbd.monitors: Required value',
  ],
  [
    'a Cinder volume of nothing',
    { 'spec.volumes.5': { name: 'extra', cinder: { volumeID: '', secretRef: {} } } },
    'spec.volumes[5].cinder.secretRef.name: Required value',
    'spec.volumes[5].cinder.volumeID: Required value',
  ],
  [
    'a Quobyte registry that is none',
    { 'spec.volumes.5': { name: 'extra', quobyte: { registry: 'host', volume: '' } } },
    'spec.volumes[5].quobyte.registry: Invalid value: "host": must be a host:port pair or multiple pairs separated by commas',
    'spec.volumes[5].quobyte.volume: Required value',
  ],
  [
    'a Quobyte volume without a registry',
    { 'spec.volumes.5': { name: 'extra', quobyte: { registry: '', volume: 'v' } } },
    'spec.volumes[5].quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
  ],
  [
    'a Quobyte tenant that is too long',
    { 'spec.volumes.5': { name: 'extra', quobyte: { registry: 'h:1', volume: 'v', tenant: 'a'.repeat(65) } } },
    'spec.volumes[5].quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters',
  ],
  [
    'a Flocker dataset of nothing',
    { 'spec.volumes.5': { name: 'extra', flocker: {} } },
    'spec.volumes[5].flocker: Required value: one of datasetName and datasetUUID is required',
  ],
  [
    'a Flocker dataset of two names',
    { 'spec.volumes.5': { name: 'extra', flocker: { datasetName: 'a/b', datasetUUID: 'u' } } },
    `spec.volumes[5].flocker.datasetName: Invalid value: "a/b": must not contain '/'`,
    'spec.volumes[5].flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
  ],
  [
    'a fibre channel to nowhere',
    { 'spec.volumes.5': { name: 'extra', fc: {} } },
    'spec.volumes[5].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
  ],
  [
    'a fibre channel of two kinds',
    { 'spec.volumes.5': { name: 'extra', fc: { targetWWNs: ['a'], wwids: ['b'], lun: 300 } } },
    'spec.volumes[5].fc.lun: Invalid value: 300: must be between 0 and 255, inclusive',
    'spec.volumes[5].fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
  ],
  [
    'a fibre channel without a unit',
    { 'spec.volumes.5': { name: 'extra', fc: { targetWWNs: ['a'] } } },
    'spec.volumes[5].fc.lun: Required value: lun is required if targetWWNs is specified',
  ],
  [
    'a flex volume without a driver',
    { 'spec.volumes.5': { name: 'extra', flexVolume: { driver: '', options: { 'kubernetes.io/x': 'y', 'a.k8s.io/z': 'y' } } } },
    'spec.volumes[5].flexVolume.driver: Required value',
    'spec.volumes[5].flexVolume.options[a.k8s.io/z]: Invalid value: "a.k8s.io/z": kubernetes.io and k8s.io namespaces are reserved',
    'spec.volumes[5].flexVolume.options[kubernetes.io/x]: Invalid value: "kubernetes.io/x": kubernetes.io and k8s.io namespaces are reserved',
  ],
  [
    'an Azure file of nothing',
    { 'spec.volumes.5': { name: 'extra', azureFile: { secretName: '', shareName: '' } } },
    'spec.volumes[5].azureFile.secretName: Required value',
    'spec.volumes[5].azureFile.shareName: Required value',
  ],
  [
    'an Azure disk of nothing',
    { 'spec.volumes.5': { name: 'extra', azureDisk: { diskName: '', diskURI: '', cachingMode: 'Some', kind: 'Managed' } } },
    'spec.volumes[5].azureDisk.cachingMode: Unsupported value: "Some": supported values: "None", "ReadOnly", "ReadWrite"',
    'spec.volumes[5].azureDisk.diskName: Required value',
    'spec.volumes[5].azureDisk.diskURI: Required value',
    'spec.volumes[5].azureDisk.diskURI: Unsupported value: "": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
  ],
  [
    'an Azure disk of an unknown kind',
    { 'spec.volumes.5': { name: 'extra', azureDisk: { diskName: 'd', diskURI: 'ftp://x', kind: 'Bogus' } } },
    'spec.volumes[5].azureDisk.diskURI: Unsupported value: "ftp://x": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
    'spec.volumes[5].azureDisk.kind: Unsupported value: "Bogus": supported values: "Dedicated", "Managed", "Shared"',
  ],
  [
    'a vSphere volume of nothing',
    { 'spec.volumes.5': { name: 'extra', vsphereVolume: { volumePath: '' } } },
    'spec.volumes[5].vsphereVolume.volumePath: Required value',
  ],
  [
    'a Photon disk of nothing',
    { 'spec.volumes.5': { name: 'extra', photonPersistentDisk: { pdID: '' } } },
    'spec.volumes[5].photonPersistentDisk.pdID: Required value',
  ],
  [
    'a Portworx volume of nothing',
    { 'spec.volumes.5': { name: 'extra', portworxVolume: { volumeID: '' } } },
    'spec.volumes[5].portworxVolume.volumeID: Required value',
  ],
  [
    'a ScaleIO volume of nothing',
    { 'spec.volumes.5': { name: 'extra', scaleIO: { gateway: '', system: '', secretRef: { name: 's' } } } },
    'spec.volumes[5].scaleIO.gateway: Required value',
    'spec.volumes[5].scaleIO.system: Required value',
    'spec.volumes[5].scaleIO.volumeName: Required value',
  ],
  [
    'a StorageOS volume of nothing',
    { 'spec.volumes.5': { name: 'extra', storageos: { volumeNamespace: 'A', secretRef: {} } } },
    'spec.volumes[5].storageos.secretRef.name: Required value',
    'spec.volumes[5].storageos.volumeName: Required value',
    `spec.volumes[5].storageos.volumeNamespace: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
  [
    'a StorageOS volume of a bad name',
    { 'spec.volumes.5': { name: 'extra', storageos: { volumeName: 'V' } } },
    `spec.volumes[5].storageos.volumeName: Invalid value: "V": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
  [
    'a GCE disk of nothing',
    { 'spec.volumes.5': { name: 'extra', gcePersistentDisk: { pdName: '', partition: 256 } } },
    'spec.volumes[5].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
    'spec.volumes[5].persistentDisk.pdName: Required value',
  ],
  [
    'an EBS volume of nothing',
    { 'spec.volumes.5': { name: 'extra', awsElasticBlockStore: { volumeID: '', partition: -1 } } },
    'spec.volumes[5].awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive',
    'spec.volumes[5].awsElasticBlockStore.volumeID: Required value',
  ],
  [
    'projections that are wrong',
    {
      'spec.volumes.4.projected': {
        defaultMode: 512,
        sources: [
          { secret: { name: '', items: [{ key: 'k', path: 'p' }] }, configMap: { name: '', items: [{ key: 'k', path: 'p' }] } },
          { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
          { serviceAccountToken: { path: '', expirationSeconds: 599 } },
          { serviceAccountToken: { path: '../t', expirationSeconds: 4294967297 } },
        ],
      },
    },
    'spec.volumes[4].projected.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    `spec.volumes[4].projected.path: Invalid value: "../t": must not contain '..'`,
    'spec.volumes[4].projected.path: Required value',
    'spec.volumes[4].projected.sources[0].configMap.name: Required value',
    'spec.volumes[4].projected.sources[0].secret.name: Required value',
    'spec.volumes[4].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source',
    'spec.volumes[4].projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    'spec.volumes[4].projected.sources[3].serviceAccountToken.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    'spec.volumes[4].projected: Invalid value: "": conflicting duplicate paths',
    'spec.volumes[4].projected: Invalid value: "p": conflicting duplicate paths',
  ],
  [
    'a token without a service account',
    { 'spec.serviceAccountName': undefined },
    'spec.volumes[4].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
  ],
  [
    'an item of a config map with nothing',
    { 'spec.volumes.5': { name: 'extra', configMap: { name: 'c', items: [{ key: '', path: '', mode: 512 }] } } },
    'spec.volumes[5].configMap.items[0].key: Required value',
    'spec.volumes[5].configMap.items[0].mode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    'spec.volumes[5].configMap.items[0].path: Required value',
  ],
  [
    'a path of a label that leaves the volume',
    { 'spec.volumes.5': { name: 'extra', downwardAPI: { items: [{ path: '../a', fieldRef: { fieldPath: 'metadata.name' } }] } } },
    'spec.volumes[5].downwardAPI.path: Invalid value: "../a": must not contain \'..\'',
  ],
  [
    'a share without a path',
    { 'spec.volumes.5': { name: 'extra', nfs: { server: 's', path: '' } } },
    'spec.volumes[5].nfs.path: Invalid value: "": must be an absolute path',
    'spec.volumes[5].nfs.path: Required value',
  ],
  [
    'an ephemeral volume whose claim would have no name',
    {
      'metadata.name': 'a'.repeat(250),
      'spec.volumes.5': {
        name: 'extra',
        ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
      },
    },
    'spec.volumes[5].name: Invalid value: "extra": PVC name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-extra": must be no more than 253 characters',
  ],
]);
