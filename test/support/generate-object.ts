// Objects of any schema as values of fast-check.
import fc from 'fast-check';
import type { StructSchema } from '#schema/build.ts';
import { randomFrom } from './random.ts';
import { generateRaw } from './sample-object.ts';

/** What a client might send, with few fields or with all of them. */
export function anyObject(schema: StructSchema): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record({ seed: fc.nat(), density: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ seed, density }) => generateRaw(schema, { random: randomFrom(seed), density }));
}
