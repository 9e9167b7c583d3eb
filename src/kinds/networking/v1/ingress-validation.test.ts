import { describe, expect, test } from 'vitest';
import { ingresses } from '#kinds/networking/v1/ingress-resource.ts';
import { notIp, notLabel, notPort, notSubdomain } from '../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared, updateErrors } from '../../../../test/support/rule-cases.ts';

const service = { name: 'web', port: { number: 80 } };
const valid = {
  metadata: { name: 'one', annotations: { 'kubernetes.io/ingress.class': 'nginx' } },
  spec: {
    ingressClassName: 'nginx',
    defaultBackend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'static' } },
    tls: [{ hosts: ['a.example.com', '*.example.com'], secretName: 'tls' }],
    rules: [
      { host: 'a.example.com', http: { paths: [{ path: '/x', pathType: 'Prefix', backend: { service } }] } },
      { host: '*.example.com', http: { paths: [{ pathType: 'ImplementationSpecific', backend: { service: { name: 'web', port: { name: 'http' } } } }] } },
      { host: 'b.example.com' },
    ],
  },
};
const path = 'spec.rules[0].http.paths[0]';
const first = 'spec.rules.0.http.paths.0';

describeRefusals('ingresses', ingresses, valid, [
  [
    'neither rules nor a default',
    { 'spec.rules': undefined, 'spec.defaultBackend': undefined },
    'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ],
  [
    'an annotation that says another class',
    { 'spec.ingressClassName': 'other' },
    'annotations.kubernetes.io/ingress.class: Invalid value: "nginx": must match `ingressClassName` when both are specified',
  ],
  ['a class that is no name', { 'spec.ingressClassName': 'A', 'metadata.annotations': undefined }, `spec.ingressClassName: ${notSubdomain('A')}`],
  ['an address as host', { 'spec.rules.0.host': '1.2.3.4' }, 'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
  ['a host that is no name', { 'spec.rules.0.host': 'A' }, `spec.rules[0].host: ${notSubdomain('A')}`],
  [
    'a star in the middle of a host',
    { 'spec.rules.0.host': 'a.*.com' },
    "spec.rules[0].host: Invalid value: \"a.*.com\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  ['a rule without paths', { 'spec.rules.0.http': {} }, 'spec.rules[0].http.paths: Required value'],
  ['a path without type', { [`${first}.pathType`]: undefined }, `${path}.pathType: Required value: pathType must be specified`],
  [
    'an unknown type of path',
    { [`${first}.pathType`]: 'Regex' },
    `${path}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
  ],
  ['a relative path', { [`${first}.path`]: 'x' }, `${path}.path: Invalid value: "x": must be an absolute path`],
  ['an empty part of a path', { [`${first}.path`]: '/a//b' }, `${path}.path: Invalid value: "/a//b": must not contain '//'`],
  ['an encoded slash', { [`${first}.path`]: '/a%2Fb' }, `${path}.path: Invalid value: "/a%2Fb": must not contain '%2F'`],
  ['a step up at the end', { [`${first}.path`]: '/a/..' }, `${path}.path: Invalid value: "/a/..": cannot end with '/..'`],
  ['no backend', { [`${first}.backend`]: {} }, `${path}.backend: Invalid value: "": resource or service backend is required`],
  [
    'two backends',
    { [`${first}.backend.resource`]: { kind: 'A', name: 'b' } },
    `${path}.backend: Invalid value: "": cannot set both resource and service backends`,
  ],
  ['a backend without name', { [`${first}.backend.service.name`]: '' }, `${path}.backend.service.name: Required value`],
  ['a service that is no name', { [`${first}.backend.service.name`]: 'A' }, `${path}.backend.service.name: ${notLabel('A')}`],
  ['a backend without port', { [`${first}.backend.service.port`]: {} }, `${path}.backend: Required value: port name or number is required`],
  ['two names of a port', { [`${first}.backend.service.port.name`]: 'http' }, `${path}.backend: Invalid value: "": cannot set both port name & port number`],
  ['a port that is none', { [`${first}.backend.service.port.number`]: 70_000 }, `${path}.backend.service.port.number: Invalid value: 70000: ${notPort}`],
  [
    'a resource without kind and name',
    { 'spec.defaultBackend.resource': { apiGroup: 'A' } },
    `spec.defaultBackend.resource.apiGroup: ${notSubdomain('A')}`,
    'spec.defaultBackend.resource.kind: Required value',
    'spec.defaultBackend.resource.name: Required value',
  ],
  ['a kind with a slash', { 'spec.defaultBackend.resource.kind': 'a/b' }, `spec.defaultBackend.resource.kind: Invalid value: "a/b": may not contain '/'`],
  ['a TLS host that is no name', { 'spec.tls.0.hosts': ['A'] }, `spec.tls[0].hosts[0]: ${notSubdomain('A')}`],
  ['a secret that is no name', { 'spec.tls.0.secretName': 'A' }, `spec.tls[0].secretName: ${notSubdomain('A')}`],
]);

describeUpdateRefusals(
  'statuses of ingresses',
  ingresses,
  valid,
  [
    ['an address that is none', { 'status.loadBalancer.ingress': [{ ip: 'x' }] }, `status.loadBalancer.ingress[0].ip: ${notIp('x')}`],
    [
      'an address as host name',
      { 'status.loadBalancer.ingress': [{ hostname: '1.2.3.4' }] },
      'status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ],
  ],
  'status',
);

describe('ingresses', () => {
  const bad = changed(valid, { 'spec.tls.0.secretName': 'A' });

  test('keep a bad secret name that is stored', () => {
    expect(updateErrors(ingresses, bad, changed(bad, { 'metadata.labels': { a: 'b' } }))).toEqual([]);
  });

  test('warn about the annotation when there is no class', () => {
    const context = contextWith();
    const ingress = prepared(ingresses, changed(valid, { 'spec.ingressClassName': undefined }), context);
    expect(ingresses.strategy.warnOnCreate?.(ingress, context)).toEqual([
      `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
    ]);
  });

  test('show three hosts and how many more', () => {
    const hosts = (...names: string[]) => ({ metadata: {}, spec: { rules: names.map((host) => ({ host })) }, status: { loadBalancer: {} } });
    const column = ingresses.columns?.find(({ name }) => name === 'Hosts');
    expect(column?.read(hosts('a', 'b', 'c', 'd') as never, { now: new Date() })).toBe('a,b,c + 1 more...');
    expect(column?.read(hosts() as never, { now: new Date() })).toBe('*');
  });
});
