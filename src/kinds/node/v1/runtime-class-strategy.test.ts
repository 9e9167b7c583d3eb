import { runtimeclasses } from '#kinds/node/v1/runtime-class-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'one', finalizers: ['plain'] },
  handler: 'runc',
  overhead: { podFixed: { cpu: '1' } },
  scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'kata', operator: 'Exists' }] },
};

describeRefusals('runtime classes', runtimeclasses, valid, [
  ['no handler', { handler: '' }, 'handler: Required value'],
  ['a negative overhead', { 'overhead.podFixed': { cpu: '-1' } }, 'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
]);

describeUpdateRefusals('updates of runtime classes', runtimeclasses, valid, [
  ['another handler', { handler: 'kata' }, 'handler: Invalid value: "kata": field is immutable'],
]);
