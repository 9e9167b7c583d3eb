import { resourceclaims } from '#kinds/resource/v1/resource-claim-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const claim = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'one' },
  spec: {
    devices: {
      requests: [
        { name: 'gpu', exactly: { deviceClassName: 'gpu.example.com', tolerations: [{ key: 'a', operator: 'Exists' }] } },
        {
          name: 'any',
          firstAvailable: [
            { name: 'big', deviceClassName: 'big.example.com' },
            { name: 'small', deviceClassName: 'small.example.com' },
          ],
        },
      ],
      constraints: [{ requests: ['gpu', 'any/big'], matchAttribute: 'example.com/model' }],
      config: [{ requests: ['gpu'], opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } }],
    },
  },
};

describeRefusals('claims of several devices', resourceclaims, claim, [
  [
    'a request for nothing',
    { 'spec.devices.requests.0.exactly': undefined },
    'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
  ],
  [
    'a request for two things',
    { 'spec.devices.requests.0.firstAvailable': [{ name: 'big', deviceClassName: 'big.example.com' }] },
    'spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set',
  ],
  ['a request twice', { 'spec.devices.requests.1.name': 'gpu', 'spec.devices.constraints': [] }, 'spec.devices.requests[1]: Duplicate value: "gpu"'],
  [
    'requests of odd names',
    {
      'spec.devices.requests.0.name': 'GPU',
      'spec.devices.requests.1.firstAvailable.0.name': 'Big',
      'spec.devices.constraints': [],
      'spec.devices.config': [],
    },
    "spec.devices.requests[0].name: Invalid value: \"GPU\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    "spec.devices.requests[1].firstAvailable[0].name: Invalid value: \"Big\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  ['an alternative twice', { 'spec.devices.requests.1.firstAvailable.1.name': 'big' }, 'spec.devices.requests[1].firstAvailable[1]: Duplicate value: "big"'],
  [
    'no classes',
    { 'spec.devices.requests.0.exactly.deviceClassName': '', 'spec.devices.requests.1.firstAvailable.0.deviceClassName': '' },
    'spec.devices.requests[0].exactly.deviceClassName: Required value',
    'spec.devices.requests[1].firstAvailable[0].deviceClassName: Required value',
  ],
  [
    'odd classes',
    { 'spec.devices.requests.0.exactly.deviceClassName': 'GPU', 'spec.devices.requests.1.firstAvailable.0.deviceClassName': 'Big' },
    "spec.devices.requests[0].exactly.deviceClassName: Invalid value: \"GPU\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    "spec.devices.requests[1].firstAvailable[0].deviceClassName: Invalid value: \"Big\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'unknown modes',
    { 'spec.devices.requests.0.exactly.allocationMode': 'Some', 'spec.devices.requests.1.firstAvailable.0.allocationMode': 'Some' },
    'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
    'spec.devices.requests[1].firstAvailable[0].allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
  ],
  [
    'fewer than none',
    { 'spec.devices.requests.0.exactly.count': -1, 'spec.devices.requests.1.firstAvailable.0.count': -1 },
    'spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero',
    'spec.devices.requests[1].firstAvailable[0].count: Invalid value: -1: must be greater than zero',
  ],
  [
    'a number of all',
    { 'spec.devices.requests.0.exactly.allocationMode': 'All', 'spec.devices.requests.0.exactly.count': 2 },
    "spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
  ],
  [
    'a selector without an expression',
    { 'spec.devices.requests.0.exactly.selectors': [{}] },
    'spec.devices.requests[0].exactly.selectors[0].cel: Required value',
  ],
  [
    'a selector with an empty expression',
    { 'spec.devices.requests.0.exactly.selectors': [{ cel: { expression: '' } }] },
    "spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: \"\": compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
  ],
  [
    'too many selectors',
    { 'spec.devices.requests.0.exactly.selectors': Array.from({ length: 33 }, () => ({ cel: { expression: 'true' } })) },
    'spec.devices.requests[0].exactly.selectors: Too many: 33: must have at most 32 items',
  ],
  [
    'an odd toleration',
    { 'spec.devices.requests.0.exactly.tolerations': [{ key: '-', operator: 'Is', effect: 'Never' }] },
    'spec.devices.requests[0].exactly.tolerations[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"',
    "spec.devices.requests[0].exactly.tolerations[0].key: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    'spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported value: "Is": supported values: "Equal", "Exists"',
  ],
  [
    'a toleration of any value with one',
    { 'spec.devices.requests.0.exactly.tolerations': [{ key: 'a', operator: 'Exists', value: 'b' }] },
    'spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "b": must be empty for operator `Exists`',
  ],
  [
    'a toleration of an odd value',
    { 'spec.devices.requests.0.exactly.tolerations': [{ key: 'a', operator: 'Equal', value: '-' }] },
    "spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  [
    'a constraint of nothing',
    { 'spec.devices.constraints.0.matchAttribute': undefined },
    'spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
  ],
  [
    'an attribute without a domain',
    { 'spec.devices.constraints.0.matchAttribute': 'model' },
    'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
  ],
  [
    'an attribute of an odd domain and name',
    { 'spec.devices.constraints.0.matchAttribute': 'Example/-' },
    "spec.devices.constraints[0].matchAttribute: Invalid value: \"-\": a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')",
  ],
  [
    'an attribute of a long name',
    { 'spec.devices.constraints.0.matchAttribute': `example.com/${'a'.repeat(33)}` },
    'spec.devices.constraints[0].matchAttribute: Too long: may not be more than 32 bytes',
  ],
  [
    'constraints of odd requests',
    { 'spec.devices.constraints.0.requests': ['GPU', 'gpu', 'gpu', 'any/huge', 'a/b/c'] },
    "spec.devices.constraints[0].requests[0]: Invalid value: \"GPU\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    'spec.devices.constraints[0].requests[0]: Invalid value: "GPU": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    'spec.devices.constraints[0].requests[2]: Duplicate value: "gpu"',
    'spec.devices.constraints[0].requests[3]: Invalid value: "any/huge": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    'spec.devices.constraints[0].requests[4]: Invalid value: "a/b/c": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
  ],
  [
    'configuration of odd requests',
    { 'spec.devices.config.0.requests': ['GPU', 'gpu', 'gpu', 'none'] },
    "spec.devices.config[0].requests[0]: Invalid value: \"GPU\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    'spec.devices.config[0].requests[0]: Invalid value: "GPU": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    'spec.devices.config[0].requests[2]: Duplicate value: "gpu"',
    'spec.devices.config[0].requests[3]: Invalid value: "none": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
  ],
  ['configuration of nothing', { 'spec.devices.config.0.opaque': undefined }, 'spec.devices.config[0].opaque: Required value'],
]);

describeUpdateRefusals('updates of claims', resourceclaims, claim, [
  [
    'another request',
    { 'spec.devices.requests.0.exactly.deviceClassName': 'other.example.com' },
    'spec: Invalid value: {"Devices":{"Requests":[{"Name":"gpu","Exactly":{"DeviceClassName":"other.example.com","Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":[{"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}],"Capacity":null},"FirstAvailable":null},{"Name":"any","Exactly":null,"FirstAvailable":[{"Name":"big","DeviceClassName":"big.example.com","Selectors":null,"AllocationMode":"ExactCount","Count":1,"Tolerations":null,"Capacity":null},{"Name":"small","DeviceClassName":"small.example.com","Selectors":null,"AllocationMode":"ExactCount","Count":1,"Tolerations":null,"Capacity":null}]}],"Constraints":[{"Requests":["gpu","any/big"],"MatchAttribute":"example.com/model","DistinctAttribute":null}],"Config":[{"Requests":["gpu"],"Opaque":{"Driver":"gpu.example.com","Parameters":{"a":1}}}]}}: field is immutable',
  ],
]);
