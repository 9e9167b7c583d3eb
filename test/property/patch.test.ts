// What a patch leaves alone is not decoded again; the object is the one that decoding all of it gives, for every kind the server knows.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { parseStored } from '#schema/json/parse-json.ts';
import { type PatchType, patchedObject } from '#verbs/compute-patch.ts';
import { arbitraryObject } from '../support/arbitrary-object.ts';

const kinds = builtinResources.map((definition) => ({ id: `${definition.group}/${definition.version} ${definition.kind}`, definition }));
const types: readonly PatchType[] = ['merge', 'strategic', 'json'];

describe.each(kinds)('$id', ({ definition }) => {
  test.each(types)('patched by %s', (type) => {
    fc.assert(
      fc.property(stored(definition), arbitraryObject(definition.schema), fc.nat(7), (live, other, choice) => {
        const before = encodeJson(definition.schema, live());
        const patch = patchFrom(type, definition, other, choice);
        const untouchedKept = patched(type, definition, live(), patch, true);
        expect(untouchedKept).toEqual(patched(type, definition, live(), patch, false));
        const shared = live();
        patched(type, definition, shared, patch, true);
        expect(encodeJson(definition.schema, shared)).toBe(before);
      }),
      { numRuns: 8 },
    );
  });
});

/** As the cache gives it, anew for each reader. */
function stored({ schema }: ResourceDefinition): fc.Arbitrary<() => KubernetesObject> {
  return arbitraryObject(schema).map((given) => {
    const bytes = Buffer.from(encodeJson(schema, decodeValue(schema, given).object));
    return () => parseStored(bytes, schema);
  });
}

/** Some of the other object's members, of metadata alone or of everything. */
function patchFrom(type: PatchType, { kind, schema }: ResourceDefinition, other: KubernetesObject, choice: number): Buffer {
  const members = Object.entries(other).filter(
    ([name, value], index) => value !== other.kind && value !== other.apiVersion && name !== kind && index % 3 !== choice % 3,
  );
  const metadata = { labels: { turn: String(choice) }, ...(choice % 2 === 1 && { annotations: { a: 'b' } }) };
  const merged = { ...(choice < 5 && Object.fromEntries(members)), ...(choice === 6 && { apiVersion: null }), metadata };
  if (type !== 'json') return Buffer.from(encodeLoose(merged));
  const names = Object.keys(schema.fields).filter((name) => Object.hasOwn(merged, name));
  const operations = names.map((name) => ({ op: 'add', path: `/${name}`, value: (merged as Record<string, unknown>)[name] }));
  const inside = { op: 'add', path: '/metadata/generateName', value: 'x' };
  return Buffer.from(encodeLoose(choice < 3 ? operations : [inside]));
}

function encodeLoose(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));
}

/** What becomes of the object, or why nothing does. */
function patched(type: PatchType, definition: ResourceDefinition, live: KubernetesObject, bytes: Buffer, isStored: boolean): unknown {
  try {
    const warnings: string[] = [];
    const { object, reset } = patchedObject(definition, { type, bytes, validation: 'Warn', warn: (text) => warnings.push(text), isStored }, live);
    return { object, text: encodeJson(definition.schema, object), reset, warnings };
  } catch (error) {
    return { refused: String(error), status: (error as { toStatus?: () => unknown }).toStatus?.() };
  }
}
