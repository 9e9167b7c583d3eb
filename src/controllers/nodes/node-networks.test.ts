import { expect, test } from 'vitest';
import { type IpNetwork, parseCidrSloppy } from '#base/ip-address.ts';
import { NodeNetworks } from '#controllers/nodes/node-networks.ts';

const network = (text: string) => parseCidrSloppy(text) as IpNetwork;

test('blocks come in turn, those in use are passed over, and those given back rest until all others had their turn', () => {
  const networks = new NodeNetworks(network('10.0.0.0/22'), 24);
  expect(networks.occupy(network('10.0.1.0/24'))).toBe(true);
  expect([networks.take(), networks.take()]).toEqual(['10.0.0.0/24', '10.0.2.0/24']);
  networks.release(network('10.0.0.0/24'));
  expect([networks.take(), networks.take(), networks.take()]).toEqual(['10.0.3.0/24', '10.0.0.0/24', undefined]);
});

test('a network that is larger than a block takes all blocks it touches, a smaller one the block it is in', () => {
  const networks = new NodeNetworks(network('10.0.0.0/22'), 24);
  networks.occupy(network('10.0.0.0/23'));
  networks.occupy(network('10.0.2.128/25'));
  expect([networks.take(), networks.take()]).toEqual(['10.0.3.0/24', undefined]);
});

test('a network outside is refused', () => {
  const networks = new NodeNetworks(network('10.0.0.0/22'), 24);
  expect(networks.occupy(network('10.0.4.0/24'))).toBe(false);
  expect(networks.occupy(network('9.255.0.0/16'))).toBe(false);
  expect(networks.occupy(network('fd00::/64'))).toBe(false);
});

test('networks of IPv6 are cut as well, but not into more blocks than the original counts', () => {
  const networks = new NodeNetworks(network('fd00:1::/56'), 64);
  expect([networks.take(), networks.take()]).toEqual(['fd00:1::/64', 'fd00:1:0:1::/64']);
  expect(() => new NodeNetworks(network('fd00::/40'), 64)).toThrow('the node CIDR size is too big');
});
