import { describe, expect, test } from 'vitest';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { Secret } from '#kinds/core/v1/secret.ts';
import { cborFrame, decodeTyped, decodeUntyped, diagnoseCbor, encodeCbor, listFrame, readTypeMeta, refuseIllFormed } from '#schema/cbor/cbor.ts';

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const untyped = (value: unknown): string =>
  encodeCbor(undefined, { v: value } as object)
    .subarray(6)
    .toString('hex');

describe('what is written', () => {
  test.each([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [255, '18ff'],
    [256, '190100'],
    [65536, '1a00010000'],
    [2 ** 32, '1b0000000100000000'],
    [-1, '20'],
    [-256, '38ff'],
    [2n ** 63n - 1n, '1b7fffffffffffffff'],
    [-(2n ** 63n), '3b7fffffffffffffff'],
    [1.5, 'f93e00'],
    [0.1, 'fb3fb999999999999a'],
    [100000.5, 'fa47c35040'],
    [2 ** -24, 'f90001'],
    [2 ** -25, 'fa33000000'],
    [65504.5, 'fa477fe080'],
    [true, 'f5'],
    [null, 'f6'],
    ['', '40'],
    ['ü', '42c3bc'],
    [[1, 'a'], '82014161'],
    [{ bb: 1, a: 2, c: undefined }, 'a241610242626201'],
  ])('%s is as short as it can be, texts as byte strings, shorter keys first', (value, digits) => {
    expect(untyped(value)).toBe(digits);
  });

  test('bytes are tagged as meant for base64', () => {
    const written = encodeCbor(Secret, { metadata: {}, data: { a: 'aGk=' } }).toString('hex');
    expect(written).toBe(`d9d9f7a24464617461a14161d6426869${Buffer.from('Hmetadata').toString('hex')}a0`);
  });

  test('an event is a document in a map', () => {
    expect(diagnoseCbor(cborFrame('ADDED', encodeCbor(undefined, {})))).toBe("55799({'type': 'ADDED', 'object': 55799({})})");
  });

  test('a list can be put together from slices', () => {
    const list = (items: object[]): Buffer => encodeCbor(undefined, { kind: 'XList', items, metadata: { continue: 'items' } });
    const items = Array.from({ length: 300 }, (_, i) => ({ i }));
    const frame = listFrame(list([]), 'items', items.length);
    const slices = [items.slice(0, 250), items.slice(250)].map((some) => list(some).subarray(frame.headOf(some.length), -frame.tail.length));
    expect(Buffer.concat([frame.head, ...slices, frame.tail]).equals(list(items))).toBe(true);
  });
});

describe('what is no CBOR', () => {
  // The texts are those of a real kube-apiserver v1.36.
  test.each([
    ['', 'EOF'],
    ['a1', 'unexpected EOF'],
    ['a0a0', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['ff', 'cbor: unexpected "break" code'],
    ['bf4161ff', 'cbor: unexpected "break" code'],
    ['1c', 'cbor: invalid additional information 28 for type positive integer'],
    ['df', 'cbor: invalid additional information 31 for type tag'],
    ['9b7fffffffffffffff', 'cbor: exceeded max number of elements 2147483647 for CBOR array'],
    ['9bffffffffffffffff', 'cbor: array length 18446744073709551615 is too large, it would cause integer overflow'],
    ['9a7fffffff', 'unexpected EOF'],
    ['bb0000000000200001', 'cbor: exceeded max number of key-value pairs 2097152 for CBOR map'],
    ['5b000000007fffffff', 'unexpected EOF'],
    ['7bffffffffffffffff', 'cbor: UTF-8 text string length 18446744073709551615 is too large, causing integer overflow'],
    ['5f6161ff', 'cbor: wrong element type UTF-8 text string for indefinite-length byte string'],
    ['5f5f4161ffff', 'cbor: indefinite-length byte string chunk is not definite-length'],
    ['f814', 'cbor: invalid simple value 20 for type primitives'],
    ['f97e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
    ['fa7f800000', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity'],
    ['c24101', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
    [`${'81'.repeat(10_001)}00`, 'cbor: exceeded max nested level 10000'],
    [`${'c6'.repeat(10_002)}00`, 'cbor: exceeded max nested level 10000'],
  ])('%.30s is refused in the words of the original', (digits, text) => {
    expect(() => refuseIllFormed(hex(digits))).toThrow(text);
  });

  test('more fields and items than a body may hold are refused', () => {
    expect(() => refuseIllFormed(Buffer.concat([hex('9a000186a1'), Buffer.alloc(100_001)]))).toThrow('limit is 100000 fields and items');
    expect(() => refuseIllFormed(Buffer.concat([hex('9a000186a0'), Buffer.alloc(100_000)]))).not.toThrow();
  });
});

describe('what is read', () => {
  const typed = (digits: string): unknown => decodeTyped(ConfigMap, hex(digits));

  test('texts, byte strings, indefinite lengths and tags say the same', () => {
    const value = { value: { data: { a: 'bc' } }, problems: [] };
    expect(typed('a1 44 64617461 a1 4161 426263')).toEqual(value);
    expect(typed('a1 64 64617461 a1 6161 626263')).toEqual(value);
    expect(typed('d9d9f7 bf 44 64617461 d864 bf 4161 5f 4162 4163 ff ff ff')).toEqual(value);
    expect(typed('bf 44 64617461 bf 7f6161ff 7f 6162 6163 ff ff ff')).toEqual(value);
  });

  test('byte strings are base64 or, tagged, the bytes themselves', () => {
    const data = (item: string): unknown => (decodeTyped(Secret, hex(`a1 44 64617461 a1 4161 ${item}`)).value as { data: { a: string } }).data.a;
    expect(data('44 61476b3d')).toBe('aGk=');
    expect(data('d6 42 6869')).toBe('aGk=');
    expect(data('d7 42 6869')).toBe('aGk=');
    expect(data('82 1868 1869')).toBe('aGk=');
    expect(() => data('64 61476b3d')).toThrow('cbor: cannot unmarshal UTF-8 text string into Go struct field v1.Secret.data of type []uint8');
    expect(() => data('41 61')).toThrow('cbor: failed to decode base64 from byte string: illegal base64 data at input byte 0');
  });

  test('the first wrong type is told, with the outermost field', () => {
    expect(() => typed('a2 44 64617461 a1 4161 05 49 696d6d757461626c65 05')).toThrow(
      'cbor: cannot unmarshal positive integer into Go struct field v1.ConfigMap.data of type string',
    );
    expect(() => typed('80')).toThrow(
      'cbor: cannot unmarshal array into Go value of type v1.ConfigMap (cannot decode CBOR array to struct without toarray option)',
    );
  });

  test('a field that nobody knows is told by its place, the outer one first', () => {
    expect(decodeTyped(ConfigMap, hex('a2 48 6d65746164617461 a1 4178 01 4178 01')).problems).toEqual(['cbor: found unknown field at map element index 1']);
    expect(decodeTyped(ConfigMap, hex('a1 48 6d65746164617461 a2 446e616d65 4161 4178 01')).problems).toEqual([
      'cbor: found unknown field at map element index 1',
    ]);
  });

  test('a key that comes twice makes the document worthless', () => {
    expect(() => typed('a2 44 64617461 a0 64 64617461 a0')).toThrow('cbor: found duplicate map key "data" at map element index 1');
    expect(() => typed('a1 44 64617461 a2 4161 4162 6161 4162')).toThrow('cbor: found duplicate map key "a" at map element index 1');
    expect(() => typed('a2 4178 01 4178 01')).toThrow('cbor: found duplicate map key "x" at map element index 1');
  });

  test('kind and version are found without the rest', () => {
    expect(readTypeMeta(hex('a2 44 6b696e64 4141 4178 80'))).toEqual({ kind: 'A', apiVersion: '' });
    expect(() => readTypeMeta(hex('a1 44 6b696e64 01'))).toThrow(
      'cbor: cannot unmarshal positive integer into Go struct field v1.TypeMeta.kind of type string',
    );
  });
});

describe('what has no schema', () => {
  const any = (digits: string): unknown => decodeUntyped(hex(`a1 4176 ${digits}`))['v'];

  test.each([
    ['c0 74 323032302d30312d30315430303a30303a30305a', '2020-01-01T00:00:00Z'],
    ['c1 05', '1970-01-01T00:00:05Z'],
    ['c1 20', '1969-12-31T23:59:59Z'],
    ['c1 fb 3ff8000000000000', '1970-01-01T00:00:01.5Z'],
    ['d6 42 6869', 'aGk='],
    ['d5 42 fbff', '-_8'],
    ['d7 42 6869', '6869'],
    ['1b 001fffffffffffff', Number.MAX_SAFE_INTEGER],
    ['1b 0020000000000000', 2n ** 53n],
    ['3b 7fffffffffffffff', -(2n ** 63n)],
    ['f9 0001', 2 ** -24],
    ['d864 82 f4 f6', [false, null]],
  ])('%s becomes what JSON would show', (digits, value) => {
    expect(any(digits)).toEqual(value);
  });

  test.each([
    ['1b ffffffffffffffff', "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)"],
    ['f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
    ['a1 01 02', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    ['c0 05', 'cbor: tag number 0 must be followed by text string, got positive integer'],
    ['c1 40', 'cbor: tag number 1 must be followed by integer or floating-point number, got byte string'],
    ['62 61ff', 'cbor: invalid UTF-8 string'],
    [`${'81'.repeat(1001)}00`, 'cbor: exceeded max nested level 10000'],
  ])('%.40s is refused', (digits, text) => {
    expect(() => any(digits)).toThrow(text);
  });
});
