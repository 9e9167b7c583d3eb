import { describe, expect, test } from 'vitest';
import { nodes } from '#kinds/core/v1/node/node-resource.ts';
import { notCidr, notKey, notLabelValue } from '../../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared } from '../../../../../test/support/rule-cases.ts';

const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const valid = {
  metadata: { name: 'n1', annotations: { 'scheduler.alpha.kubernetes.io/taints': '[{"key":"a","effect":"NoExecute"}]' } },
  spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24', 'fd00::/64'], providerID: 'x', taints: [taint], unschedulable: true },
  status: { nodeInfo: {}, capacity: { cpu: '4', 'example.com/gpu': '2' }, addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] },
};
const at = 'metadata.taints[0]';
const one = 'may specify no more than one CIDR for each IP family';

describeRefusals('nodes', nodes, valid, [
  ['a taint key that is none', { 'spec.taints.0.key': 'a b' }, `${at}.key: ${notKey('a b')}`],
  ['a taint value that is none', { 'spec.taints.0.value': 'a b' }, `${at}.value: ${notLabelValue('a b')}`],
  ['a taint without effect', { 'spec.taints.0.effect': '' }, `${at}.effect: Required value`],
  [
    'an unknown effect',
    { 'spec.taints.0.effect': 'Never' },
    `${at}.effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
  ],
  [
    'a taint twice',
    { 'spec.taints.1': taint },
    'metadata.taints[1]: Duplicate value: {"Key":"dedicated","Value":"gpu","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
  ],
  [
    'a negative amount',
    { 'status.capacity.cpu': '-1' },
    'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
    'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
  ],
  ['half a device', { 'status.allocatable': { 'example.com/gpu': '500m' } }, 'status.allocatable.example.com/gpu: Invalid value: "500m": must be an integer'],
  ['no swap at all', { 'status.nodeInfo': { swap: { capacity: 0 } } }, 'metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero'],
  ['a network that is none', { 'spec.podCIDR': undefined, 'spec.podCIDRs': ['x'] }, `spec.podCIDRs[0]: ${notCidr('x')}`],
  ['two networks of a family', { 'spec.podCIDRs': ['10.1.0.0/24', '10.2.0.0/24'] }, `spec.podCIDRs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: ${one}`],
  [
    'a bad taint in the annotation of old',
    { 'metadata.annotations': { 'scheduler.alpha.kubernetes.io/taints': '[{"key":"a"}]' } },
    'metadata.annotations.scheduler.alpha.kubernetes.io/taints[0].effect: Required value',
  ],
  [
    'one of two networks that is none',
    { 'spec.podCIDR': undefined, 'spec.podCIDRs': ['10.1.0.0/24', 'x'] },
    'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: x)',
    'spec.podCIDRs: Invalid value: ["10.1.0.0/24","x"]: may specify no more than one CIDR for each IP family',
    `spec.podCIDRs[1]: ${notCidr('x')}`,
  ],
  [
    'taints in the annotation of old that are no JSON',
    { 'metadata.annotations': { 'scheduler.alpha.kubernetes.io/taints': '{' } },
    'metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/taints": unexpected end of JSON input',
  ],
  [
    'pods to avoid that are no JSON',
    { 'metadata.annotations': { 'scheduler.alpha.kubernetes.io/preferAvoidPods': 'x' } },
    'metadata.annotations.AvoidPods: Invalid value: "scheduler.alpha.kubernetes.io/preferAvoidPods": invalid character \'x\' looking for beginning of value',
  ],
  [
    'pods to avoid that nobody controls',
    {
      'metadata.annotations': {
        'scheduler.alpha.kubernetes.io/preferAvoidPods': '{"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","controller":false}}}]}',
      },
    },
    'metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[0].PodSignature.PodController.Controller: Invalid value: false: must point to a controller',
  ],
]);

describeUpdateRefusals('updates of nodes', nodes, valid, [
  ['another network', { 'spec.podCIDRs': ['10.1.0.0/24'] }, 'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
  ['another provider', { 'spec.providerID': 'y' }, 'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'],
  ['an external id', { 'spec.externalID': 'x' }, 'spec.externalID: Forbidden: may not be updated'],
]);

describeUpdateRefusals(
  'statuses of nodes',
  nodes,
  valid,
  [
    [
      'an address twice',
      { 'status.addresses.1': { type: 'InternalIP', address: '10.0.0.1' } },
      'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}',
    ],
    ['features out of order', { 'status.declaredFeatures': ['B', 'A'] }, 'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically'],
    ['a feature twice', { 'status.declaredFeatures': ['A', 'A'] }, 'status.declaredFeatures[1]: Duplicate value: "A"'],
    [
      'a feature that is none',
      { 'status.declaredFeatures': ['a b'] },
      'status.declaredFeatures[0]: Invalid value: "a b": invalid feature name "a b": must start with an UpperCamelCase segment, with subsequent segments separated by \'/\' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes',
    ],
    [
      'too long a feature',
      { 'status.declaredFeatures': ['A'.repeat(254)] },
      'status.declaredFeatures[0]: Invalid value: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA": invalid feature name "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA": must be no more than 253 characters',
    ],
  ],
  'status',
);

describe('nodes', () => {
  const context = contextWith();

  test('can give away all they have, unless they say less', () => {
    expect(prepared(nodes, changed(valid, {}), context)['status']).toMatchObject({ allocatable: { cpu: '4', 'example.com/gpu': '2' } });
  });

  test('have one network in both fields', () => {
    const spec = (body: object) => prepared(nodes, { metadata: { name: 'n' }, spec: body }, context)['spec'];
    expect(spec({ podCIDR: '10.1.0.0/24' })).toMatchObject({ podCIDRs: ['10.1.0.0/24'] });
    expect(spec({ podCIDRs: ['10.1.0.0/24'] })).toMatchObject({ podCIDR: '10.1.0.0/24' });
    expect(spec({ podCIDR: '10.1.0.0/24', podCIDRs: ['10.2.0.0/24', 'fd00::/64'] })).toMatchObject({ podCIDRs: ['10.1.0.0/24'] });
  });

  test('show roles and readiness', () => {
    const node = prepared(nodes, changed(valid, { 'metadata.labels': { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'db' } }), context);
    const cell = (column: string) => nodes.columns?.find(({ name }) => name === column)?.read(node, context);
    expect([cell('Roles'), cell('Status'), cell('Internal-IP'), cell('External-IP')]).toEqual([
      'db,worker',
      'Unknown,SchedulingDisabled',
      '10.0.0.1',
      '<none>',
    ]);
  });
});
