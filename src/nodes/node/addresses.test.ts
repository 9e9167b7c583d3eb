import { expect, test } from 'vitest';
import { AddressPool, hostAddress, podNetwork, slotOf } from '#nodes/node/addresses.ts';

test('every node has an address and a network of its own', () => {
  expect([hostAddress(0), hostAddress(255), hostAddress(999)]).toEqual(['172.30.0.1', '172.30.1.0', '172.30.3.232']);
  expect([podNetwork(0), podNetwork(256), podNetwork(9_999)]).toEqual(['10.128.0.0/24', '10.129.0.0/24', '10.167.15.0/24']);
  expect([0, 255, 999].map((slot) => slotOf(hostAddress(slot)))).toEqual([0, 255, 999]);
  expect(slotOf('10.0.0.1')).toBeUndefined();
});

test('addresses of pods are unique, and given anew only after all others', () => {
  const pool = new AddressPool('10.1.2.0/29');
  pool.occupy('10.1.2.3', 'before');
  const taken = ['a', 'b', 'c', 'd', 'e'].map((pod) => pool.take(pod));
  expect(taken).toEqual(['10.1.2.2', '10.1.2.4', '10.1.2.5', '10.1.2.6', '10.1.2.7']);
  expect(() => pool.take('f')).toThrow('all addresses of the node are taken');
  pool.release('10.1.2.4', 'somebody else');
  expect(() => pool.take('f')).toThrow();
  pool.release('10.1.2.4', 'b');
  expect(pool.take('f')).toBe('10.1.2.4');
});

test('networks of IPv6 have addresses too', () => {
  expect(new AddressPool('fd00::/64').take('a')).toBe('fd00::2');
});
