import { csistoragecapacities } from '#kinds/storage/v1/csi-storage-capacity-resource.ts';
import { notSubdomain } from '../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: 'c' }, nodeTopology: { matchLabels: { zone: 'a' } }, storageClassName: 'fast', capacity: '10Gi', maximumVolumeSize: '1Gi' };

describeRefusals('storage capacities', csistoragecapacities, valid, [
  [
    'a topology with an unknown operator',
    { nodeTopology: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
    'nodeTopology.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
  ],
  ['no storage class', { storageClassName: '' }, `storageClassName: ${notSubdomain('')}`],
  ['a negative capacity', { capacity: '-1' }, 'capacity: Invalid value: "-1": must be greater than or equal to 0'],
]);

describeUpdateRefusals('updates of storage capacities', csistoragecapacities, valid, [
  ['another topology', { nodeTopology: {} }, 'nodeTopology: Invalid value: {}: field is immutable'],
  ['another class', { storageClassName: 'slow' }, 'storageClassName: Invalid value: "slow": field is immutable'],
]);
