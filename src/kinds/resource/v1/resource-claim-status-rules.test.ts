import { resourceclaims } from '#kinds/resource/v1/resource-claim-resource.ts';
import { describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const result = { request: 'gpu', driver: 'gpu.example.com', pool: 'node/one', device: 'gpu-0' };

const allocated = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'two' },
  spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } },
  status: {
    allocation: { devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'node/one', device: 'gpu-0' }] } },
    reservedFor: [{ resource: 'pods', name: 'one', uid: 'uid-1' }],
    devices: [{ driver: 'gpu.example.com', pool: 'node/one', device: 'gpu-0' }],
  },
};

describeUpdateRefusals(
  'status of allocated claims',
  resourceclaims,
  allocated,
  [
    [
      'a reservation twice',
      { 'status.reservedFor': [0, 1].map(() => ({ resource: 'pods', name: 'one', uid: 'uid-1' })) },
      'status.reservedFor[1]: Duplicate value: "uid-1"',
    ],
    [
      'a reservation for nobody',
      { 'status.reservedFor': [{ resource: '', name: '', uid: '' }] },
      'status.reservedFor[0].name: Required value',
      'status.reservedFor[0].resource: Required value',
      'status.reservedFor[0].uid: Required value',
    ],
    [
      'a device that is not allocated',
      { 'status.devices': [{ driver: 'gpu.example.com', pool: 'node/one', device: 'gpu-1' }] },
      'status.devices[0]: Invalid value: {"Driver":"gpu.example.com","Pool":"node/one","Device":"gpu-1","ShareID":""}: must be an allocated device in the claim',
    ],
    [
      'another allocation',
      { 'status.allocation.devices.results.0.device': 'gpu-1' },
      'status.allocation: Invalid value: {"Devices":{"Results":[{"Request":"gpu","Driver":"gpu.example.com","Pool":"node/one","Device":"gpu-1","AdminAccess":null,"Tolerations":null,"BindingConditions":null,"BindingFailureConditions":null,"ShareID":null,"ConsumedCapacity":null}],"Config":null},"NodeSelector":null,"AllocationTimestamp":null}: field is immutable',
    ],
  ],
  'status',
);

const pendingClaim = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'three' },
  spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } },
};

describeUpdateRefusals(
  'status of claims that are not allocated',
  resourceclaims,
  pendingClaim,
  [
    [
      'a result of no request',
      { 'status.allocation': { devices: { results: [{ ...result, request: 'none' }] } } },
      'status.allocation.devices.results[0].request: Invalid value: "none": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    ],
    [
      'a result of no driver',
      { 'status.allocation': { devices: { results: [{ ...result, driver: '' }] } } },
      'status.allocation.devices.results[0].driver: Required value',
    ],
    [
      'a result of an odd driver',
      { 'status.allocation': { devices: { results: [{ ...result, driver: 'a_b' }] } } },
      "status.allocation.devices.results[0].driver: Invalid value: \"a_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'a result of a long driver',
      { 'status.allocation': { devices: { results: [{ ...result, driver: 'a'.repeat(64) }] } } },
      'status.allocation.devices.results[0].driver: Too long: may not be more than 63 bytes',
    ],
    [
      'a result of no pool',
      { 'status.allocation': { devices: { results: [{ ...result, pool: '' }] } } },
      'status.allocation.devices.results[0].pool: Required value',
    ],
    [
      'a result of an odd pool',
      { 'status.allocation': { devices: { results: [{ ...result, pool: 'a/B' }] } } },
      "status.allocation.devices.results[0].pool: Invalid value: \"B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'a result of a long pool',
      { 'status.allocation': { devices: { results: [{ ...result, pool: 'a'.repeat(254) }] } } },
      'status.allocation.devices.results[0].pool: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 253 characters',
      'status.allocation.devices.results[0].pool: Too long: may not be more than 253 bytes',
    ],
    [
      'a result of an odd device',
      { 'status.allocation': { devices: { results: [{ ...result, device: 'GPU' }] } } },
      "status.allocation.devices.results[0].device: Invalid value: \"GPU\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    [
      'a result of an odd share',
      { 'status.allocation': { devices: { results: [{ ...result, shareID: 'x' }] } } },
      'status.allocation.devices.results[0].shareID: Invalid value: "x": error validating uid: invalid UUID length: 1',
    ],
    [
      'conditions without failures',
      { 'status.allocation': { devices: { results: [{ ...result, bindingConditions: ['a'] }] } } },
      'status.allocation.devices.results[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
    ],
    [
      'failures without conditions',
      { 'status.allocation': { devices: { results: [{ ...result, bindingFailureConditions: ['a'] }] } } },
      'status.allocation.devices.results[0].bindingConditions: Invalid value: null: bindingConditions are required to use bindingFailureConditions',
    ],
    [
      'a reservation of nothing',
      { 'status.reservedFor': [{ resource: 'pods', name: 'one', uid: 'uid-1' }] },
      'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
    ],
  ],
  'status',
);
