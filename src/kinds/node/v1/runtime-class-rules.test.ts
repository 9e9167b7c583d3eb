import { runtimeclasses } from '#kinds/node/v1/runtime-class-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const runtimeClass = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'rules-one' },
  handler: 'runc',
  overhead: { podFixed: { cpu: '10m' } },
  scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
};

describeRefusals('runtime classes with all their parts', runtimeclasses, runtimeClass, [
  ['no handler', { handler: '' }, 'handler: Required value'],
  [
    'an odd handler',
    { handler: 'Runc' },
    "handler: Invalid value: \"Runc\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  ['an overhead below zero', { 'overhead.podFixed.cpu': '-1' }, 'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
  [
    'an overhead of an unknown resource',
    { 'overhead.podFixed': { odd: '1' } },
    'overhead.limits[odd]: Invalid value: "odd": must be a standard resource for containers',
    'overhead.limits[odd]: Invalid value: "odd": must be a standard resource type or fully qualified',
  ],
  [
    'an odd node selector',
    { 'scheduling.nodeSelector': { '-': '-' } },
    "scheduling.nodeSelector: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    "scheduling.nodeSelector: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'an odd toleration',
    { 'scheduling.tolerations': [{ key: '-', operator: 'Is', effect: 'Never' }] },
    'scheduling.tolerations[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    "scheduling.tolerations[0].key: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    'scheduling.tolerations[0].operator: Unsupported value: "Is": supported values: "Equal", "Exists"',
  ],
  [
    'a toleration twice',
    {
      'scheduling.tolerations': [
        { key: 'a', operator: 'Exists' },
        { key: 'a', operator: 'Exists' },
      ],
    },
    'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
  ],
]);

describeUpdateRefusals('updates of runtime classes', runtimeclasses, runtimeClass, [
  ['another handler', { handler: 'kata' }, 'handler: Invalid value: "kata": field is immutable'],
]);
