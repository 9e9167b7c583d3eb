import { storageclasses } from '#kinds/storage/v1/storage-class-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'rules-one' },
  provisioner: 'example.com/disk',
  parameters: { a: 'b' },
  reclaimPolicy: 'Retain',
  volumeBindingMode: 'Immediate',
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
};

describeRefusals('storage classes with topologies', storageclasses, storageClass, [
  ['an unknown reclaim policy', { reclaimPolicy: 'Recycle' }, 'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
  [
    'an unknown binding mode',
    { volumeBindingMode: 'Later' },
    'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
  ],
  ['no provisioner', { provisioner: '' }, 'provisioner: Required value'],
  [
    'an odd provisioner',
    { provisioner: 'a/b/c' },
    "provisioner: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  ],
  [
    'too many parameters',
    { parameters: Object.fromEntries(Array.from({ length: 513 }, (_, n) => [`k${n}`, ''])) },
    'parameters: Too long: may not be more than 512 bytes',
  ],
  ['a parameter without a name', { parameters: { '': 'x' } }, 'parameters: Invalid value: "": field can not be empty.'],
  ['parameters that are too long', { parameters: { a: 'x'.repeat(256 * 1024) } }, 'parameters: Too long: may not be more than 262144 bytes'],
  [
    'a topology of an odd key',
    { 'allowedTopologies.0.matchLabelExpressions.0.key': '-' },
    "allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'a topology with a key twice',
    {
      'allowedTopologies.0.matchLabelExpressions': [
        { key: 'zone', values: ['a'] },
        { key: 'zone', values: ['b'] },
      ],
    },
    'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "zone"',
  ],
  [
    'a topology without values',
    { 'allowedTopologies.0.matchLabelExpressions.0.values': [] },
    'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
  ],
  [
    'a topology with a value twice',
    { 'allowedTopologies.0.matchLabelExpressions.0.values': ['a', 'a'] },
    'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"',
  ],
  [
    'a topology twice',
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }, { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] }] },
    'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
  ],
]);

describeUpdateRefusals('updates of storage classes', storageclasses, storageClass, [
  ['another reclaim policy', { reclaimPolicy: 'Delete' }, 'reclaimPolicy: Invalid value: "Delete": field is immutable'],
  ['another binding mode', { volumeBindingMode: 'WaitForFirstConsumer' }, 'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable'],
  ['another provisioner', { provisioner: 'example.com/other' }, 'provisioner: Invalid value: "example.com/other": field is immutable'],
  ['no parameters, said aloud', { parameters: {} }, 'parameters: Invalid value: {}: field is immutable'],
  ['no parameters', { parameters: undefined }, 'parameters: Invalid value: null: field is immutable'],
  ['other parameters', { parameters: { a: 'c' } }, 'parameters: Invalid value: {"a":"c"}: field is immutable'],
]);
