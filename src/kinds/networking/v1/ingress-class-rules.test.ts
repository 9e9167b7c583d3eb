import { ingressclasses } from '#kinds/networking/v1/ingress-class-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const ingressClass = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'one' },
  spec: { controller: 'example.com/ingress', parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'one', scope: 'Namespace', namespace: 'default' } },
};

describeRefusals('classes of ingresses with parameters', ingressclasses, ingressClass, [
  [
    'parameters without kind and name',
    { 'spec.parameters.kind': '', 'spec.parameters.name': '' },
    'spec.parameters.kind: Required value',
    'spec.parameters.name: Required value',
  ],
  [
    'parameters of an odd kind, name and group',
    { 'spec.parameters.apiGroup': 'Example', 'spec.parameters.kind': 'a/b', 'spec.parameters.name': '..' },
    "spec.parameters.apiGroup: Invalid value: \"Example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    'spec.parameters.kind: Invalid value: "a/b": may not contain \'/\'',
    'spec.parameters.name: Invalid value: "..": may not be \'..\'',
  ],
  [
    'parameters of an unknown scope',
    { 'spec.parameters.scope': 'World' },
    'spec.parameters.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"',
  ],
  [
    'parameters without a namespace',
    { 'spec.parameters.namespace': undefined },
    "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
  ],
  [
    'parameters of the cluster with a namespace',
    { 'spec.parameters.scope': 'Cluster' },
    "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
  ],
  [
    'parameters in an odd namespace',
    { 'spec.parameters.namespace': 'Default' },
    "spec.parameters.namespace: Invalid value: \"Default\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
]);

describeUpdateRefusals('updates of classes of ingresses', ingressclasses, ingressClass, [
  ['another controller', { 'spec.controller': 'example.com/other' }, 'spec.controller: Invalid value: "example.com/other": field is immutable'],
]);
