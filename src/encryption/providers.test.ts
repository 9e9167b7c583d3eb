import { webcrypto } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EncryptionConfiguration, Provider } from '#encryption/configuration.ts';
import { poly1305 } from '#encryption/poly1305.ts';
import { resourceTransformers } from '#encryption/resource-transformers.ts';
import { secretbox } from '#encryption/secretbox.ts';
import type { Transformer } from '#encryption/transformer.ts';

const place = '/registry/secrets/default/one';
const key = (letter: string, name = letter) => ({ name, secret: Buffer.alloc(32, letter).toString('base64') });
const hex = (text: string) => Buffer.from(text, 'hex');

function transformer(...providers: Provider[]): Transformer {
  const configuration: EncryptionConfiguration = { resources: [{ resources: ['secrets'], providers }] };
  const noKms = () => {
    throw new Error('no plugin in this test');
  };
  return resourceTransformers(configuration, noKms)({ group: '', resource: 'secrets' }) as Transformer;
}

const open = async (one: Transformer, sealed: Uint8Array, at = place) => one.decrypt(sealed, at);
const plain = Buffer.from('{"kind":"Secret"}');

/** By another implementation than the one under test. */
async function decoded(name: 'AES-GCM' | 'AES-CBC', letter: string, sealed: Uint8Array): Promise<string> {
  const secret = await webcrypto.subtle.importKey('raw', Buffer.alloc(32, letter), name, false, ['decrypt']);
  const ivLength = name === 'AES-GCM' ? 12 : 16;
  const parameters = { name, iv: sealed.subarray(0, ivLength), ...(name === 'AES-GCM' && { additionalData: Buffer.from(place) }) };
  return Buffer.from(await webcrypto.subtle.decrypt(parameters, secret, sealed.subarray(ivLength))).toString();
}

describe('what a provider writes', () => {
  test.each([
    ['aesgcm', 'AES-GCM'],
    ['aescbc', 'AES-CBC'],
  ] as const)('%s: its prefix, the name of the key, and bytes that others can decrypt', async (provider, algorithm) => {
    const sealed = Buffer.from(await transformer({ [provider]: { keys: [key('a', 'key1')] } }).encrypt(plain, place));
    const prefix = `k8s:enc:${provider}:v1:key1:`;
    expect(sealed.subarray(0, prefix.length).toString()).toBe(prefix);
    expect(await decoded(algorithm, 'a', sealed.subarray(prefix.length))).toBe(plain.toString());
  });

  test('secretbox: as in the example of «Cryptography in NaCl»', async () => {
    const nonce = hex('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37');
    const box = secretbox(hex('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389'));
    const sealed = hex(
      'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5',
    );
    const { data } = await open(box, Buffer.concat([nonce, sealed]));
    expect(Buffer.from(data).toString('hex')).toMatch(/^be075fc53c81f2d5cf141316ebeb0c7b.*37763848645e0705$/);
    for (const length of [0, 1, 15, 16, 17, 63, 64, 65, 1000]) {
      const message = Buffer.alloc(length, 'x');
      expect(Buffer.from((await open(box, await box.encrypt(message, place))).data).equals(message)).toBe(true);
    }
  });

  test('Poly1305 as in RFC 8439', () => {
    const tag = poly1305(Buffer.from('Cryptographic Forum Research Group'), hex('85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b'));
    expect(tag.toString('hex')).toBe('a8061dc1305136c6c22b8baf0c0127a9');
  });

  test('identity leaves bytes as they are', async () => {
    expect(await transformer({ identity: {} }).encrypt(plain, place)).toEqual(plain);
  });
});

describe('what cannot be read', () => {
  const gcm = transformer({ aesgcm: { keys: [key('a')] } });
  const cbc = transformer({ aescbc: { keys: [key('a')] } });
  const box = transformer({ secretbox: { keys: [key('a')] } });

  test.each([
    ['aesgcm', gcm, transformer({ aesgcm: { keys: [key('b', 'a')] } }), 'cipher: message authentication failed'],
    ['secretbox', box, transformer({ secretbox: { keys: [key('b', 'a')] } }), 'output array was not large enough for encryption'],
    ['another name', gcm, transformer({ aesgcm: { keys: [key('b')] } }), 'no matching key was found for the provided AES transformer'],
    ['another provider', gcm, transformer({ secretbox: { keys: [key('a')] } }), 'no matching prefix found'],
    ['no provider', gcm, transformer({ identity: {} }), 'no matching prefix found'],
  ])('with another key: %s', async (_, writer, reader, message) => {
    const sealed = await writer.encrypt(plain, place);
    await expect(open(reader, sealed)).rejects.toThrow(new Error(message));
  });

  test('aescbc with another key, unless its padding happens to fit', async () => {
    const reader = transformer({ aescbc: { keys: [key('b', 'a')] } });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => open(reader, await cbc.encrypt(plain, place)).catch((error: Error) => error.message)),
    );
    expect(outcomes.filter((outcome) => /^invalid (padding on input|PKCS7 data)/.test(String(outcome))).length).toBeGreaterThan(15);
  });

  test('aesgcm: a value that lies where it was not written', async () => {
    await expect(open(gcm, await gcm.encrypt(plain, place), '/registry/secrets/default/two')).rejects.toThrow('message authentication failed');
  });

  test.each([
    ['aesgcm', gcm, 3, 'the stored data was shorter than the required size'],
    ['aesgcm', gcm, 20, 'cipher: message authentication failed'],
    ['aescbc', cbc, 3, 'the stored data was shorter than the required size'],
    ['aescbc', cbc, 20, 'the stored data is not a multiple of the block size'],
    ['aescbc', cbc, 16, 'invalid PKCS7 data (empty or not padded)'],
    ['secretbox', box, 30, 'the stored data was shorter than the required size'],
  ])('truncated: %s', async (provider, one, length, message) => {
    const sealed = await one.encrypt(plain, place);
    await expect(open(one, sealed.subarray(0, `k8s:enc:${provider}:v1:a:`.length + length))).rejects.toThrow(new Error(message));
  });
});

describe('rotation', () => {
  test('what the first key of the first provider has written is fresh, all else is stale', async () => {
    const [gcm, cbc] = [{ aesgcm: { keys: [key('a'), key('b')] } }, { aescbc: { keys: [key('c')] } }];
    const both = transformer(gcm, cbc, { identity: {} });
    expect(await open(both, await both.encrypt(plain, place))).toEqual({ data: plain, isStale: false });
    for (const before of [{ aesgcm: { keys: [key('b')] } }, cbc, { identity: {} }]) {
      expect(await open(both, await transformer(before).encrypt(plain, place))).toEqual({ data: plain, isStale: true });
    }
    const away = transformer({ identity: {} }, gcm);
    expect(await open(away, await transformer(gcm).encrypt(plain, place))).toEqual({ data: plain, isStale: true });
  });

  test('a provider that fails leaves another one with its prefix the turn', async () => {
    const old = { aescbc: { keys: [key('a', '1')] } };
    const both = transformer({ aescbc: { keys: [key('b', '2')] } }, old);
    expect(await open(both, await transformer(old).encrypt(plain, place))).toEqual({ data: plain, isStale: true });
  });
});

test('the rule that names a resource goes before that of its group, and that before all', () => {
  const rule = (name: string, letter: string) => ({ resources: [name], providers: [{ aesgcm: { keys: [key(letter)] } }] });
  const of = resourceTransformers({ resources: [rule('deployments.apps', 'a'), rule('*.apps', 'b'), rule('*.', 'c'), rule('*.*', 'd')] }, () => {
    throw new Error('no plugin in this test');
  });
  const letterOf = (resource: string, group: string) => Buffer.from(of({ group, resource })?.encrypt(plain, '') as Uint8Array).toString('latin1', 18, 19);
  expect([letterOf('deployments', 'apps'), letterOf('daemonsets', 'apps'), letterOf('secrets', ''), letterOf('widgets', 'example.com')]).toEqual([
    'a',
    'b',
    'c',
    'd',
  ]);
});
