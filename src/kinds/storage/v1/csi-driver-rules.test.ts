import { csidrivers } from '#kinds/storage/v1/csi-driver-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const driver = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: 'rules.example.com' },
  spec: { attachRequired: true, tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }], volumeLifecycleModes: ['Persistent'] },
};

describeRefusals('drivers', csidrivers, driver, [
  ['an audience twice', { 'spec.tokenRequests': [{ audience: 'a' }, { audience: 'a' }] }, 'spec.tokenRequests[1].audience: Duplicate value: "a"'],
  [
    'a token that ends too soon',
    { 'spec.tokenRequests.0.expirationSeconds': 599 },
    'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
  ],
  [
    'a token that ends too late',
    { 'spec.tokenRequests.0.expirationSeconds': 2 ** 32 + 1 },
    'spec.tokenRequests[0].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
  ],
]);

describeUpdateRefusals('updates of drivers', csidrivers, driver, [
  ['another need to attach', { 'spec.attachRequired': false }, 'spec.attachedRequired: Invalid value: false: field is immutable'],
  ['other modes', { 'spec.volumeLifecycleModes': ['Ephemeral'] }, 'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable'],
]);
