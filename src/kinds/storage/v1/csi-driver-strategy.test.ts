import { describe, expect, test } from 'vitest';
import { csidrivers } from '#kinds/storage/v1/csi-driver-resource.ts';
import { contextWith, creationErrors, describeRefusals, describeUpdateRefusals, prepared } from '../../../../test/support/rule-cases.ts';

const valid = {
  metadata: { name: 'csi.example.com' },
  spec: {
    attachRequired: false,
    podInfoOnMount: true,
    volumeLifecycleModes: ['Persistent', 'Ephemeral'],
    storageCapacity: true,
    fsGroupPolicy: 'File',
    tokenRequests: [{ audience: 'a', expirationSeconds: 600 }, { audience: 'b' }],
    requiresRepublish: true,
    seLinuxMount: true,
    nodeAllocatableUpdatePeriodSeconds: 10,
    serviceAccountTokenInSecrets: true,
  },
};
const seconds = 'spec.tokenRequests[0].expirationSeconds';

describeRefusals('CSI drivers', csidrivers, valid, [
  [
    'an unknown group policy',
    { 'spec.fsGroupPolicy': 'Any' },
    'spec.fsGroupPolicy: Unsupported value: "Any": supported values: "File", "None", "ReadWriteOnceWithFSType"',
  ],
  ['an audience twice', { 'spec.tokenRequests.1.audience': 'a' }, 'spec.tokenRequests[1].audience: Duplicate value: "a"'],
  [
    'tokens that end too soon',
    { 'spec.tokenRequests.0.expirationSeconds': 599 },
    `${seconds}: Invalid value: 599: may not specify a duration less than 10 minutes`,
  ],
  [
    'tokens that end too late',
    { 'spec.tokenRequests.0.expirationSeconds': 2 ** 32 + 1 },
    `${seconds}: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds`,
  ],
  [
    'an unknown lifecycle mode',
    { 'spec.volumeLifecycleModes': ['Eternal'] },
    'spec.volumeLifecycleModes: Unsupported value: "Eternal": supported values: "Persistent", "Ephemeral"',
  ],
  [
    'too short a period',
    { 'spec.nodeAllocatableUpdatePeriodSeconds': 9 },
    'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
  ],
  [
    'tokens in secrets without tokens',
    { 'spec.tokenRequests': [] },
    'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
  ],
]);

describeUpdateRefusals('updates of CSI drivers', csidrivers, valid, [
  ['another need to attach', { 'spec.attachRequired': true }, 'spec.attachedRequired: Invalid value: true: field is immutable'],
  ['other modes', { 'spec.volumeLifecycleModes': ['Ephemeral'] }, 'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable'],
]);

describe('fields of CSI drivers', () => {
  test('are filled in', () => {
    const { spec } = prepared(csidrivers, { metadata: { name: 'a' }, spec: {} }, contextWith()) as never as { spec: object };
    expect(spec).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    });
  });

  test('behind a gate are dropped while it is off, and filled in while it is on', () => {
    const body = { metadata: { name: 'a' }, spec: { preventPodSchedulingIfMissing: true } };
    expect(prepared(csidrivers, body, contextWith())['spec']).not.toHaveProperty('preventPodSchedulingIfMissing');
    expect(creationErrors(csidrivers, { metadata: { name: 'a' }, spec: {} }, { VolumeLimitScaling: 'true' })).toEqual([]);
  });
});
