import { apiservices } from '#kinds/apiregistration/v1/api-service-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const apiService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.rules.example.com' },
  spec: {
    group: 'rules.example.com',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 10,
    service: { name: 'api', namespace: 'default' },
    insecureSkipTLSVerify: true,
  },
};

describeRefusals('API services behind a service', apiservices, apiService, [
  [
    'no group',
    { 'metadata.name': 'v2.', 'spec.group': '', 'spec.version': 'v2' },
    'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
  ],
  [
    'an odd group',
    { 'metadata.name': 'v1.Rules', 'spec.group': 'Rules' },
    "spec.group: Invalid value: \"Rules\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'an odd version',
    { 'metadata.name': '1.rules.example.com', 'spec.version': '1' },
    "spec.version: Invalid value: \"1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  ['no priority of the group', { 'spec.groupPriorityMinimum': 0 }, 'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000'],
  [
    'a high priority of the group',
    { 'spec.groupPriorityMinimum': 20_001 },
    'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
  ],
  ['no priority of the version', { 'spec.versionPriority': 0 }, 'spec.versionPriority: Invalid value: 0: must be positive and less than 1000'],
  ['a high priority of the version', { 'spec.versionPriority': 1001 }, 'spec.versionPriority: Invalid value: 1001: must be positive and less than 1000'],
  ['a service without a name', { 'spec.service': { name: '', namespace: '' } }, 'spec.service.name: Required value', 'spec.service.namespace: Required value'],
  [
    'a port beyond the last',
    { 'spec.service.port': 70_000 },
    'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
  ],
  ['blind trust and a certificate', { 'spec.caBundle': 'YQ==' }, 'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present'],
]);

describeUpdateRefusals(
  'status of API services',
  apiservices,
  apiService,
  [
    [
      'a condition that may be',
      { 'status.conditions': [{ type: 'Available', status: 'Perhaps' }] },
      'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "True", "False", "Unknown"',
    ],
  ],
  'status',
  { notAsked: 'a controller of the original writes the status at the same time' },
);

const localService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.rules2.example.com' },
  spec: { group: 'rules2.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
};

describeRefusals('local API services', apiservices, localService, [
  ['a certificate for nobody', { 'spec.caBundle': 'YQ==' }, 'spec.caBundle: Invalid value: "1 bytes": local APIServices may not have a caBundle'],
  [
    'trust in nobody',
    { 'spec.insecureSkipTLSVerify': true },
    'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
  ],
]);
