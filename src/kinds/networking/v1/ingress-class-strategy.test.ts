import { ingressclasses } from '#kinds/networking/v1/ingress-class-resource.ts';
import { notLabel, notSubdomain } from '../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  metadata: { name: 'nginx' },
  spec: { controller: 'example.com/nginx', parameters: { apiGroup: 'example.com', kind: 'Config', name: 'c', scope: 'Namespace', namespace: 'infra' } },
};

describeRefusals('ingress classes', ingressclasses, valid, [
  ['no controller', { 'spec.controller': '' }, 'spec.controller: Required value'],
  [
    'a controller without domain',
    { 'spec.controller': 'nginx' },
    'spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")',
  ],
  ['too long a controller', { 'spec.controller': `a.b/${'x'.repeat(247)}` }, 'spec.controller: Too long: may not be more than 250 bytes'],
  [
    'parameters without kind and name',
    { 'spec.parameters': { apiGroup: 'A' } },
    `spec.parameters.apiGroup: ${notSubdomain('A')}`,
    'spec.parameters.kind: Required value',
    'spec.parameters.name: Required value',
  ],
  ['an unknown scope', { 'spec.parameters.scope': 'World' }, 'spec.parameters.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"'],
  [
    'a namespace in the scope of the cluster',
    { 'spec.parameters.scope': 'Cluster' },
    "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
  ],
  [
    'no namespace in the scope of one',
    { 'spec.parameters.namespace': undefined },
    "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
  ],
  ['a namespace that is no name', { 'spec.parameters.namespace': 'A' }, `spec.parameters.namespace: ${notLabel('A')}`],
]);

describeUpdateRefusals('updates of ingress classes', ingressclasses, valid, [
  ['another controller', { 'spec.controller': 'a.b/c' }, 'spec.controller: Invalid value: "a.b/c": field is immutable'],
]);
