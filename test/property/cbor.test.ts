// Every kind, with every field set and with random ones: nothing is lost on the way through CBOR, and broken bytes are refused.
import { beforeAll, describe, expect, it } from 'vitest';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { StructSchema } from '#schema/build.ts';
import { CborError, decodeTyped, decodeUntyped, encodeCbor, refuseIllFormed } from '#schema/cbor/cbor.ts';
import { canonicalObject } from '#schema/json/decode.ts';
import { parseJson } from '#schema/json/parse-json.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { loadAllStructs } from '../support/all-structs.ts';
import { randomFrom } from '../support/random.mjs';
import { generateObject } from '../support/sample-object.ts';

let roots: StructSchema[];

beforeAll(async () => {
  const all = [...(await loadAllStructs()).values()];
  roots = all.filter((schema) => schema.options.root === true);
});

function samples(schema: StructSchema): object[] {
  const random = randomFrom(schema.name.length);
  return [1, 0.5, 0.1, 0].map((density) => generateObject(schema, { random, density }));
}

describe('an object of any kind', () => {
  it('is the same after CBOR', () => {
    expect(roots.length).toBeGreaterThan(builtinResources.length);
    for (const schema of roots) {
      for (const object of samples(schema)) {
        const bytes = encodeCbor(schema, object);
        refuseIllFormed(bytes);
        const { value, problems } = decodeTyped(schema, bytes);
        expect(problems, schema.name).toEqual([]);
        expect(canonicalObject(schema, value), schema.name).toEqual(object);
      }
    }
  });

  it('is shown by CBOR without a schema as JSON shows it', () => {
    for (const schema of roots) {
      for (const object of samples(schema))
        expect(decodeUntyped(encodeCbor(schema, object)), schema.name).toEqual(parseJson(Buffer.from(encodeJson(schema, object))).value);
    }
  });

  it('is written the same whatever the order of its keys', () => {
    for (const schema of roots) {
      for (const object of samples(schema)) expect(encodeCbor(schema, reversed(object) as object).equals(encodeCbor(schema, object)), schema.name).toBe(true);
    }
  });

  it('is refused when its bytes end early', () => {
    const random = randomFrom(7);
    for (const schema of roots) {
      const bytes = encodeCbor(schema, generateObject(schema, { random, density: 0.3 }));
      const cut = bytes.subarray(0, Math.floor(random() * (bytes.length - 4)) + 3);
      expect(() => refuseIllFormed(cut), `${schema.name} ${cut.toString('hex')}`).toThrow('unexpected EOF');
    }
  });

  it('is refused or read when some of its bytes are others, and nothing else happens', () => {
    const random = randomFrom(11);
    let refused = 0;
    for (let i = 0; i < 3000; i++) {
      const schema = roots[Math.floor(random() * roots.length)] as StructSchema;
      const bytes = Buffer.from(encodeCbor(schema, generateObject(schema, { random, density: 0.1 })));
      for (let j = 0; j < 3; j++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      try {
        refuseIllFormed(bytes);
        decodeTyped(schema, bytes);
        decodeUntyped(bytes);
      } catch (error) {
        if (!(error instanceof CborError)) throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(1000);
  });
});

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
