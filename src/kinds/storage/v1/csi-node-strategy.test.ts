import { csinodes } from '#kinds/storage/v1/csi-node-resource.ts';
import { notKey, notSubdomain } from '../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const driver = { name: 'csi.example.com', nodeID: 'n1', topologyKeys: ['example.com/zone', 'rack'], allocatable: { count: 5 } };
const valid = { metadata: { name: 'node-1' }, spec: { drivers: [driver] } };
const at = 'spec.drivers[0]';

describeRefusals('CSI nodes', csinodes, valid, [
  ['a driver without name', { 'spec.drivers.0.name': '' }, `${at}.name: Required value`],
  ['too long a name', { 'spec.drivers.0.name': 'a'.repeat(64) }, `${at}.name: Too long: may not be more than 63 bytes`],
  ['a name that is none', { 'spec.drivers.0.name': 'a b' }, `${at}.name: ${notSubdomain('a b')}`],
  ['a driver twice', { 'spec.drivers.1': driver }, 'spec.drivers[1].name: Duplicate value: "csi.example.com"'],
  ['no node id', { 'spec.drivers.0.nodeID': '' }, `${at}.nodeID: Required value`],
  ['too long a node id', { 'spec.drivers.0.nodeID': 'n'.repeat(257) }, `${at}.nodeID: Invalid value: "${'n'.repeat(257)}": must be 256 characters or less`],
  ['a negative count', { 'spec.drivers.0.allocatable.count': -1 }, `${at}.allocatable.count: Invalid value: -1: must be greater than or equal to 0`],
  ['a topology key twice', { 'spec.drivers.0.topologyKeys': ['a', 'a'] }, `${at}: Duplicate value: "a"`],
  ['a topology key that is none', { 'spec.drivers.0.topologyKeys': ['a b'] }, `${at}: ${notKey('a b')}`],
  [
    'an empty topology key',
    { 'spec.drivers.0.topologyKeys': [''] },
    `${at}: Required value`,
    `${at}: Invalid value: "": name part must be non-empty`,
    `${at}: ${notKey('')}`,
  ],
]);

describeUpdateRefusals('updates of CSI nodes', csinodes, valid, [
  ['nothing when only the capacity changes', { 'spec.drivers.0.allocatable.count': 6 }],
  [
    'another node id of the same driver',
    { 'spec.drivers.0.nodeID': 'n2' },
    'spec.drivers: Invalid value: {"Name":"csi.example.com","NodeID":"n2","TopologyKeys":["example.com/zone","rack"],"Allocatable":null}: field is immutable',
  ],
]);

describeUpdateRefusals(
  'updates of CSI nodes without topology',
  csinodes,
  { metadata: { name: 'node-1' }, spec: { drivers: [{ name: 'csi.example.com', nodeID: 'n1' }] } },
  [['nothing when no topology keys are sent as an empty list', { 'spec.drivers.0.topologyKeys': [] }]],
);
