import { controllerrevisions } from '#kinds/apps/v1/controller-revision-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'one' }, revision: 1, data: { a: 1 } };

describeRefusals('controller revisions', controllerrevisions, valid, [
  ['a negative revision', { revision: -1 }, 'revision: Invalid value: -1: must be greater than or equal to 0'],
  ['no data', { data: undefined }, 'data: Required value: data is mandatory'],
  [
    'a name that is none',
    { 'metadata.name': 'A' },
    `metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
]);

describeUpdateRefusals('updates of controller revisions', controllerrevisions, valid, [
  ['other data', { data: { a: 2 } }, 'data: Invalid value: {"a":2}: field is immutable'],
]);
