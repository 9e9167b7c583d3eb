import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('tolerations', pods, validPod, [
  [
    'a key that is none',
    { 'spec.tolerations.0.key': 'a b' },
    `spec.tolerations[0].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'no key with an operator that needs one',
    { 'spec.tolerations.0.key': '' },
    'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
  [
    'seconds with another effect',
    { 'spec.tolerations.0.effect': 'NoSchedule' },
    'spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
  ],
  [
    'an unknown effect',
    { 'spec.tolerations.0': { key: 'k', operator: 'Exists', effect: 'Maybe' } },
    'spec.tolerations[0].effect: Unsupported value: "Maybe": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  ],
  [
    'a value that is none',
    { 'spec.tolerations.0.value': 'a b' },
    `spec.tolerations[0].operator: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ],
  [
    'a value beside Exists',
    { 'spec.tolerations.0.operator': 'Exists' },
    'spec.tolerations[0].operator: Invalid value: "v": value must be empty when `operator` is \'Exists\'',
  ],
  [
    'an unknown operator',
    { 'spec.tolerations.0.operator': 'Near' },
    'spec.tolerations[0].operator: Unsupported value: "Near": supported values: "Equal", "Exists"',
  ],
  [
    'an operator behind a gate',
    { 'spec.tolerations.0.operator': 'Gt' },
    'spec.tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"',
  ],
]);
