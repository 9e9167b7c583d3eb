import { devicetaintrules } from '#kinds/resource/v1alpha3/device-taint-rule-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const taintRule = {
  apiVersion: 'resource.k8s.io/v1alpha3',
  kind: 'DeviceTaintRule',
  metadata: { name: 'rules-one' },
  spec: { deviceSelector: { driver: 'gpu.example.com', pool: 'node/one', device: 'gpu-0' }, taint: { key: 'a', effect: 'NoSchedule' } },
};

describeRefusals(
  'taint rules',
  devicetaintrules,
  taintRule,
  [
    [
      'an odd selector',
      { 'spec.deviceSelector': { driver: 'a_b', pool: 'a/B', device: 'GPU' } },
      "spec.deviceSelector.device: Invalid value: \"GPU\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      "spec.deviceSelector.driver: Invalid value: \"a_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.deviceSelector.pool: Invalid value: \"B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'an odd taint',
      { 'spec.taint': { key: '-', value: '-', effect: 'Never' } },
      'spec.taint.effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"',
      "spec.taint.key: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.taint.value: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    [
      'no taint',
      { 'spec.taint': { key: '', effect: '' } },
      'spec.taint.effect: Required value',
      'spec.taint.key: Invalid value: "": name part must be non-empty',
      "spec.taint.key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  { notAsked: 'served only when asked for' },
);

describeUpdateRefusals(
  'status of taint rules',
  devicetaintrules,
  taintRule,
  [
    [
      'too many conditions',
      {
        'status.conditions': Array.from({ length: 9 }, (_, n) => ({
          type: `T${n}`,
          status: 'True',
          reason: 'R',
          message: '',
          lastTransitionTime: '2030-01-01T00:00:00Z',
        })),
      },
      'status.conditions: Too many: 9: must have at most 8 items',
    ],
    [
      'a condition without anything',
      { 'status.conditions': [{ type: '', status: 'Perhaps', reason: '', message: '', lastTransitionTime: null }] },
      'status.conditions[0].lastTransitionTime: Required value',
      'status.conditions[0].reason: Required value',
      'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
      'status.conditions[0].type: Invalid value: "": name part must be non-empty',
      "status.conditions[0].type: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  'status',
  { notAsked: 'served only when asked for' },
);
