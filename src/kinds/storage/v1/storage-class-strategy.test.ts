import { expect, test } from 'vitest';
import { storageclasses } from '#kinds/storage/v1/storage-class-resource.ts';
import { notKey } from '../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: 'csi.Example.com',
  parameters: { type: 'ssd' },
  reclaimPolicy: 'Retain',
  mountOptions: ['noatime'],
  allowVolumeExpansion: true,
  volumeBindingMode: 'WaitForFirstConsumer',
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['a', 'b'] }] }],
};
const term = 'allowedTopologies[0].matchLabelExpressions';

describeRefusals('storage classes', storageclasses, valid, [
  ['no provisioner', { provisioner: '' }, 'provisioner: Required value'],
  ['a provisioner that is no name', { provisioner: 'a b' }, `provisioner: ${notKey('a b')}`],
  ['a parameter without name', { parameters: { '': 'x' } }, 'parameters: Invalid value: "": field can not be empty.'],
  [
    'too many parameters',
    { parameters: Object.fromEntries(Array.from({ length: 513 }, (_, n) => [`p${n}`, 'x'])) },
    'parameters: Too long: may not be more than 512 bytes',
  ],
  ['too long parameters', { parameters: { a: 'x'.repeat(256 * 1024) } }, 'parameters: Too long: may not be more than 262144 bytes'],
  ['an unknown reclaim policy', { reclaimPolicy: 'Recycle' }, 'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
  [
    'an unknown binding mode',
    { volumeBindingMode: 'Later' },
    'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
  ],
  ['a topology key that is none', { 'allowedTopologies.0.matchLabelExpressions.0.key': 'a b' }, `${term}[0].key: ${notKey('a b')}`],
  ['a topology without values', { 'allowedTopologies.0.matchLabelExpressions.0.values': [] }, `${term}[0].values: Required value`],
  ['a topology value twice', { 'allowedTopologies.0.matchLabelExpressions.0.values': ['a', 'a'] }, `${term}[0].values[1]: Duplicate value: "a"`],
  [
    'a topology key twice',
    {
      'allowedTopologies.0.matchLabelExpressions': [
        { key: 'k', values: ['a'] },
        { key: 'k', values: ['b'] },
      ],
    },
    `${term}[1].key: Duplicate value: "k"`,
  ],
  [
    'equal terms',
    { 'allowedTopologies.1': { matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['b', 'a'] }] } },
    'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
  ],
]);

describeUpdateRefusals('updates of storage classes', storageclasses, valid, [
  ['another provisioner', { provisioner: 'other' }, 'provisioner: Invalid value: "other": field is immutable'],
  ['other parameters', { parameters: { a: 'b' } }, 'parameters: Invalid value: {"a":"b"}: field is immutable'],
  ['another reclaim policy', { reclaimPolicy: 'Delete' }, 'reclaimPolicy: Invalid value: "Delete": field is immutable'],
  ['another binding mode', { volumeBindingMode: 'Immediate' }, 'volumeBindingMode: Invalid value: "Immediate": field is immutable'],
]);

test('a storage class deletes volumes and binds at once unless told otherwise', () => {
  const plain = prepared(storageclasses, { metadata: { name: 'a' }, provisioner: 'p' }, contextWith());
  expect(plain).toMatchObject({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
});

test('labels of old are warned about', () => {
  const old = changed(valid, { 'allowedTopologies.0.matchLabelExpressions.0.key': 'failure-domain.beta.kubernetes.io/zone' });
  const warnings = storageclasses.strategy.warnOnCreate?.(prepared(storageclasses, old, contextWith()), contextWith());
  expect(warnings).toEqual([`${term}[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead`]);
});
