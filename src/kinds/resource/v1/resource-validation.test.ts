import { resourceclaims } from '#kinds/resource/v1/resource-claim-resource.ts';
import { resourceslices } from '#kinds/resource/v1/resource-slice-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const claim = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'one', namespace: 'default' },
  spec: {
    devices: {
      requests: [
        { name: 'gpu', exactly: { deviceClassName: 'gpu.example.com', tolerations: [{ key: 'a', operator: 'Exists' }] } },
        { name: 'any', firstAvailable: [{ name: 'big', deviceClassName: 'big.example.com' }] },
      ],
      constraints: [{ requests: ['gpu', 'any/big'], matchAttribute: 'example.com/model' }],
    },
  },
};

describeRefusals('claims', resourceclaims, claim, [
  ['no class', { 'spec.devices.requests.0.exactly.deviceClassName': '' }, 'spec.devices.requests[0].exactly.deviceClassName: Required value'],
  ['fewer than none', { 'spec.devices.requests.0.exactly.count': -1 }, 'spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero'],
  [
    'an unknown mode',
    { 'spec.devices.requests.0.exactly.allocationMode': 'Bogus' },
    'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Bogus": supported values: "All", "ExactCount"',
  ],
  [
    'a constraint on a request that is not there',
    { 'spec.devices.constraints.0.requests': ['nope'] },
    'spec.devices.constraints[0].requests[0]: Invalid value: "nope": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
  ],
]);

const slice = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: 'one' },
  spec: {
    driver: 'gpu.example.com',
    pool: { name: 'node/one', generation: 1, resourceSliceCount: 1 },
    nodeName: 'node',
    devices: [{ name: 'gpu-0', attributes: { model: { string: 'x' }, ver: { version: '1.2.3' } }, capacity: { memory: { value: '1Gi' } } }],
  },
};

describeRefusals('slices', resourceslices, slice, [
  ['no driver', { 'spec.driver': '' }, 'spec.driver: Required value'],
  ['no slices in the pool', { 'spec.pool.resourceSliceCount': 0 }, 'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero'],
  [
    'no nodes',
    { 'spec.nodeName': undefined },
    'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
  ],
  [
    'a version that is none',
    { 'spec.devices.0.attributes.ver.version': '1.2' },
    'spec.devices[0].attributes[ver].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0',
  ],
]);
