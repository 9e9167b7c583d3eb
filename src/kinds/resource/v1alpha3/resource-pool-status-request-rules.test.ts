import { resourcepoolstatusrequests } from '#kinds/resource/v1alpha3/resource-pool-status-request-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const poolRequest = {
  apiVersion: 'resource.k8s.io/v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  metadata: { name: 'rules-one' },
  spec: { driver: 'gpu.example.com', poolName: 'node/one' },
};

describeRefusals(
  'questions about pools',
  resourcepoolstatusrequests,
  poolRequest,
  [
    ['no driver', { 'spec.driver': '' }, 'spec.driver: Required value'],
    [
      'an odd driver',
      { 'spec.driver': 'a_b' },
      "spec.driver: Invalid value: \"a_b\": an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'Example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'an odd pool',
      { 'spec.poolName': 'a/B' },
      "spec.poolName: Invalid value: \"B\": segment 1: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    ['a limit of nothing', { 'spec.limit': 0 }, 'spec.limit: Invalid value: 0: must be greater than or equal to 1'],
    ['a limit that is too high', { 'spec.limit': 100_000 }, 'spec.limit: Invalid value: 100000: must be less than or equal to 1000'],
  ],
  { notAsked: 'served only when asked for' },
);

describeUpdateRefusals(
  'updates of questions about pools',
  resourcepoolstatusrequests,
  poolRequest,
  [['another driver', { 'spec.driver': 'other.example.com' }, 'spec: Invalid value: null: field is immutable']],
  '',
  { notAsked: 'served only when asked for' },
);
