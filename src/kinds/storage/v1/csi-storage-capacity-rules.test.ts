import { csistoragecapacities } from '#kinds/storage/v1/csi-storage-capacity-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const capacity = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIStorageCapacity',
  metadata: { name: 'one' },
  storageClassName: 'fast',
  nodeTopology: { matchLabels: { zone: 'a' } },
  capacity: '1Gi',
};

describeRefusals('capacities', csistoragecapacities, capacity, [
  [
    'an odd topology',
    { nodeTopology: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    'nodeTopology.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
  ],
  [
    'an odd class',
    { storageClassName: 'Fast' },
    "storageClassName: Invalid value: \"Fast\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  ['a capacity below zero', { capacity: '-1' }, 'capacity: Invalid value: "-1": must be greater than or equal to 0'],
]);

describeUpdateRefusals('updates of capacities', csistoragecapacities, capacity, [
  ['another topology', { nodeTopology: { matchLabels: { zone: 'b' } } }, 'nodeTopology: Invalid value: {"matchLabels":{"zone":"b"}}: field is immutable'],
  ['another class', { storageClassName: 'slow' }, 'storageClassName: Invalid value: "slow": field is immutable'],
]);
