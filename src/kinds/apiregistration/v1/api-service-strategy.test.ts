import { apiservices } from '#kinds/apiregistration/v1/api-service-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.example.com' },
  spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, service: { namespace: 'default', name: 'api' } },
};

describeRefusals('API services', apiservices, valid, [
  ['no priority', { 'spec.versionPriority': 0 }, 'spec.versionPriority: Invalid value: 0: must be positive and less than 1000'],
  ['no service', { 'spec.service.name': '' }, 'spec.service.name: Required value'],
  ['a port that is none', { 'spec.service.port': -1 }, 'spec.service.port: Invalid value: -1: port is not valid: must be between 1 and 65535, inclusive'],
  [
    'another name',
    { 'metadata.name': 'v2.example.com' },
    'metadata.name: Invalid value: "v2.example.com": must be `spec.version+"."+spec.group`: "v1.example.com"',
  ],
]);
