import { storageversionmigrations } from '#kinds/storagemigration/v1beta1/storage-version-migration-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const migration = {
  apiVersion: 'storagemigration.k8s.io/v1beta1',
  kind: 'StorageVersionMigration',
  metadata: { name: 'rules-one' },
  spec: { resource: { group: 'apps', resource: 'deployments' } },
};

describeRefusals(
  'migrations',
  storageversionmigrations,
  migration,
  [
    ['no resource', { 'spec.resource.resource': '' }, 'spec.resource.resource: Required value: resource is required to be set'],
    [
      'an odd resource',
      { 'spec.resource.resource': 'Deployments' },
      "spec.resource.resource: Invalid value: \"Deployments\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
    [
      'an odd group',
      { 'spec.resource.group': 'Apps' },
      "spec.resource.group: Invalid value: \"Apps\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  { notAsked: 'served only with the gate StorageVersionMigrator' },
);

describeUpdateRefusals(
  'updates of migrations',
  storageversionmigrations,
  migration,
  [
    [
      'another resource',
      { 'spec.resource.resource': 'daemonsets' },
      'spec: Invalid value: {"Resource":{"group":"apps","resource":"daemonsets"}}: field is immutable',
    ],
  ],
  '',
  { notAsked: 'served only with the gate StorageVersionMigrator' },
);

describeUpdateRefusals(
  'status of migrations',
  storageversionmigrations,
  migration,
  [
    [
      'succeeded and failed',
      {
        'status.conditions': ['Succeeded', 'Failed'].map((type) => ({
          type,
          status: 'True',
          reason: 'R',
          message: 'm',
          lastTransitionTime: '2030-01-01T00:00:00Z',
        })),
      },
      'status.conditions: Invalid value: [{"type":"Succeeded","status":"True","lastTransitionTime":"2030-01-01T00:00:00Z","reason":"R","message":"m"},{"type":"Failed","status":"True","lastTransitionTime":"2030-01-01T00:00:00Z","reason":"R","message":"m"}]: Both success and failed conditions cannot be true at the same time',
    ],
  ],
  'status',
  { notAsked: 'served only with the gate StorageVersionMigrator' },
);

const finished = {
  apiVersion: 'storagemigration.k8s.io/v1beta1',
  kind: 'StorageVersionMigration',
  metadata: { name: 'rules-two' },
  spec: { resource: { group: 'apps', resource: 'deployments' } },
  status: { resourceVersion: '5', conditions: [{ type: 'Succeeded', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' }] },
};

describeUpdateRefusals(
  'status of migrations that have ended',
  storageversionmigrations,
  finished,
  [
    [
      'a success that is none any more',
      { 'status.conditions.0.status': 'False' },
      'status.conditions: Invalid value: [{"type":"Succeeded","status":"False","lastTransitionTime":"2030-01-01T00:00:00Z","reason":"R","message":"m"}]: Success condition cannot be set to false once it is true',
    ],
    ['another version', { 'status.resourceVersion': '6' }, 'status.resourceVersion: Invalid value: "6": field is immutable'],
  ],
  'status',
  { notAsked: 'served only with the gate StorageVersionMigrator' },
);
