import { resourceclaimtemplates } from '#kinds/resource/v1/resource-claim-template-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const template = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'one' },
  spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } } },
};

describeRefusals('templates of claims', resourceclaimtemplates, template, [
  [
    'a request for nothing',
    { 'spec.spec.devices.requests.0.exactly': undefined },
    'spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
  ],
  ['finalizers of claims, though there are none', { 'spec.metadata': { finalizers: [] } }, 'spec.metadata.finalizers: Forbidden: cannot be set'],
  ['no class', { 'spec.spec.devices.requests.0.exactly.deviceClassName': '' }, 'spec.spec.devices.requests[0].exactly.deviceClassName: Required value'],
]);

describeUpdateRefusals('updates of templates of claims', resourceclaimtemplates, template, [
  [
    'another request',
    { 'spec.spec.devices.requests.0.exactly.deviceClassName': 'other.example.com' },
    'spec: Invalid value: {"Spec":{"Devices":{"Requests":[{"Name":"gpu","Exactly":{"DeviceClassName":"other.example.com","Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}}: field is immutable',
  ],
]);
