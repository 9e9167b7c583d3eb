// Whatever an object holds, decoding what was encoded gives the same object, for every kind the server knows.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { canonical } from '#schema/json/canonical.ts';
import { clone } from '#schema/clone.ts';
import { decodeJson, decodeValue } from '#schema/json/decode.ts';
import { encodeJsonBytes } from '#schema/json/encode-bytes.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { equal } from '#schema/equal.ts';
import { arbitraryObject } from '../support/arbitrary-object.ts';

const runs = { numRuns: 15 };

describe.each(builtinResources.map((resource) => ({ id: `${resource.group}/${resource.version} ${resource.kind}`, schema: resource.schema })))(
  '$id',
  ({ schema }) => {
    test('decoding takes back what encoding wrote, canonical', () => {
      fc.assert(
        fc.property(arbitraryObject(schema), (given) => {
          const expected = canonical(schema, given);
          const text = encodeJson(schema, expected);
          const { object, problems } = decodeJson(schema, Buffer.from(text));
          expect(problems).toEqual([]);
          expect(object).toEqual(expected);
          expect(encodeJson(schema, object)).toBe(text);
          expect(encodeJsonBytes(schema, object).toString()).toBe(text);
          expect(encodeJsonBytes(schema, expected).toString()).toBe(text);
        }),
        runs,
      );
    });

    test('canonical form is a fixed point, and decoding what a client wrote reaches it', () => {
      fc.assert(
        fc.property(arbitraryObject(schema), (given) => {
          const copy = clone(given);
          const once = canonical(schema, given);
          expect(given).toEqual(copy);
          expect(canonical(schema, once)).toEqual(once);
          expect(decodeValue(schema, given).object).toEqual(once);
          expect(equal(once, clone(once))).toBe(true);
        }),
        runs,
      );
    });
  },
);
