import { ipaddresses } from '#kinds/networking/v1/ip-address-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const address = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: { name: '192.168.7.7' },
  spec: { parentRef: { group: 'example.com', resource: 'things', namespace: 'default', name: 'one' } },
};

describeRefusals('addresses', ipaddresses, address, [
  ['no parent', { 'spec.parentRef': undefined }, 'spec.parentRef: Required value'],
  [
    'a parent without resource and name',
    { 'spec.parentRef': { group: 'example.com' } },
    'spec.parentRef.name: Required value',
    'spec.parentRef.resource: Required value',
  ],
  [
    'a parent of odd names',
    { 'spec.parentRef': { group: 'Example', resource: 'a/b', namespace: '..', name: '%' } },
    "spec.parentRef.group: Invalid value: \"Example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    'spec.parentRef.name: Invalid value: "%": may not contain \'%\'',
    'spec.parentRef.namespace: Invalid value: "..": may not be \'..\'',
    'spec.parentRef.resource: Invalid value: "a/b": may not contain \'/\'',
  ],
]);

describeUpdateRefusals('updates of addresses', ipaddresses, address, [
  [
    'another parent',
    { 'spec.parentRef.name': 'two' },
    'spec.parentRef: Invalid value: {"Group":"example.com","Resource":"things","Namespace":"default","Name":"two"}: field is immutable',
  ],
]);
