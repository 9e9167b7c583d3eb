import { controllerrevisions } from '#kinds/apps/v1/controller-revision-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const revision = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'one' }, data: { a: 1 }, revision: 1 };

describeRefusals('controller revisions', controllerrevisions, revision, [
  ['no data', { data: undefined }, 'data: Required value: data is mandatory'],
  ['data that is a text', { data: 'text' }, 'data: Required value: data must be a valid JSON object'],
  ['data that is a list', { data: [1] }, 'data: Required value: data must be a valid JSON object'],
]);
