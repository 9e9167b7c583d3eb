import { ingresses } from '#kinds/networking/v1/ingress-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'one' },
  spec: {
    rules: [{ host: 'a.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }] } }],
    defaultBackend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'files' } },
  },
};

describeRefusals('ingresses with two kinds of backends', ingresses, ingress, [
  [
    'a port with name and number',
    { 'spec.rules.0.http.paths.0.backend.service.port': { number: 80, name: 'http' } },
    'spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both port name & port number',
  ],
  ['no port', { 'spec.rules.0.http.paths.0.backend.service.port': {} }, 'spec.rules[0].http.paths[0].backend: Required value: port name or number is required'],
  [
    'a port of an odd name',
    { 'spec.rules.0.http.paths.0.backend.service.port': { name: 'HTTP_' } },
    'spec.rules[0].http.paths[0].backend.service.port.name: Invalid value: "HTTP_": must contain at least one letter (a-z)',
    'spec.rules[0].http.paths[0].backend.service.port.name: Invalid value: "HTTP_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
  ],
  [
    'a port beyond the last',
    { 'spec.rules.0.http.paths.0.backend.service.port': { number: 70_000 } },
    'spec.rules[0].http.paths[0].backend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'a resource without kind and name',
    { 'spec.defaultBackend.resource': { apiGroup: 'example.com', kind: '', name: '' } },
    'spec.defaultBackend.resource.kind: Required value',
    'spec.defaultBackend.resource.name: Required value',
  ],
  [
    'a resource of an odd kind, name and group',
    { 'spec.defaultBackend.resource': { apiGroup: 'Example', kind: 'a/b', name: '..' } },
    "spec.defaultBackend.resource.apiGroup: Invalid value: \"Example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    'spec.defaultBackend.resource.kind: Invalid value: "a/b": may not contain \'/\'',
    'spec.defaultBackend.resource.name: Invalid value: "..": may not be \'..\'',
  ],
]);

describeUpdateRefusals(
  'status of ingresses',
  ingresses,
  ingress,
  [
    [
      'an address that is none',
      { 'status.loadBalancer': { ingress: [{ ip: '1.2.3' }] } },
      'status.loadBalancer.ingress[0].ip: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      'an address with zeros in front',
      { 'status.loadBalancer': { ingress: [{ ip: '01.2.3.4' }] } },
      'status.loadBalancer.ingress[0].ip: Invalid value: "01.2.3.4": must not have leading 0s',
    ],
    [
      'a name that is none',
      { 'status.loadBalancer': { ingress: [{ hostname: 'Host_' }] } },
      "status.loadBalancer.ingress[0].hostname: Invalid value: \"Host_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'a name that is an address',
      { 'status.loadBalancer': { ingress: [{ hostname: '1.2.3.4' }] } },
      'status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ],
  ],
  'status',
);
