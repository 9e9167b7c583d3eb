import { resourceslices } from '#kinds/resource/v1/resource-slice-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const slice = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: 'rules-one' },
  spec: {
    driver: 'gpu.example.com',
    pool: { name: 'node/one', generation: 1, resourceSliceCount: 1 },
    nodeName: 'node',
    devices: [
      {
        name: 'gpu-0',
        attributes: { model: { string: 'x' }, 'example.com/ver': { version: '1.2.3' } },
        capacity: { memory: { value: '1Gi' } },
        taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
      },
    ],
  },
};

describeRefusals('slices of a node', resourceslices, slice, [
  [
    'no nodes',
    { 'spec.nodeName': undefined },
    'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
  ],
  [
    'nodes in two ways',
    { 'spec.allNodes': true },
    'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
  ],
  [
    'counters beside devices',
    { 'spec.sharedCounters': [{ name: 'one', counters: { a: { value: '1' } } }] },
    'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
  ],
  ['an empty list of counters beside devices', { 'spec.sharedCounters': [] }, 'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
  [
    'not all nodes, said twice',
    { 'spec.nodeName': undefined, 'spec.allNodes': false },
    'spec.allNodes: Invalid value: false: must be either unset or set to true',
    'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
  ],
  ['no driver', { 'spec.driver': '' }, 'spec.driver: Required value'],
  [
    'an odd driver',
    { 'spec.driver': 'a_b' },
    "spec.driver: Invalid value: \"a_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  ['a long driver', { 'spec.driver': 'a'.repeat(64) }, 'spec.driver: Too long: may not be more than 63 bytes'],
  [
    'nodes by no terms',
    { 'spec.nodeName': undefined, 'spec.nodeSelector': { nodeSelectorTerms: [] } },
    'spec.nodeSelector.nodeSelectorTerms: Invalid value: []: must have exactly one node selector term',
    'spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  [
    'nodes by two terms',
    { 'spec.nodeName': undefined, 'spec.nodeSelector': { nodeSelectorTerms: [0, 1].map(() => ({ matchExpressions: [{ key: 'a', operator: 'Exists' }] })) } },
    'spec.nodeSelector.nodeSelectorTerms: Invalid value: [{"MatchExpressions":[{"Key":"a","Operator":"Exists","Values":null}],"MatchFields":null},{"MatchExpressions":[{"Key":"a","Operator":"Exists","Values":null}],"MatchFields":null}]: must have exactly one node selector term',
  ],
  [
    'nodes by an odd term',
    { 'spec.nodeName': undefined, 'spec.nodeSelector': { nodeSelectorTerms: [{ matchExpressions: [{ key: '-', operator: 'Is' }] }] } },
    "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].key: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    'spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
  ],
  ['no pool', { 'spec.pool.name': '' }, 'spec.pool.name: Required value'],
  [
    'an odd pool',
    { 'spec.pool.name': 'a/B' },
    "spec.pool.name: Invalid value: \"B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'counts below zero',
    { 'spec.pool.generation': -1, 'spec.pool.resourceSliceCount': 0 },
    'spec.pool.generation: Invalid value: -1: must be greater than or equal to zero',
    'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
  ],
  ['a device twice', { 'spec.devices': [{ name: 'a' }, { name: 'a' }] }, 'spec.devices[1]: Duplicate value: "a"'],
  [
    'a device with a node of its own',
    { 'spec.devices': [{ name: 'a', nodeName: 'node' }] },
    'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
  ],
  [
    'devices without nodes of their own',
    { 'spec.nodeName': undefined, 'spec.perDeviceNodeSelection': true, 'spec.devices': [{ name: 'a' }] },
    'spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
  ],
  [
    'devices with two nodes of their own',
    { 'spec.nodeName': undefined, 'spec.perDeviceNodeSelection': true, 'spec.devices': [{ name: 'a', nodeName: 'node', allNodes: true }] },
    'spec.devices[0]: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
  ],
  [
    'a device of an odd name',
    { 'spec.devices': [{ name: 'GPU' }] },
    "spec.devices[0].name: Invalid value: \"GPU\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'odd attributes and capacities',
    { 'spec.devices': [{ name: 'a', attributes: { 'Example/-': { string: 'x' } }, capacity: { '-': { value: '1' } } }] },
    "spec.devices[0].attributes: Invalid value: \"-\": a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')",
    "spec.devices[0].capacity: Invalid value: \"-\": a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')",
  ],
  [
    'attributes and capacities of long names',
    { 'spec.devices': [{ name: 'a', attributes: { ['a'.repeat(33)]: { string: 'x' } }, capacity: { ['a'.repeat(33)]: { value: '1' } } }] },
    'spec.devices[0].attributes: Too long: may not be more than 32 bytes',
    'spec.devices[0].capacity: Too long: may not be more than 32 bytes',
  ],
  [
    'an attribute without a value',
    { 'spec.devices.0.attributes.model': {} },
    'spec.devices[0].attributes[model]: Invalid value: "": exactly one value must be specified',
  ],
  [
    'an attribute with two values',
    { 'spec.devices.0.attributes.model': { string: 'x', int: 1 } },
    'spec.devices[0].attributes[model]: Invalid value: {"IntValue":1,"BoolValue":null,"StringValue":"x","VersionValue":null,"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified',
  ],
  [
    'an odd version',
    { 'spec.devices.0.attributes.model': { version: '1.2' } },
    'spec.devices[0].attributes[model].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0',
  ],
  [
    'a long version',
    { 'spec.devices.0.attributes.model': { version: `1.2.3-${'a'.repeat(64)}` } },
    'spec.devices[0].attributes[model].version: Too long: may not be more than 64 bytes',
  ],
  [
    'a policy of what is not shared',
    { 'spec.devices.0.capacity.memory.requestPolicy': { default: '1Gi' } },
    'spec.devices[0].capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true',
  ],
  [
    'conditions without failures',
    { 'spec.devices.0.bindingConditions': ['a'] },
    'spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
  ],
  [
    'failures without conditions',
    { 'spec.devices.0.bindingFailureConditions': ['a'] },
    'spec.devices[0].bindingConditions: Invalid value: null: bindingConditions are required to use bindingFailureConditions',
  ],
  [
    'an odd taint',
    { 'spec.devices.0.taints': [{ key: '-', value: '-', effect: 'Never' }] },
    'spec.devices[0].taints[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"',
    "spec.devices[0].taints[0].key: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    "spec.devices[0].taints[0].value: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  ['a taint without an effect', { 'spec.devices.0.taints': [{ key: 'a', effect: '' }] }, 'spec.devices[0].taints[0].effect: Required value'],
  [
    'a set of counters twice',
    { 'spec.devices': undefined, 'spec.sharedCounters': [0, 1].map(() => ({ name: 'one', counters: { a: { value: '1' } } })) },
    'spec.sharedCounters[1]: Duplicate value: "one"',
  ],
  [
    'counters without names',
    { 'spec.devices': undefined, 'spec.sharedCounters': [{ name: '', counters: {} }] },
    'spec.sharedCounters[0].counters: Required value',
    'spec.sharedCounters[0].name: Required value',
  ],
  [
    'counters of odd names',
    { 'spec.devices': undefined, 'spec.sharedCounters': [{ name: 'One', counters: { A: { value: '1' } } }] },
    "spec.sharedCounters[0].counters: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    "spec.sharedCounters[0].name: Invalid value: \"One\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
]);

describeRefusals('conditions that were sent empty', resourceslices, slice, [
  [
    'failures without conditions',
    { 'spec.devices.0.bindingConditions': [], 'spec.devices.0.bindingFailureConditions': ['a'] },
    'spec.devices[0].bindingConditions: Invalid value: []: bindingConditions are required to use bindingFailureConditions',
  ],
]);

describeUpdateRefusals('updates of slices', resourceslices, slice, [
  ['another driver', { 'spec.driver': 'other.example.com' }, 'spec.driver: Invalid value: "other.example.com": field is immutable'],
  ['another node', { 'spec.nodeName': 'other' }, 'spec.nodeName: Invalid value: "other": field is immutable'],
  ['another pool', { 'spec.pool.name': 'node/two' }, 'spec.pool.name: Invalid value: "node/two": field is immutable'],
]);
