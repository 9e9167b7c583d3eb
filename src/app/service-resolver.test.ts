import { expect, test } from 'vitest';
import type { Lister } from '#api/lister.ts';
import { serviceResolver } from '#app/service-resolver.ts';

const service = (spec: object) => ({ metadata: { name: 'hook', namespace: 'apps' }, spec: { type: 'ClusterIP', clusterIP: '10.96.0.9', ...spec } });
const slice = (more: object) => ({
  metadata: { name: 's', labels: { 'kubernetes.io/service-name': 'hook' } },
  addressType: 'IPv4',
  ports: [{ name: 'web', port: 8443 }],
  endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
  ...more,
});

function resolve(found: object | undefined, slices: readonly object[], endpointsOnly = false, port = 443) {
  const lister = { get: () => found, list: () => slices } as unknown as Lister;
  return serviceResolver({ lister, endpointsOnly, random: () => 0.5 })('apps', 'hook', port);
}

const ports = [{ name: 'web', port: 443 }];

test('a ready endpoint is dialled, at the port that the slice has for the name', () => {
  const notReady = { addresses: ['10.0.0.2'], conditions: { ready: false } };
  expect(resolve(service({ ports }), [slice({ endpoints: [notReady, { addresses: ['10.0.0.3'] }] })])).toEqual({ host: '10.0.0.3', port: 8443 });
  expect(resolve(service({ ports }), [slice({ metadata: { name: 'other' } })])).toEqual({ host: '10.96.0.9', port: 443 });
});

test('the first family of the service comes first', () => {
  const six = slice({ addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] });
  expect(resolve(service({ ports, ipFamilies: ['IPv6', 'IPv4'] }), [slice({}), six])).toEqual({ host: 'fd00::1', port: 8443 });
});

test('without endpoints there is the cluster IP, unless endpoints are asked for', () => {
  expect(resolve(service({ ports }), [])).toEqual({ host: '10.96.0.9', port: 443 });
  expect(() => resolve(service({ ports }), [], true)).toThrow('no endpoints available for service "hook"');
  expect(() => resolve(service({ ports, clusterIP: 'None' }), [])).toThrow('cannot route to service with ClusterIP "None"');
});

test('services that lead nowhere are refused in the words of the original', () => {
  expect(() => resolve(undefined, [])).toThrow('service "hook" not found');
  expect(() => resolve(service({ ports }), [], false, 80)).toThrow('no service port 80 found for service "hook"');
  expect(() => resolve(service({ type: 'ExternalName', externalName: 'x.test' }), [], true)).toThrow('unsupported service type "ExternalName"');
  expect(resolve(service({ type: 'ExternalName', externalName: 'x.test' }), [])).toEqual({ host: 'x.test', port: 443 });
});
