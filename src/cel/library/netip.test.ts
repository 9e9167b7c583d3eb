import { expect, test } from 'vitest';
import {
  formatAddress,
  formatPrefix,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  maskedPrefix,
  parseAddress,
  parsePrefix,
  prefixContains,
  prefixCovers,
} from '#cel/library/netip.ts';

// Every expectation was asked of Go's net/netip through the real library.
test.each([
  ['01.2.3.4', 'IPv4 field has octet with leading zero'],
  ['256.1.1.1', 'IPv4 field has value >255'],
  ['1.2.3', 'IPv4 address too short'],
  ['1.2.3.4.5', 'IPv4 address too long'],
  ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
  ['1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
  ['1.2.3.x', 'unexpected character (at "x")'],
  ['', 'unable to parse IP'],
  ['%a', 'missing IPv6 address'],
  ['fe80::1%', 'zone must be a non-empty string'],
  ['12345::', 'each group must have 4 or less digits (at "12345::")'],
  ['g::', 'each colon-separated field must have at least one digit (at "g::")'],
  ['1::2::3', 'multiple :: in address (at ":3")'],
  ['1:', 'colon must be followed by more characters (at ":")'],
  ['1 :2', 'unexpected character, want colon (at " :2")'],
  ['1:2:3:4:5:6:7', 'address string too short'],
  ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
  ['::1:2:3:4:5:6:7:8', 'the :: must expand to at least one field of zeros'],
  ['1:2:3:4:5:6:7:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
  ['1::1.2.3.256', 'IPv4 field has value >255'],
])('%s is no address: %s', (text, problem) => {
  expect(parseAddress(text)).toEqual({ ok: false, problem: `ParseAddr(${JSON.stringify(text)}): ${problem}` });
});

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['::', '::'],
  ['1::', '1::'],
  ['2001:DB8::1', '2001:db8::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::1.2.3.4', '::102:304'],
])('%s is the address %s', (text, canonical) => {
  expect(formatAddress(address(text))).toBe(canonical);
});

test.each([
  ['0.0.0.0', [isUnspecified]],
  ['::', [isUnspecified]],
  ['127.8.8.8', [isLoopback]],
  ['::1', [isLoopback]],
  ['169.254.1.1', [isLinkLocalUnicast]],
  ['febf::1', [isLinkLocalUnicast]],
  ['224.0.0.1', [isLinkLocalMulticast]],
  ['ff12::3', [isLinkLocalMulticast]],
  ['239.1.1.1', []],
  ['255.255.255.255', []],
  ['10.0.0.1', [isGlobalUnicast]],
  ['fec0::1', [isGlobalUnicast]],
  ['fd00::1', [isGlobalUnicast]],
])('%s is of its own sort only', (text, sorts) => {
  const all = [isUnspecified, isLoopback, isLinkLocalUnicast, isLinkLocalMulticast, isGlobalUnicast];
  expect(all.filter((isOfSort) => isOfSort(address(text)))).toEqual(sorts);
});

test.each([
  ['10.0.0.0', "no '/'"],
  ['10.0.0.0/33', 'prefix length out of range'],
  ['::1/129', 'prefix length out of range'],
  ['10.0.0.0/08', 'bad bits after slash: "08"'],
  ['10.0.0.0/+8', 'bad bits after slash: "+8"'],
  ['10.0.0.0/', 'bad bits after slash: ""'],
  ['1.2.3.4/99999999999999999999', 'bad bits after slash: "99999999999999999999"'],
  ['fe80::1%a/64', 'IPv6 zones cannot be present in a prefix'],
  ['10.0/8', 'ParseAddr("10.0"): IPv4 address too short'],
])('%s is no prefix: %s', (text, problem) => {
  expect(parsePrefix(text)).toEqual({ ok: false, problem: `netip.ParsePrefix(${JSON.stringify(text)}): ${problem}` });
});

test('a prefix keeps its host bits until it is masked', () => {
  expect(formatPrefix(prefix('10.1.2.3/8'))).toBe('10.1.2.3/8');
  expect(formatPrefix(maskedPrefix(prefix('10.1.2.3/8')))).toBe('10.0.0.0/8');
});

test('a prefix contains addresses of its family and covers narrower prefixes', () => {
  expect(prefixContains(prefix('10.0.0.0/8'), address('10.255.0.1'))).toBe(true);
  expect(prefixContains(prefix('10.0.0.0/8'), address('11.0.0.1'))).toBe(false);
  expect(prefixContains(prefix('0.0.0.0/0'), address('::1'))).toBe(false);
  expect(prefixCovers(prefix('10.0.0.0/8'), prefix('10.1.0.0/16'))).toBe(true);
  expect(prefixCovers(prefix('10.1.0.0/16'), prefix('10.0.0.0/8'))).toBe(false);
});

function address(text: string) {
  const result = parseAddress(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

function prefix(text: string) {
  const result = parsePrefix(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}
