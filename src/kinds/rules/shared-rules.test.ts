import { describe, expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { cidrWarnings, ipWarnings, validateCidr, validateIp, validateLegacyCidr, validateLegacyIp } from '#kinds/rules/addresses.ts';
import { type ConditionFields, validateConditions } from '#kinds/rules/conditions.ts';
import { hasInvalidLabelValue, shownSelector, validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { addQuantities, compareQuantities, isWholeQuantity, quantityValue, roundToMilli } from '#kinds/rules/quantities.ts';
import { isExtendedResource, isIntegerResource, isOvercommitAllowed, validateContainerResourceName } from '#kinds/rules/resource-names.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { trustBundleNameRule, validateSignerName } from '#kinds/rules/signer-names.ts';

function errorsOf(validate: (errors: FieldErrors) => void): string[] {
  const errors = new FieldErrors();
  validate(errors);
  return errors.list.map(String);
}

describe('addresses', () => {
  test.each([
    ['10.0.0.1', []],
    ['x', ['ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    ['01.2.3.4', ['ip: Invalid value: "01.2.3.4": must not have leading 0s']],
    ['::ffff:1.2.3.4', ['ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address']],
    ['2001:DB8::1', ['ip: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")']],
  ])('%s in a new field', (value, messages) => {
    expect(errorsOf((errors) => validateIp(value, 'ip', errors))).toEqual(messages);
  });

  test('that are stored may be odd, and so may all before the gate', () => {
    expect(errorsOf((errors) => validateLegacyIp('01.2.3.4', 'ip', errors, true, ['01.2.3.4']))).toEqual([]);
    expect(errorsOf((errors) => validateLegacyIp('01.2.3.4', 'ip', errors, false))).toEqual([]);
    expect(errorsOf((errors) => validateLegacyCidr('10.0.0.1/8', 'cidr', errors, false))).toEqual([]);
  });

  test.each([
    ['10.0.0.0/8', []],
    ['10.0.0.0', ['cidr: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
    ['10.0.0.0/08', ['cidr: Invalid value: "10.0.0.0/08": must not have leading 0s in IP or prefix length']],
    ['::ffff:1.2.3.0/120', ['cidr: Invalid value: "::ffff:1.2.3.0/120": must not have an IPv4-mapped IPv6 address']],
    ['10.0.0.1/8', ['cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length']],
    ['2001:DB8::/32', ['cidr: Invalid value: "2001:DB8::/32": must be in canonical form ("2001:db8::/32")']],
  ])('network %s in a new field', (value, messages) => {
    expect(errorsOf((errors) => validateCidr(value, 'cidr', errors))).toEqual(messages);
  });

  test('that are odd are warned about', () => {
    expect(ipWarnings('10.0.0.1', 'f')).toEqual([]);
    expect(ipWarnings('010.0.0.1', 'f')).toEqual(['f: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"']);
    expect(ipWarnings('2001:DB8::1', 'f')).toEqual(['f: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")']);
    expect(cidrWarnings('10.0.0.1/8', 'f')).toEqual(['f: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)']);
    expect(cidrWarnings('2001:DB8::/32', 'f')).toEqual(['f: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")']);
  });
});

describe('conditions', () => {
  const valid: ConditionFields = { type: 'Ready', status: 'True', lastTransitionTime: '2030-01-02T03:04:05Z', reason: 'AsExpected' };

  test('may stand side by side', () => {
    expect(errorsOf((errors) => validateConditions([valid, { ...valid, type: 'example.com/Other' }], 'c', errors))).toEqual([]);
  });

  test.each<[Partial<ConditionFields>, string]>([
    [{ type: 'a b' }, 'c[0].type: Invalid value: "a b": name part must consist of'],
    [{ status: 'Maybe' }, 'c[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"'],
    [{ observedGeneration: -1 }, 'c[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero'],
    [{ lastTransitionTime: undefined }, 'c[0].lastTransitionTime: Required value'],
    [{ reason: '' }, 'c[0].reason: Required value'],
    [{ reason: '1a' }, 'c[0].reason: Invalid value: "1a": a condition reason must start with alphabetic character'],
    [{ reason: 'a'.repeat(1025) }, 'c[0].reason: Too long: may not be more than 1024 bytes'],
    [{ message: 'a'.repeat(32769) }, 'c[0].message: Too long: may not be more than 32768 bytes'],
  ])('may not have %j', (changes, message) => {
    const messages = errorsOf((errors) => validateConditions([{ ...valid, ...changes }], 'c', errors));
    expect(messages).toHaveLength(1);
    expect(messages[0]?.startsWith(message)).toBe(true);
  });

  test('may not stand twice', () => {
    expect(errorsOf((errors) => validateConditions([valid, valid], 'c', errors))).toEqual(['c[1].type: Duplicate value: "Ready"']);
  });
});

describe('label selectors', () => {
  test('let stored values pass', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] };
    expect(hasInvalidLabelValue(selector)).toBe(true);
    expect(errorsOf((errors) => validateLabelSelector(selector, 's', errors, { anyValue: true }))).toEqual([]);
    expect(errorsOf((errors) => validateLabelSelector(selector, 's', errors))).toHaveLength(1);
  });

  test('are shown with fields in order and labels sorted', () => {
    expect(JSON.stringify(shownSelector({ matchLabels: { b: '1', a: '2' }, matchExpressions: [{ values: ['x'], operator: 'In', key: 'k' }] }))).toBe(
      '{"matchLabels":{"a":"2","b":"1"},"matchExpressions":[{"key":"k","operator":"In","values":["x"]}]}',
    );
  });
});

describe('quantities', () => {
  test('compare, add and round', () => {
    expect([compareQuantities('1', '1000m'), compareQuantities('1Gi', '1G'), compareQuantities('-1', '0')]).toEqual([0, 1, -1]);
    expect([addQuantities('100m', '1'), addQuantities('1Gi', '1Mi'), addQuantities('0', '1Ki')]).toEqual(['1100m', '1025Mi', '1Ki']);
    expect([roundToMilli('100u'), roundToMilli('1500u'), roundToMilli('2')]).toEqual(['1m', '2m', '2']);
    expect([isWholeQuantity('1500m'), isWholeQuantity('2'), quantityValue('1500m')]).toEqual([false, true, 2n]);
  });
});

describe('names of resources', () => {
  test.each([
    ['cpu', []],
    ['hugepages-2Mi', []],
    ['example.com/gpu', []],
    ['kubernetes.io/batteries', []],
    ['pods', ['r: Invalid value: "pods": must be a standard resource for containers']],
    ['requests.example.com/gpu', ['r: Invalid value: "requests.example.com/gpu": doesn\'t follow extended resource name standard']],
  ])('%s in a container', (name, messages) => {
    expect(errorsOf((errors) => validateContainerResourceName(name, 'r', errors))).toEqual(messages);
  });

  test('tell what may be shared and what is counted', () => {
    expect(['cpu', 'hugepages-2Mi', 'example.com/gpu'].map(isOvercommitAllowed)).toEqual([true, false, false]);
    expect(['cpu', 'pods', 'example.com/gpu'].map(isIntegerResource)).toEqual([false, true, true]);
    expect(['cpu', 'example.com/gpu', 'kubernetes.io/x'].map(isExtendedResource)).toEqual([false, true, false]);
  });
});

describe('signers', () => {
  test.each([
    ['example.com/signer.one', 0],
    ['', 1],
    ['example.com', 1],
    ['com/signer', 1],
    ['Example.com/signer', 1],
    ['example.com/Signer', 1],
    [`${'a.'.repeat(130)}com/x`, 1],
  ])('%j has %i problems', (name, count) => {
    expect(errorsOf((errors) => validateSignerName(name, 's', errors))).toHaveLength(count);
  });

  test('give their name to their bundles', () => {
    expect(trustBundleNameRule('example.com/s')('example.com:s:a', false)).toEqual([]);
    expect(trustBundleNameRule('example.com/s')('a', false)).toEqual([
      'ClusterTrustBundle for signerName example.com/s must be named with prefix example.com:s:',
    ]);
    expect(trustBundleNameRule('')('a:b', false)).toEqual(['ClusterTrustBundle without signer name must not have ":" in its name']);
  });
});

test.each([
  [{ a: undefined }, {}, true],
  [{ a: [] }, {}, true],
  [{ a: { b: [1] } }, { a: { b: [1] } }, true],
  [{ a: {} }, {}, false],
  [{ a: 0 }, {}, false],
  [[1, 2], [2, 1], false],
  [[1], { 0: 1 }, false],
  [1, '1', false],
])('%j and %j are the same: %s', (a, b, same) => {
  expect(semanticEqual(a, b)).toBe(same);
  expect(semanticEqual(b, a)).toBe(same);
});
