import { ipaddresses } from '#kinds/networking/v1/ip-address-resource.ts';
import { notIp, notSubdomain } from '../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: '10.0.0.1' }, spec: { parentRef: { group: 'example.com', resource: 'things', namespace: 'default', name: 't' } } };

describeRefusals('IP addresses', ipaddresses, valid, [
  ['a name that is no address', { 'metadata.name': 'a' }, `metadata.name: ${notIp('a')}`],
  ['an address in another spelling', { 'metadata.name': 'FD00::1' }, 'metadata.name: Invalid value: "FD00::1": must be in canonical form ("fd00::1")'],
  ['no parent', { 'spec.parentRef': undefined }, 'spec.parentRef: Required value'],
  ['a parent without name', { 'spec.parentRef.name': '' }, 'spec.parentRef.name: Required value'],
  ['a parent without resource', { 'spec.parentRef.resource': '' }, 'spec.parentRef.resource: Required value'],
  ['a slash in the name', { 'spec.parentRef.name': 'a/b' }, 'spec.parentRef.name: Invalid value: "a/b": may not contain \'/\''],
  ['a group that is none', { 'spec.parentRef.group': 'A' }, `spec.parentRef.group: ${notSubdomain('A')}`],
  ['a slash in the namespace', { 'spec.parentRef.namespace': 'a/b' }, 'spec.parentRef.namespace: Invalid value: "a/b": may not contain \'/\''],
]);

describeUpdateRefusals('updates of IP addresses', ipaddresses, valid, [
  [
    'another parent',
    { 'spec.parentRef.name': 'u' },
    'spec.parentRef: Invalid value: {"Group":"example.com","Resource":"things","Namespace":"default","Name":"u"}: field is immutable',
  ],
]);
