import { describe, expect, test } from 'vitest';
import { formatCidr, formatIp, hasLeadingZeros, parseCidrSloppy, parseIpSloppy } from '#base/ip-address.ts';

describe('an IP address', () => {
  test.each([
    ['10.0.0.1', 4, '10.0.0.1'],
    ['010.0.0.1', 4, '10.0.0.1'],
    ['::ffff:1.2.3.4', 4, '1.2.3.4'],
    ['::', 6, '::'],
    ['::1', 6, '::1'],
    ['2001:DB8:0:0:1:0:0:1', 6, '2001:db8::1:0:0:1'],
    ['1:2:3:4:5:6:7:8', 6, '1:2:3:4:5:6:7:8'],
    ['1:0:3:4:5:6:7:8', 6, '1:0:3:4:5:6:7:8'],
    ['1::', 6, '1::'],
    ['64:ff9b::1.2.3.4', 6, '64:ff9b::102:304'],
  ])('%s is of family %i and prints as %s', (text, family, canonical) => {
    const address = parseIpSloppy(text);
    expect(address?.family).toBe(family);
    expect(address && formatIp(address)).toBe(canonical);
  });

  test.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '1.2.3.4.5',
    'a.b.c.d',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    'g::',
    '12345::',
    '::1%eth0',
    '1.2.3.4::',
    ' 1.2.3.4',
  ])('is not %j', (text) => {
    expect(parseIpSloppy(text)).toBeUndefined();
  });

  test('tells leading zeros', () => {
    expect(['1.02.3.4', '::1.02.3.4', '0.0.0.0', '1.2.3.4', '::01'].map(hasLeadingZeros)).toEqual([true, true, false, false, false]);
  });
});

describe('a network', () => {
  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.0.0.0/32', '10.0.0.0/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:db8::1/64', '2001:db8::/64'],
    ['::ffff:1.2.3.4/120', '1.2.3.0/24'],
  ])('%s is %s', (text, canonical) => {
    const network = parseCidrSloppy(text);
    expect(network && formatCidr(network)).toBe(canonical);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/-1', 'x/8', '10.0.0.0/8/8'])('is not %j', (text) => {
    expect(parseCidrSloppy(text)).toBeUndefined();
  });
});
