import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { notLabel, notSubdomain } from '../../../../../test/support/format-texts.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('environment variables', pods, validPod, [
  ['a variable without a name', { 'spec.containers.0.env.0.name': '' }, 'spec.containers[0].env[0].name: Required value'],
  [
    'a variable name with an equals sign',
    { 'spec.containers.0.env.0.name': 'A=B' },
    `spec.containers[0].env[0].name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
  ],
  [
    'a variable name outside of ASCII',
    { 'spec.containers.0.env.0.name': 'Ä' },
    `spec.containers[0].env[0].name: Invalid value: "Ä": a valid environment variable name must consist only of printable ASCII characters other than '='`,
  ],
  [
    'a source beside a value',
    { 'spec.containers.0.env.1.value': 'x' },
    'spec.containers[0].env[1].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ],
  [
    'a variable from nowhere',
    { 'spec.containers.0.env.1.valueFrom': {} },
    'spec.containers[0].env[1].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
  ],
  [
    'a variable from two sources',
    { 'spec.containers.0.env.1.valueFrom.secretKeyRef': { name: 's', key: 'k' } },
    'spec.containers[0].env[1].valueFrom: Invalid value: "": may not have more than one field specified at a time',
  ],
  [
    'a field of another version',
    { 'spec.containers.0.env.1.valueFrom.fieldRef.apiVersion': 'v2' },
    'spec.containers[0].env[1].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
  ],
  [
    'an unknown field',
    { 'spec.containers.0.env.1.valueFrom.fieldRef.fieldPath': 'spec.bogus' },
    'spec.containers[0].env[1].valueFrom.fieldRef.fieldPath: Invalid value: "spec.bogus": error converting fieldPath: field label not supported: spec.bogus',
  ],
  [
    'an empty field path',
    { 'spec.containers.0.env.1.valueFrom.fieldRef.fieldPath': '' },
    'spec.containers[0].env[1].valueFrom.fieldRef.fieldPath: Required value',
  ],
  [
    'a field that only volumes know',
    { 'spec.containers.0.env.1.valueFrom.fieldRef.fieldPath': 'metadata.labels' },
    'spec.containers[0].env[1].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
  ],
  [
    'a subscript on a field that has none',
    { 'spec.containers.0.env.1.valueFrom.fieldRef.fieldPath': "spec.nodeName['a']" },
    `spec.containers[0].env[1].valueFrom.fieldRef.fieldPath: Invalid value: "spec.nodeName['a']": error converting fieldPath: field label does not support subscript: spec.nodeName['a']`,
  ],
  [
    'a label key that is none',
    { 'spec.containers.0.env.1.valueFrom.fieldRef.fieldPath': "metadata.labels['a b']" },
    `spec.containers[0].env[1].valueFrom.fieldRef: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'a resource field without a resource',
    { 'spec.containers.0.env.1.valueFrom': { resourceFieldRef: { resource: '' } } },
    'spec.containers[0].env[1].valueFrom.resourceFieldRef.resource: Required value',
  ],
  [
    'an unknown resource field',
    { 'spec.containers.0.env.1.valueFrom': { resourceFieldRef: { resource: 'limits.disk' } } },
    'spec.containers[0].env[1].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.disk": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
  ],
  [
    'an odd divisor of cpu',
    { 'spec.containers.0.env.1.valueFrom': { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } },
    `spec.containers[0].env[1].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
  ],
  [
    'an odd divisor of memory',
    { 'spec.containers.0.env.1.valueFrom': { resourceFieldRef: { resource: 'limits.memory', divisor: '3Mi' } } },
    `spec.containers[0].env[1].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource`,
  ],
  [
    'an odd divisor of storage',
    { 'spec.containers.0.env.1.valueFrom': { resourceFieldRef: { resource: 'requests.ephemeral-storage', divisor: '10' } } },
    `spec.containers[0].env[1].valueFrom.resourceFieldRef.divisor: Invalid value: "requests.ephemeral-storage": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource`,
  ],
  [
    'an odd divisor of huge pages',
    { 'spec.containers.0.env.1.valueFrom': { resourceFieldRef: { resource: 'requests.hugepages-2Mi', divisor: '10' } } },
    `spec.containers[0].env[1].valueFrom.resourceFieldRef.divisor: Invalid value: "requests.hugepages-2Mi": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the hugepages resource`,
  ],
  [
    'a config map of a bad name',
    { 'spec.containers.0.env.1.valueFrom': { configMapKeyRef: { name: 'A', key: 'k' } } },
    `spec.containers[0].env[1].valueFrom.configMapKeyRef.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a key of a secret that is none',
    { 'spec.containers.0.env.1.valueFrom': { secretKeyRef: { name: 's', key: 'a/b' } } },
    `spec.containers[0].env[1].valueFrom.secretKeyRef.key: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
  ],
  [
    'a key that starts with two dots',
    { 'spec.containers.0.env.1.valueFrom': { secretKeyRef: { name: 's', key: '..a' } } },
    `spec.containers[0].env[1].valueFrom.secretKeyRef.key: Invalid value: "..a": must not start with '..'`,
  ],
  [
    'a secret without a key',
    { 'spec.containers.0.env.1.valueFrom': { secretKeyRef: { name: 's', key: '' } } },
    'spec.containers[0].env[1].valueFrom.secretKeyRef.key: Required value',
  ],
  [
    'a file of no volume',
    { 'spec.containers.0.env.1.valueFrom': { fileKeyRef: { volumeName: 'nope', path: 'p', key: 'K' } } },
    'spec.containers[0].env[1].valueFrom.fileKeyRef.volumeName: Not found: "nope"',
  ],
  [
    'a file of a volume that is no emptyDir',
    { 'spec.containers.0.env.1.valueFrom': { fileKeyRef: { volumeName: 'conf', path: 'p', key: 'K' } } },
    'spec.containers[0].env[1].valueFrom.fileKeyRef.volumeName: Invalid value: "conf": referenced volume must be of type emptyDir',
  ],
  [
    'a file reference with nothing in it',
    { 'spec.containers.0.env.1.valueFrom': { fileKeyRef: { volumeName: '', path: '', key: '' } } },
    'spec.containers[0].env[1].valueFrom.fileKeyRef.key: Required value',
    'spec.containers[0].env[1].valueFrom.fileKeyRef.path: Required value',
    'spec.containers[0].env[1].valueFrom.fileKeyRef.volumeName: Not found: ""',
    'spec.containers[0].env[1].valueFrom.fileKeyRef.volumeName: Required value',
  ],
  [
    'a file above the volume',
    { 'spec.containers.0.env.1.valueFrom': { fileKeyRef: { volumeName: 'data', path: '../p', key: 'K' } } },
    `spec.containers[0].env[1].valueFrom.fileKeyRef.path: Invalid value: "../p": must not contain '..'`,
  ],
  [
    'a prefix with an equals sign',
    { 'spec.containers.0.envFrom.0.prefix': 'P=' },
    `spec.containers[0].envFrom[0].prefix: Invalid value: "P=": a valid environment variable name must consist only of printable ASCII characters other than '='`,
  ],
  [
    'variables from nowhere',
    { 'spec.containers.0.envFrom.0': { prefix: 'P' } },
    'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
  ],
  [
    'variables from two places',
    { 'spec.containers.0.envFrom.0.secretRef': { name: 's' } },
    'spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time',
  ],
  [
    'variables of a config map without a name',
    { 'spec.containers.0.envFrom.0.configMapRef': {} },
    'spec.containers[0].envFrom[0].configMapRef.name: Required value',
  ],
  [
    'variables of a secret of a bad name',
    { 'spec.containers.0.envFrom.0': { secretRef: { name: 'S' } } },
    `spec.containers[0].envFrom[0].secretRef.name: Invalid value: "S": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a secret that is no name',
    { 'spec.containers.0.env.1.valueFrom': { secretKeyRef: { name: 'S', key: 'k' } } },
    `spec.containers[0].env[1].valueFrom.secretKeyRef.name: ${notSubdomain('S')}`,
  ],
  [
    'a key of a config map that is missing',
    { 'spec.containers.0.env.1.valueFrom': { configMapKeyRef: { name: 'c', key: '' } } },
    'spec.containers[0].env[1].valueFrom.configMapKeyRef.key: Required value',
  ],
  [
    'a key of a config map that is none',
    { 'spec.containers.0.env.1.valueFrom': { configMapKeyRef: { name: 'c', key: 'a b' } } },
    "spec.containers[0].env[1].valueFrom.configMapKeyRef.key: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ],
  [
    'a key of a file that is none',
    { 'spec.containers.0.env.1.valueFrom': { fileKeyRef: { volumeName: 'data', path: 'p', key: 'a=b' } } },
    'spec.containers[0].env[1].valueFrom.fileKeyRef.key: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
  ],
  [
    'a volume of a file that is no name',
    { 'spec.containers.0.env.1.valueFrom': { fileKeyRef: { volumeName: 'D', path: 'p', key: 'k' } } },
    `spec.containers[0].env[1].valueFrom.fileKeyRef.volumeName: ${notLabel('D')}`,
    'spec.containers[0].env[1].valueFrom.fileKeyRef.volumeName: Not found: "D"',
  ],
  [
    'a config map that is no name',
    { 'spec.containers.0.envFrom': [{ configMapRef: { name: 'C' } }] },
    `spec.containers[0].envFrom[0].configMapRef.name: ${notSubdomain('C')}`,
  ],
  ['a secret without name', { 'spec.containers.0.envFrom': [{ secretRef: { name: '' } }] }, 'spec.containers[0].envFrom[0].secretRef.name: Required value'],
]);
