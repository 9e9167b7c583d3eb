import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { ByteWriter } from '#base/http2/byte-writer.ts';
import { HpackDecoder } from '#base/http2/hpack/decoder.ts';
import { HpackEncoder } from '#base/http2/hpack/encoder.ts';
import { decodeHuffman, huffmanCodes } from '#base/http2/hpack/huffman.ts';
import { ConnectionError } from '#base/http2/protocol.ts';

type Field = [name: string, value: string];

function decoded(decoder: HpackDecoder, hex: string): Field[] {
  const fields: Field[] = [];
  decoder.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'), (name, value) => fields.push([name, value]));
  return fields;
}

function encoded(encoder: HpackEncoder, fields: readonly Field[]): Buffer {
  const out = new ByteWriter(16);
  encoder.begin(out);
  for (const [name, value] of fields) encoder.field(out, name, value);
  return Buffer.from(out.written);
}

const requests: Field[][] = [
  [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':path', '/'],
    [':authority', 'www.example.com'],
  ],
  [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':path', '/'],
    [':authority', 'www.example.com'],
    ['cache-control', 'no-cache'],
  ],
  [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/index.html'],
    [':authority', 'www.example.com'],
    ['custom-key', 'custom-value'],
  ],
];

const responses: Field[][] = [
  [
    [':status', '302'],
    ['cache-control', 'private'],
    ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
    ['location', 'https://www.example.com'],
  ],
  [
    [':status', '307'],
    ['cache-control', 'private'],
    ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
    ['location', 'https://www.example.com'],
  ],
  [
    [':status', '200'],
    ['cache-control', 'private'],
    ['date', 'Mon, 21 Oct 2013 20:13:22 GMT'],
    ['location', 'https://www.example.com'],
    ['content-encoding', 'gzip'],
    ['set-cookie', 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'],
  ],
];

describe('the examples of RFC 7541, appendix C', () => {
  test.each([
    ['C.2.1, a literal that is kept', '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572', ['custom-key', 'custom-header']],
    ['C.2.2, a literal that is not', '040c 2f73 616d 706c 652f 7061 7468', [':path', '/sample/path']],
    ['C.2.3, a literal that is never kept', '1008 7061 7373 776f 7264 0673 6563 7265 74', ['password', 'secret']],
    ['C.2.4, an index', '82', [':method', 'GET']],
  ])('%s', (_name, hex, field) => {
    expect(decoded(new HpackDecoder(4096), hex)).toEqual([field]);
  });

  test.each([
    [
      'C.3, without Huffman',
      [
        '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
        '8286 84be 5808 6e6f 2d63 6163 6865',
        '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
      ],
    ],
    [
      'C.4, with Huffman',
      ['8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff', '8286 84be 5886 a8eb 1064 9cbf', '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf'],
    ],
  ])('%s: three requests of a connection', (_name, blocks) => {
    const decoder = new HpackDecoder(4096);
    expect(blocks.map((block) => decoded(decoder, block))).toEqual(requests);
  });

  test.each([
    [
      'C.5, without Huffman',
      [
        '4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
        '4803 3330 37c1 c0bf',
        '88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31',
      ],
    ],
    [
      'C.6, with Huffman',
      [
        '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
        '4883 640e ffc1 c0bf',
        '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
      ],
    ],
  ])('%s: three answers through a table of 256 bytes, which evicts', (_name, blocks) => {
    const decoder = new HpackDecoder(256);
    expect(blocks.map((block) => decoded(decoder, block))).toEqual(responses);
  });
});

describe('what cannot be read ends the connection', () => {
  test.each([
    ['an index that nothing has', 'be'],
    ['the index 0', '80'],
    ['a name that nothing has', '7f00 0161'],
    ['a text that is cut off', '4003 6161'],
    ['a block that ends after a name', '4001 61'],
    ['a number without an end', 'ff80 8080 8080 8080 8080 8080 01'],
    ['a number beyond everything', 'ffff ffff ffff 7f'],
    ['a table that is larger than allowed', '3fe2 1f'],
    ['a size of the table after a field', '8220'],
    ['the end of a Huffman string in it', '4001 6184 ffff ffff'],
    ['Huffman padding of a whole byte', '4001 6182 1fff'],
    ['Huffman padding that is not ones', '4001 6181 18'],
  ])('%s', (_name, hex) => {
    expect(() => decoded(new HpackDecoder(4096), hex)).toThrow(ConnectionError);
  });

  test('random bytes are fields or a ConnectionError, and nothing else', () => {
    const decoder = new HpackDecoder(4096);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decoder.decode(Buffer.from(bytes), () => {});
        } catch (error) {
          expect(error).toBeInstanceOf(ConnectionError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('Huffman', () => {
  test('every text comes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (text) => {
        const bytes = encodeHuffman(text);
        const out = Buffer.alloc(Math.ceil((bytes.length * 8) / 5));
        expect([...out.subarray(0, decodeHuffman(bytes, 0, bytes.length, out))]).toEqual([...text]);
      }),
    );
  });
});

/** Bit by bit, from the table of codes. */
function encodeHuffman(text: Uint8Array): Uint8Array {
  const codes = huffmanCodes();
  let bits = '';
  for (const byte of text) {
    const { bits: code, length } = codes[byte] as { bits: number; length: number };
    bits += code.toString(2).padStart(length, '0');
  }
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

const latin1 = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const field = fc.oneof(
  fc.tuple(fc.constantFrom('audit-id', 'content-type', 'date', 'x-kubernetes-pf-flowschema-uid', ':status', 'content-length'), latin1),
  fc.tuple(latin1, latin1),
  fc.constant<Field>(['cache-control', 'no-cache, private']),
);
const step = fc.oneof(fc.record({ fields: fc.array(field, { maxLength: 12 }) }), fc.record({ table: fc.nat(5000) }));

describe('the encoder', () => {
  test('what it writes is what the decoder reads, whatever sizes of the table the peer asks for meanwhile', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const [encoder, decoder] = [new HpackEncoder(), new HpackDecoder(4096)];
        for (const one of steps) {
          if ('table' in one) encoder.limitTable(one.table);
          else expect(decoded(decoder, encoded(encoder, one.fields).toString('hex'))).toEqual(one.fields);
        }
      }),
    );
  });

  test('a field that comes again goes as a single byte', () => {
    const encoder = new HpackEncoder();
    const fields: Field[] = [
      ['content-type', 'application/json'],
      ['x-kubernetes-pf-flowschema-uid', '2a4a6a4c'],
    ];
    encoded(encoder, fields);
    expect(encoded(encoder, fields)).toHaveLength(2);
  });

  test('a peer that keeps no table is sent literals', () => {
    const [encoder, decoder] = [new HpackEncoder(), new HpackDecoder(0)];
    encoder.limitTable(0);
    for (let i = 0; i < 3; i++) expect(decoded(decoder, encoded(encoder, [['x-a', '1']]).toString('hex'))).toEqual([['x-a', '1']]);
  });
});
