import { describe, expect, test } from 'vitest';
import { persistentvolumes } from '#kinds/core/v1/volume/persistent-volume-resource.ts';
import { notLabel, notSubdomain } from '../../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared } from '../../../../../test/support/rule-cases.ts';

const valid = {
  metadata: { name: 'pv' },
  spec: {
    capacity: { storage: '10Gi' },
    accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
    persistentVolumeReclaimPolicy: 'Delete',
    storageClassName: 'fast',
    mountOptions: ['noatime'],
    volumeMode: 'Block',
    volumeAttributesClassName: 'gold',
    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'In', values: ['linux'] }] }] } },
    csi: { driver: 'csi.example.com', volumeHandle: 'h', nodePublishSecretRef: { name: 's', namespace: 'ns' } },
  },
};
/** The same volume with another source. */
const from = (source: object) => ({ 'spec.csi': undefined, 'spec.volumeAttributesClassName': undefined, ...source });
const modes = '"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"';
const size = 'spec.capacity[storage]';

describeRefusals('persistent volumes', persistentvolumes, valid, [
  ['no access modes', { 'spec.accessModes': [] }, 'spec.accessModes: Required value'],
  ['an unknown access mode', { 'spec.accessModes': ['Any'] }, `spec.accessModes: Unsupported value: "Any": supported values: ${modes}`],
  [
    'one pod only, and others',
    { 'spec.accessModes': ['ReadWriteOncePod', 'ReadWriteOnce'] },
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ],
  ['no capacity', { 'spec.capacity': undefined }, 'spec.capacity: Required value', 'spec.capacity: Unsupported value: null: supported values: "storage"'],
  [
    'another capacity than storage',
    { 'spec.capacity.cpu': '1' },
    'spec.capacity: Unsupported value: {"cpu":"1","storage":"10Gi"}: supported values: "storage"',
  ],
  ['a capacity of nothing', { 'spec.capacity.storage': '0' }, `${size}: Invalid value: "0": must be greater than zero`],
  [
    'a negative capacity',
    { 'spec.capacity.storage': '-1' },
    `${size}: Invalid value: -1: must be a valid resource quantity`,
    `${size}: Invalid value: "-1": must be greater than zero`,
  ],
  [
    'an unknown reclaim policy',
    { 'spec.persistentVolumeReclaimPolicy': 'Keep' },
    'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"',
  ],
  [
    'recycling the root of a host',
    from({ 'spec.hostPath': { path: '/' }, 'spec.persistentVolumeReclaimPolicy': 'Recycle' }),
    "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
  ],
  ['empty node affinity', { 'spec.nodeAffinity': {} }, 'spec.nodeAffinity.required: Required value: must specify required node constraints'],
  ['no source', from({}), 'spec: Required value: must specify a volume type'],
  ['two sources', { 'spec.hostPath': { path: '/x' } }, 'spec.csi: Forbidden: may not specify more than 1 volume type'],
  [
    'a local path with a step up and no affinity',
    from({ 'spec.local': { path: '/a/../b' }, 'spec.nodeAffinity': undefined }),
    `spec.local.path: Invalid value: "/a/../b": must not contain '..'`,
    'spec.nodeAffinity: Required value: Local volume requires node affinity',
  ],
  ['a driver without name', { 'spec.csi.driver': '' }, 'spec.csi.driver: Required value'],
  ['no volume handle', { 'spec.csi.volumeHandle': '' }, 'spec.csi.volumeHandle: Required value'],
  [
    'a secret without name and namespace',
    { 'spec.csi.nodePublishSecretRef': {} },
    'spec.csi.nodePublishSecretRef.name: Required value',
    'spec.csi.nodePublishSecretRef.namespace: Required value',
  ],
  ['a secret in a namespace that is none', { 'spec.csi.nodePublishSecretRef.namespace': 'A' }, `spec.csi.nodePublishSecretRef.namespace: ${notLabel('A')}`],
  ['a class that is no name', { 'spec.storageClassName': 'A' }, `spec.storageClassName: ${notSubdomain('A')}`],
  ['an unknown volume mode', { 'spec.volumeMode': 'Tape' }, 'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
  ['an empty attributes class', { 'spec.volumeAttributesClassName': '' }, 'spec.volumeAttributesClassName: Required value: an empty string is disallowed'],
  [
    'an attributes class without CSI',
    { 'spec.csi': undefined, 'spec.nfs': { server: 's', path: '/' } },
    'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
  ],
  [
    'mount options in an annotation',
    { 'metadata.annotations': { 'volume.beta.kubernetes.io/mount-options': 'ro' } },
    'metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type',
  ],
  [
    'no term of nodes',
    { 'spec.nodeAffinity.required.nodeSelectorTerms': [] },
    'spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  ['too long a driver', { 'spec.csi.driver': 'd'.repeat(64) }, 'spec.csi.driver: Too long: may not be more than 63 bytes'],
  ['a driver that is no name', { 'spec.csi.driver': 'a b' }, `spec.csi.driver: ${notSubdomain('a b')}`],
  ['an attributes class that is no name', { 'spec.volumeAttributesClassName': 'A' }, `spec.volumeAttributesClassName: ${notSubdomain('A')}`],
  [
    'nothing in controllerPublishSecretRef',
    { 'spec.csi.controllerPublishSecretRef': { name: '', namespace: '' } },
    'spec.csi.controllerPublishSecretRef.name: Required value',
    'spec.csi.controllerPublishSecretRef.namespace: Required value',
  ],
  [
    'no names in controllerPublishSecretRef',
    { 'spec.csi.controllerPublishSecretRef': { name: 'A', namespace: 'B' } },
    `spec.csi.controllerPublishSecretRef.name: ${notSubdomain('A')}`,
    `spec.csi.controllerPublishSecretRef.namespace: ${notLabel('B')}`,
  ],
  [
    'nothing in controllerExpandSecretRef',
    { 'spec.csi.controllerExpandSecretRef': { name: '', namespace: '' } },
    'spec.csi.controllerExpandSecretRef.name: Required value',
    'spec.csi.controllerExpandSecretRef.namespace: Required value',
  ],
  [
    'no names in controllerExpandSecretRef',
    { 'spec.csi.controllerExpandSecretRef': { name: 'A', namespace: 'B' } },
    `spec.csi.controllerExpandSecretRef.name: ${notSubdomain('A')}`,
    `spec.csi.controllerExpandSecretRef.namespace: ${notLabel('B')}`,
  ],
  [
    'nothing in nodePublishSecretRef',
    { 'spec.csi.nodePublishSecretRef': { name: '', namespace: '' } },
    'spec.csi.nodePublishSecretRef.name: Required value',
    'spec.csi.nodePublishSecretRef.namespace: Required value',
  ],
  [
    'no names in nodePublishSecretRef',
    { 'spec.csi.nodePublishSecretRef': { name: 'A', namespace: 'B' } },
    `spec.csi.nodePublishSecretRef.name: ${notSubdomain('A')}`,
    `spec.csi.nodePublishSecretRef.namespace: ${notLabel('B')}`,
  ],
  [
    'nothing in nodeExpandSecretRef',
    { 'spec.csi.nodeExpandSecretRef': { name: '', namespace: '' } },
    'spec.csi.nodeExpandSecretRef.name: Required value',
    'spec.csi.nodeExpandSecretRef.namespace: Required value',
  ],
  [
    'no names in nodeExpandSecretRef',
    { 'spec.csi.nodeExpandSecretRef': { name: 'A', namespace: 'B' } },
    `spec.csi.nodeExpandSecretRef.name: ${notSubdomain('A')}`,
    `spec.csi.nodeExpandSecretRef.namespace: ${notLabel('B')}`,
  ],
]);

describeRefusals('old sources of persistent volumes', persistentvolumes, valid, [
  ['iSCSI with nothing', from({ 'spec.iscsi': {} }), 'spec.iscsi.iqn: Required value', 'spec.iscsi.targetPortal: Required value'],
  [
    'an iSCSI name that is none',
    from({ 'spec.iscsi': { targetPortal: 'p', iqn: 'x', chapAuthSession: true } }),
    'spec.iscsi.iqn: Invalid value: "x": must be valid format',
    'spec.iscsi.secretRef: Required value',
  ],
  [
    'gluster in no namespace',
    from({ 'spec.glusterfs': { endpoints: 'e', path: 'p', endpointsNamespace: '' } }),
    'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
  ],
  [
    'azure files with nothing',
    from({ 'spec.azureFile': { secretNamespace: '' } }),
    'spec.azureFile.secretName: Required value',
    'spec.azureFile.secretNamespace: Required value',
    'spec.azureFile.shareName: Required value',
  ],
  [
    'cinder with an empty secret',
    from({ 'spec.cinder': { secretRef: {} } }),
    'spec.cinder.secretRef.name: Required value',
    'spec.cinder.secretRef.namespace: Required value',
    'spec.cinder.volumeID: Required value',
  ],
  [
    'storage OS with an empty secret',
    from({ 'spec.storageos': { volumeName: 'v', secretRef: {} } }),
    'spec.storageos.secretRef.name: Required value',
    'spec.storageos.secretRef.namespace: Required value',
  ],
  ['a local volume with nothing', { ...from({ 'spec.local': { path: '' } }) }, 'spec.local.path: Required value'],
  ['a share without absolute path', { ...from({ 'spec.nfs': { server: 's', path: 'rel' } }) }, 'spec.nfs.path: Invalid value: "rel": must be an absolute path'],
  ['fibre channel with nothing', { ...from({ 'spec.fc': {} }) }, 'spec.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
  ['a flex volume with nothing', { ...from({ 'spec.flexVolume': { driver: '' } }) }, 'spec.flexVolume.driver: Required value'],
  ['a path of the host with nothing', { ...from({ 'spec.hostPath': { path: '' } }) }, 'spec.hostPath.path: Required value'],
  ['RBD with nothing', { ...from({ 'spec.rbd': { monitors: [], image: '' } }) }, 'spec.rbd.image: Required value', 'spec.rbd.monitors: Required value'],
  ['CephFS with nothing', { ...from({ 'spec.cephfs': { monitors: [] } }) }, 'spec.cephfs.monitors: Required value'],
  [
    'ScaleIO with nothing',
    { ...from({ 'spec.scaleIO': { gateway: '', system: '', secretRef: null, volumeName: '' } }) },
    'spec.scaleIO.gateway: Required value',
    'spec.scaleIO.system: Required value',
    'spec.scaleIO.volumeName: Required value',
  ],
  ['a disk of GCE with nothing', { ...from({ 'spec.gcePersistentDisk': { pdName: '' } }) }, 'spec.persistentDisk.pdName: Required value'],
  ['a disk of AWS with nothing', { ...from({ 'spec.awsElasticBlockStore': { volumeID: '' } }) }, 'spec.awsElasticBlockStore.volumeID: Required value'],
  [
    'Quobyte with nothing',
    { ...from({ 'spec.quobyte': { registry: '', volume: '' } }) },
    'spec.quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
    'spec.quobyte.volume: Required value',
  ],
  ['Flocker with nothing', { ...from({ 'spec.flocker': {} }) }, 'spec.flocker: Required value: one of datasetName and datasetUUID is required'],
  [
    'a disk of Azure with nothing',
    { ...from({ 'spec.azureDisk': { diskName: '', diskURI: '' } }) },
    'spec.azureDisk.diskName: Required value',
    'spec.azureDisk.diskURI: Required value',
    'spec.azureDisk.diskURI: Unsupported value: "": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
  ],
  ['vSphere with nothing', { ...from({ 'spec.vsphereVolume': { volumePath: '' } }) }, 'spec.vsphereVolume.volumePath: Required value'],
  ['Photon with nothing', { ...from({ 'spec.photonPersistentDisk': { pdID: '' } }) }, 'spec.photonPersistentDisk.pdID: Required value'],
  ['Portworx with nothing', { ...from({ 'spec.portworxVolume': { volumeID: '' } }) }, 'spec.portworxVolume.volumeID: Required value'],
]);

describeUpdateRefusals('updates of persistent volumes', persistentvolumes, valid, [
  ['another source', { 'spec.csi.volumeHandle': 'i' }, 'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation'],
  ['nothing when the secret for growing comes', { 'spec.csi.controllerExpandSecretRef': { name: 's', namespace: 'ns' } }],
  ['nothing when a label of old becomes stable', { 'spec.nodeAffinity.required.nodeSelectorTerms.0.matchExpressions.0.key': 'kubernetes.io/os' }],
  [
    'other node affinity',
    { 'spec.nodeAffinity.required.nodeSelectorTerms.0.matchExpressions.0.values': ['windows'] },
    'nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"beta.kubernetes.io/os","Operator":"In","Values":["windows"]}],"MatchFields":null}]}}: field is immutable, except for updating from beta label to GA',
  ],
  ['another mode', { 'spec.volumeMode': 'Filesystem' }, 'volumeMode: Invalid value: "Filesystem": field is immutable'],
  [
    'no attributes class any more',
    { 'spec.volumeAttributesClassName': undefined },
    'spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden',
  ],
]);

describe('persistent volumes', () => {
  const context = contextWith();

  test('begin pending, and say since when', () => {
    const volume = prepared(persistentvolumes, changed(valid, { status: { phase: 'Bound' } }), context);
    expect(volume['status']).toEqual({ phase: 'Pending', lastPhaseTransitionTime: '2030-01-02T03:04:05Z' });
  });

  test('tell when their phase changes', () => {
    const old = prepared(persistentvolumes, valid, context);
    old['status'] = { phase: 'Pending', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' };
    const next = (status: object) => {
      const volume = changed(old, { status });
      persistentvolumes.strategy.subresources?.['status']?.prepareForUpdate(volume, old, context);
      return (volume['status'] as { lastPhaseTransitionTime?: string }).lastPhaseTransitionTime;
    };
    expect(next({ phase: 'Pending' })).toBe('2020-01-01T00:00:00Z');
    expect(next({ phase: 'Bound', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' })).toBe('2030-01-02T03:04:05Z');
    expect(next({ phase: 'Bound', lastPhaseTransitionTime: '2025-01-01T00:00:00Z' })).toBe('2025-01-01T00:00:00Z');
  });
});
