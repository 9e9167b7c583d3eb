import { describe, expect, test } from 'vitest';
import { persistentvolumeclaims } from '#kinds/core/v1/volume/persistent-volume-claim-resource.ts';
import { notKey, notLabel, notLabelValue, notSubdomain } from '../../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared } from '../../../../../test/support/rule-cases.ts';

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
  [
    'an unknown access mode',
    { 'spec.accessModes': ['Any'] },
    'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
  ],
  [
    'one pod only, and others',
    { 'spec.accessModes': ['ReadWriteOncePod', 'ReadWriteOnce'] },
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ],
  [
    'a selector that is wrong',
    {
      'spec.selector': {
        matchLabels: { 'a b': 'c', d: 'e f' },
        matchExpressions: [
          { key: 'a', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['b'] },
          { key: 'a', operator: 'Near' },
          { key: 'g h', operator: 'Exists' },
          { key: 'a', operator: 'In', values: ['i j'] },
        ],
      },
    },
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    'spec.selector.matchExpressions[2].operator: Invalid value: "Near": not a valid selector operator',
    `spec.selector.matchExpressions[3].key: ${notKey('g h')}`,
    `spec.selector.matchExpressions[4].values[0]: ${notLabelValue('i j')}`,
    `spec.selector.matchLabels: ${notKey('a b')}`,
    `spec.selector.matchLabels: ${notLabelValue('e f')}`,
  ],
  ['an attributes class that is no name', { 'spec.volumeAttributesClassName': 'A' }, `spec.volumeAttributesClassName: ${notSubdomain('A')}`],
  [
    'a source without name',
    { 'spec.dataSource': { kind: 'PersistentVolumeClaim', name: '' }, 'spec.dataSourceRef': undefined },
    'spec.dataSource.name: Required value',
    'spec.dataSourceRef.name: Required value',
  ],
  [
    'a source without kind',
    { 'spec.dataSource': undefined, 'spec.dataSourceRef': { apiGroup: 'example.com', kind: '', name: 'a' } },
    'spec.dataSource.kind: Required value',
    'spec.dataSourceRef.kind: Required value',
  ],
  [
    'a source of a group that is none',
    { 'spec.dataSource': { apiGroup: 'A', kind: 'K', name: 'a' }, 'spec.dataSourceRef': { apiGroup: 'A', kind: 'K', name: 'a' } },
    `spec.dataSource.apiGroup: ${notSubdomain('A')}`,
    `spec.dataSourceRef.apiGroup: ${notSubdomain('A')}`,
  ],
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
  [
    'an empty attributes class while there is one',
    { 'spec.volumeAttributesClassName': '' },
    'spec.volumeAttributesClassName: Forbidden: update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil',
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
    [
      'a state of growing for a resource that is none',
      { 'status.allocatedResourceStatuses': { cpu: 'NodeResizePending' } },
      'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"',
    ],
    [
      'a state of growing for a resource that is no name',
      { 'status.allocatedResourceStatuses': { 'a b': 'NodeResizePending' } },
      `status.allocatedResourceStatuses: ${notKey('a b')}`,
    ],
    [
      'less than nothing allocated',
      { 'status.allocatedResources': { storage: '-1' } },
      'status.allocatedResources[storage]: Invalid value: -1: must be a valid resource quantity',
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

describeRefusals(
  'claims with sources of other namespaces',
  persistentvolumeclaims,
  changed(valid, { 'spec.dataSource': undefined, 'spec.dataSourceRef': { ...source, namespace: 'other' } }),
  [
    ['a namespace that is none', { 'spec.dataSourceRef.namespace': 'A' }, `spec.dataSourceRef.namespace: ${notLabel('A')}`],
    ['two sources', { 'spec.dataSource': source }, 'spec: Invalid value: {}: may not be specified when dataSourceRef.namespace is specified'],
  ],
  { gates: { CrossNamespaceVolumeDataSource: 'true', AnyVolumeDataSource: 'true' } },
);
