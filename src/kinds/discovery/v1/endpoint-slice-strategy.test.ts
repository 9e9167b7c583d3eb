import { describe, expect, test } from 'vitest';
import { endpointslices } from '#kinds/discovery/v1/endpoint-slice-resource.ts';
import { notIp, notKey, notLabel, notLabelValue, notSubdomain } from '../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared } from '../../../../test/support/rule-cases.ts';

const valid = {
  metadata: { name: 'one', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints: [
    {
      addresses: ['10.1.0.1', '10.1.0.2'],
      conditions: { ready: true, serving: true, terminating: false },
      hostname: 'a',
      nodeName: 'n1',
      zone: 'z',
      targetRef: { kind: 'Pod', name: 'p' },
      hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n1' }] },
    },
  ],
  ports: [
    { name: 'http', port: 80, appProtocol: 'example.com/x' },
    { name: 'dns', protocol: 'UDP', port: 53 },
  ],
};
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `n${n}` }));
const at = 'endpoints[0]';

describeRefusals('endpoint slices', endpointslices, valid, [
  ['no address type', { addressType: '' }, 'addressType: Required value'],
  ['an unknown address type', { addressType: 'IPX' }, 'addressType: Unsupported value: "IPX": supported values: "FQDN", "IPv4", "IPv6"'],
  ['a port name that is none', { 'ports.0.name': 'A' }, `ports[0].name: ${notLabel('A')}`],
  ['a port name twice', { 'ports.1.name': 'http' }, 'ports[1].name: Duplicate value: "http"'],
  ['an unknown protocol', { 'ports.0.protocol': 'ICMP' }, 'ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
  ['an application protocol that is no name', { 'ports.0.appProtocol': 'a b' }, `ports[0].appProtocol: ${notKey('a b')}`],
  [
    'too many endpoints',
    { endpoints: Array.from({ length: 1001 }, () => ({ addresses: ['10.0.0.1'] })) },
    'endpoints: Too many: 1001: must have at most 1000 items',
  ],
  ['an endpoint without addresses', { 'endpoints.0.addresses': [] }, `${at}.addresses: Required value: must contain at least 1 address`],
  [
    'too many addresses',
    { 'endpoints.0.addresses': Array.from({ length: 101 }, (_, n) => `10.0.0.${n + 1}`) },
    `${at}.addresses: Too many: 101: must have at most 100 items`,
  ],
  ['an address that is none', { 'endpoints.0.addresses': ['x'] }, `${at}.addresses[0]: ${notIp('x')}`],
  ['an address of the other family', { 'endpoints.0.addresses': ['fd00::1'] }, `${at}.addresses: Invalid value: "fd00::1": must be an IPv4 address`],
  [
    'a loopback address',
    { 'endpoints.0.addresses': ['127.0.0.1'] },
    `${at}.addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)`,
  ],
  [
    'an address in another spelling',
    { addressType: 'IPv6', 'endpoints.0.addresses': ['FD00::1'] },
    `${at}.addresses[0]: Invalid value: "FD00::1": must be in canonical form ("fd00::1")`,
  ],
  [
    'a domain with one part',
    { addressType: 'FQDN', 'endpoints.0.addresses': ['example'] },
    `${at}.addresses[0]: Invalid value: "example": should be a domain with at least two segments separated by dots`,
  ],
  ['no domain', { addressType: 'FQDN', 'endpoints.0.addresses': [''] }, `${at}.addresses[0]: Required value`],
  ['a node that is no name', { 'endpoints.0.nodeName': 'A' }, `${at}.nodeName: ${notSubdomain('A')}`],
  ['a host name that is none', { 'endpoints.0.hostname': 'A' }, `${at}.hostname: ${notLabel('A')}`],
  ['too many hints', { 'endpoints.0.hints.forZones': many(9) }, `${at}.hints.forZones: Too many: 9: must have at most 8 items`],
  ['a zone that is no label', { 'endpoints.0.hints.forZones': [{ name: 'a b' }] }, `${at}.hints.forZones[0].name: ${notLabelValue('a b')}`],
  ['a node hinted at twice', { 'endpoints.0.hints.forNodes.1': { name: 'n1' } }, `${at}.hints.forNodes[1].name: Duplicate value: "n1"`],
  [
    'too many ports',
    { ports: Array.from({ length: 20_001 }, (_, port) => ({ name: `p${port}`, port: 1 })) },
    'ports: Too many: 20001: must have at most 20000 items',
  ],
  [
    'an old address among new ones',
    { addressType: 'IPv6' },
    'endpoints[0].addresses: Invalid value: "10.1.0.1": must be an IPv6 address',
    'endpoints[0].addresses: Invalid value: "10.1.0.2": must be an IPv6 address',
  ],
  ['a zone twice', { 'endpoints.0.hints.forZones': [{ name: 'z' }, { name: 'z' }] }, 'endpoints[0].hints.forZones[1].name: Duplicate value: "z"'],
  [
    'too many nodes',
    { 'endpoints.0.hints.forNodes': Array.from({ length: 9 }, (_, node) => ({ name: `n${node}` })) },
    'endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items',
  ],
  ['a node that is none', { 'endpoints.0.hints.forNodes': [{ name: 'N' }] }, `endpoints[0].hints.forNodes[0].name: ${notSubdomain('N')}`],
]);

describeUpdateRefusals('updates of endpoint slices', endpointslices, valid, [
  ['another address type', { addressType: 'IPv6', endpoints: [] }, 'addressType: Invalid value: "IPv6": field is immutable'],
  ['a host name that is none', { 'endpoints.0.hostname': 'A' }, `endpoints[0].hostname: ${notLabel('A')}`],
]);

describe('endpoint slices', () => {
  test('count generations of labels and of everything but metadata', () => {
    const context = contextWith();
    const old = prepared(endpointslices, valid, context);
    const next = (changes: Record<string, unknown>) => {
      const slice = changed(old, changes);
      endpointslices.strategy.prepareForUpdate?.(slice, old, context);
      return slice.metadata.generation;
    };
    expect(next({ 'metadata.annotations': { a: 'b' } })).toBe(1);
    expect(next({ 'metadata.labels': { a: 'b' } })).toBe(2);
    expect(next({ 'ports.0.port': 81 })).toBe(2);
  });

  test('lose the topology of old on creation', () => {
    const slice = prepared(endpointslices, changed(valid, { 'endpoints.0.deprecatedTopology': { a: 'b' } }), contextWith()) as never as typeof valid;
    expect(slice.endpoints[0]).not.toHaveProperty('deprecatedTopology');
  });

  test('warn about domain names', () => {
    const context = contextWith();
    const slice = prepared(endpointslices, changed(valid, { addressType: 'FQDN', 'endpoints.0.addresses': ['a.b'] }), context);
    expect(endpointslices.strategy.warnOnCreate?.(slice, context)).toEqual(['spec.addressType: FQDN endpoints are deprecated']);
  });
});
