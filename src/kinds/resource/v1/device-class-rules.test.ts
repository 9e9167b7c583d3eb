import { deviceclasses } from '#kinds/resource/v1/device-class-resource.ts';
import { notSubdomain } from '../../../../test/support/format-texts.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const deviceClass = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: 'rules.example.com' },
  spec: {
    selectors: [{ cel: { expression: 'true' } }],
    config: [{ opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } }],
    extendedResourceName: 'example.com/gpu',
  },
};

describeRefusals('classes of devices', deviceclasses, deviceClass, [
  ['a name that is none, whatever it was generated from', { 'metadata.name': 'A', 'metadata.generateName': 'A_' }, `metadata.name: ${notSubdomain('A')}`],
  ['a long name', { 'metadata.name': 'a'.repeat(254) }, `metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 bytes`],
  ['configuration of nothing', { 'spec.config.0.opaque': undefined }, 'spec.config[0].opaque: Required value'],
  [
    'configuration of an odd driver',
    { 'spec.config.0.opaque.driver': 'GPU_' },
    "spec.config[0].opaque.driver: Invalid value: \"GPU_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'an odd extended resource',
    { 'spec.extendedResourceName': 'cpu' },
    'spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name',
  ],
  ['a selector without an expression', { 'spec.selectors': [{}] }, 'spec.selectors[0].cel: Required value'],
  [
    'a selector with an empty expression',
    { 'spec.selectors': [{ cel: { expression: '' } }] },
    "spec.selectors[0].cel.expression: Invalid value: \"\": compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
  ],
]);
