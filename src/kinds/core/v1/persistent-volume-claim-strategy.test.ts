import { describe, expect, test } from 'vitest';
import { persistentvolumeclaims } from '#kinds/core/v1/persistent-volume-claim.ts';
import { notSubdomain } from '../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared } from '../../../../test/support/rule-cases.ts';

const source = { kind: 'PersistentVolumeClaim', name: 'other' };
const valid = {
  metadata: { name: 'data' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    selector: { matchLabels: { a: 'b' } },
    resources: { requests: { storage: '10Gi' }, limits: { storage: '20Gi' } },
    storageClassName: 'fast',
    volumeMode: 'Filesystem',
    volumeAttributesClassName: 'gold',
    dataSource: source,
    dataSourceRef: source,
  },
};
const bound = changed(valid, { 'spec.volumeName': 'pv', status: { phase: 'Bound', capacity: { storage: '10Gi' }, currentVolumeAttributesClassName: 'gold' } });
const fixed = 'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

describeRefusals('claims', persistentvolumeclaims, valid, [
  ['no access modes', { 'spec.accessModes': [] }, 'spec.accessModes: Required value: at least 1 access mode is required'],
  ['no size', { 'spec.resources': {} }, 'spec.resources[storage]: Required value'],
  ['a size of nothing', { 'spec.resources.requests.storage': '0' }, 'spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ['a class that is no name', { 'spec.storageClassName': 'A' }, `spec.storageClassName: ${notSubdomain('A')}`],
  ['an unknown volume mode', { 'spec.volumeMode': 'Tape' }, 'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
  [
    'a data source of another kind',
    { 'spec.dataSource': undefined, 'spec.dataSourceRef': { kind: 'Tape', name: 't' } },
    'spec.dataSource: Invalid value: "Tape": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
    'spec.dataSourceRef: Invalid value: "Tape": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
  ],
  ['two data sources', { 'spec.dataSource': { ...source, name: 'third' } }, 'spec: Invalid value: {}: must match dataSourceRef'],
]);

describeUpdateRefusals('updates of claims', persistentvolumeclaims, valid, [
  ['other access modes', { 'spec.accessModes': ['ReadWriteMany'] }, fixed],
  ['a larger size before there is a volume', { 'spec.resources.requests.storage': '11Gi' }, fixed],
  ['nothing when a volume is found', { 'spec.volumeName': 'pv' }],
  ['another mode', { 'spec.volumeMode': 'Block' }, fixed, 'volumeMode: Invalid value: "Block": field is immutable'],
  [
    'an annotation for a class',
    { 'metadata.annotations': { 'volume.beta.kubernetes.io/storage-class': 'x' } },
    'metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "x": field is immutable',
  ],
]);

describeUpdateRefusals('updates of bound claims', persistentvolumeclaims, bound, [
  ['nothing when more is asked for', { 'spec.resources.requests.storage': '11Gi', 'spec.volumeAttributesClassName': 'silver' }],
  [
    'less than there is',
    { 'spec.resources.requests.storage': '9Gi' },
    'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  ],
  [
    'no attributes class while there is one',
    { 'spec.volumeAttributesClassName': undefined },
    'spec.volumeAttributesClassName: Forbidden: update to nil is forbidden when status.currentVolumeAttributesClassName is not nil',
  ],
]);

describeUpdateRefusals(
  'statuses of claims',
  persistentvolumeclaims,
  valid,
  [
    ['a negative capacity', { 'status.capacity': { storage: '-1' } }, 'status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
    [
      'a resource that is none',
      { 'status.allocatedResources': { cpu: '1' } },
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
    ],
    [
      'an unknown state of growing',
      { 'status.allocatedResourceStatuses': { storage: 'Growing' } },
      'status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
    ],
  ],
  'status',
);

describe('data sources of claims', () => {
  const context = contextWith();
  const specOf = (spec: object) =>
    prepared(
      persistentvolumeclaims,
      { metadata: { name: 'a' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, ...spec } },
      context,
    )['spec'];

  test('stand in both fields', () => {
    expect(specOf({ dataSource: source })).toMatchObject({ dataSourceRef: source });
    expect(specOf({ dataSourceRef: source })).toMatchObject({ dataSource: source });
  });

  test('of other kinds are ignored in the old field', () => {
    expect(specOf({ dataSource: { apiGroup: 'example.com', kind: 'Tape', name: 't' } })).not.toHaveProperty('dataSource');
  });

  test('in other namespaces are ignored while that is behind a gate', () => {
    expect(specOf({ dataSourceRef: { ...source, namespace: 'x' } })).not.toHaveProperty('dataSourceRef');
  });
});
