// Every kind, with every field set and with random ones: nothing is lost on the way through protobuf, and another encoder agrees.
import { beforeAll, describe, expect, it } from 'vitest';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { StructSchema } from '#schema/build.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { decodeProtobuf, encodeProtobuf, hasProtobuf } from '#schema/protobuf/protobuf.ts';
import { loadAllStructs } from '../support/all-structs.ts';
import { generateObject } from '../support/sample-object.ts';
import { Descriptors, toMessage } from '../support/protobuf-descriptors.ts';
import { randomFrom } from '../support/random.mjs';

let roots: StructSchema[];

beforeAll(async () => {
  const all = [...(await loadAllStructs()).values()];
  roots = all.filter((schema) => schema.options.root === true && hasProtobuf(schema) && isWhole(schema));
});

/** The fields of a list's items are covered by the items' own kind. */
function isWhole(schema: StructSchema): boolean {
  return !schema.name.endsWith('List');
}

describe('an object of any kind', () => {
  it('is the same after protobuf, and after JSON and protobuf', () => {
    expect(roots.length).toBeGreaterThan(builtinResources.length * 0.8);
    for (const schema of roots) {
      for (const object of samples(schema)) {
        expect(decodeProtobuf(schema, encodeProtobuf(schema, object)), schema.name).toEqual(object);
        const { object: fromJson } = decodeJson(schema, Buffer.from(encodeJson(schema, object)));
        expect(decodeProtobuf(schema, encodeProtobuf(schema, fromJson)), schema.name).toEqual(object);
      }
    }
  });

  it('is read from what another encoder wrote', () => {
    const descriptors = new Descriptors();
    for (const schema of roots) {
      const type = descriptors.typeOf(schema);
      for (const object of samples(schema)) {
        expect(decodeProtobuf(schema, type.encode(toMessage(schema, object)).finish()), schema.name).toEqual(object);
      }
    }
  });

  it('is read by another decoder from what we wrote, byte for byte complete', () => {
    const descriptors = new Descriptors();
    for (const schema of roots) {
      const type = descriptors.typeOf(schema);
      for (const object of samples(schema)) {
        const theirs = type.decode(encodeProtobuf(schema, object));
        expect(decodeProtobuf(schema, type.encode(theirs).finish()), schema.name).toEqual(object);
      }
    }
  });

  it('is refused, not misread, when the bytes end early', () => {
    const random = randomFrom(5);
    for (const schema of roots.filter((_, index) => index % 7 === 0)) {
      const bytes = encodeProtobuf(schema, generateObject(schema, { random }));
      for (let cut = 0; cut < 20; cut++) readsOrRefuses(schema, bytes.subarray(0, Math.floor(random() * bytes.length)));
    }
  });

  it('never makes the reader fail in another way than with a refusal, whatever the bytes', () => {
    const random = randomFrom(6);
    for (const schema of roots.filter((_, index) => index % 5 === 0)) {
      const bytes = encodeProtobuf(schema, generateObject(schema, { random }));
      for (let turn = 0; turn < 40; turn++) {
        const damaged = Buffer.from(bytes);
        for (let flips = 0; flips < 3; flips++) damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
        readsOrRefuses(schema, damaged);
      }
    }
  });
});

function samples(schema: StructSchema): Record<string, unknown>[] {
  const random = randomFrom(schema.name.length * 7919);
  return [generateObject(schema, { random }), generateObject(schema, { random, density: 0.3 }), generateObject(schema, { random, density: 0 })];
}

function readsOrRefuses(schema: StructSchema, bytes: Buffer): void {
  try {
    decodeProtobuf(schema, bytes);
  } catch (error) {
    expect(error).toMatchObject({ name: expect.stringMatching(/^(ProtobufError|QuantityError)$/) });
  }
}
