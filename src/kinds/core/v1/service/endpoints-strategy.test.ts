import { expect, test } from 'vitest';
import { endpoints } from '#kinds/core/v1/service/endpoints-resource.ts';
import { notIp, notKey, notLabel, notPort, notSubdomain } from '../../../../../test/support/format-texts.ts';
import { changed, describeRefusals, describeUpdateRefusals, updateErrors } from '../../../../../test/support/rule-cases.ts';

const valid = {
  metadata: { name: 'web' },
  subsets: [
    {
      addresses: [{ ip: '10.1.0.1', hostname: 'a', nodeName: 'n1', targetRef: { kind: 'Pod', name: 'p' } }],
      notReadyAddresses: [{ ip: '10.1.0.2' }],
      ports: [
        { name: 'http', port: 80, appProtocol: 'http' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
  ],
};
const address = 'subsets[0].addresses[0]';
const port = 'subsets[0].ports[0]';

describeRefusals('endpoints', endpoints, valid, [
  ['a subset without addresses', { 'subsets.0': { ports: [{ port: 80 }] } }, 'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  [
    'an address that is none',
    { 'subsets.0.addresses.0.ip': 'x' },
    `${address}.ip: ${notIp('x')}`,
    `${address}.ip: Invalid value: "x": must be a valid IP address`,
  ],
  [
    'a link-local address',
    { 'subsets.0.addresses.0.ip': '169.254.0.1' },
    `${address}.ip: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)`,
  ],
  ['an unspecified address', { 'subsets.0.addresses.0.ip': '::' }, `${address}.ip: Invalid value: "::": may not be unspecified (::)`],
  ['a host name that is none', { 'subsets.0.addresses.0.hostname': 'A' }, `${address}.hostname: ${notLabel('A')}`],
  ['a node that is no name', { 'subsets.0.addresses.0.nodeName': 'A' }, `${address}.nodeName: ${notSubdomain('A')}`],
  ['one of several ports without name', { 'subsets.0.ports.0.name': '' }, `${port}.name: Required value`],
  ['a port name that is none', { 'subsets.0.ports.0.name': 'A' }, `${port}.name: ${notLabel('A')}`],
  ['a port that is none', { 'subsets.0.ports.0.port': 0 }, `${port}.port: Invalid value: 0: ${notPort}`],
  ['an unknown protocol', { 'subsets.0.ports.0.protocol': 'X' }, `${port}.protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"`],
  ['an application protocol that is no name', { 'subsets.0.ports.0.appProtocol': 'a b' }, `${port}.appProtocol: ${notKey('a b')}`],
  [
    'an address not ready that is none',
    { 'subsets.0.notReadyAddresses.0.ip': '127.0.0.1' },
    'subsets[0].notReadyAddresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
]);

test('bad endpoints that are stored stay until they are touched', () => {
  const bad = changed(valid, { 'subsets.0.addresses.0.ip': '127.0.0.1' });
  expect(updateErrors(endpoints, bad, changed(bad, { 'metadata.labels': { a: 'b' } }))).toEqual([]);
  expect(updateErrors(endpoints, bad, changed(bad, { 'subsets.0.ports': [] }))).toHaveLength(1);
});

test('a row shows three endpoints and how many more', () => {
  const column = endpoints.columns?.find(({ name }) => name === 'Endpoints');
  const read = (subsets: unknown) => column?.read({ metadata: {}, subsets }, { now: new Date() });
  expect(read([{ addresses: [{ ip: 'fd00::1' }, { ip: '10.0.0.1' }], ports: [{ port: 80 }, { port: 81 }] }])).toBe(
    '[fd00::1]:80,10.0.0.1:80,[fd00::1]:81 + 1 more...',
  );
  expect(read(undefined)).toBe('<none>');
});

describeUpdateRefusals('updates of endpoints', endpoints, valid, [
  ['a subset without addresses', { 'subsets.0': { ports: [{ port: 80 }] } }, 'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
]);
