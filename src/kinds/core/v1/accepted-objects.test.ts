// Objects of the core group, and of what grew out of it, that use most of what their kinds have and with which nothing is wrong.
// (src/kinds/accepted-objects.test.ts does the same for the other groups.)
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { referenceFor, refusalOfCreation } from '../../../../test/support/reference-answers.ts';
import { oursOfCreation } from '../../../../test/support/rule-cases.ts';
import { refusedWith } from '../../../../test/support/refusals.ts';
import { type FieldName, fieldsOfKind, fieldsUsed } from '../../../../test/support/fields-used.ts';

const fixture = new URL('../../../../test/fixtures/accepted-core-objects.json', import.meta.url);
const groups = new Set(['', 'certificates.k8s.io', 'discovery.k8s.io', 'events.k8s.io']);
const accepted: Record<string, object[]> = JSON.parse(readFileSync(fixture, 'utf8'));

describe.each(Object.entries(accepted).map(([key, objects]) => ({ key, objects })))('$key', ({ key, objects }) => {
  const definition = builtinResources.find(({ group, version, plural }) => `${group}/${version}/${plural}` === key);
  if (definition === undefined) throw new Error(`${key} is not served`);

  test.each(objects.map((object, index) => ({ index, object })))('object $index is taken', async ({ object }) => {
    expect(oursOfCreation(definition, object)).toEqual(refusedWith([]));
    const reference = referenceFor({});
    if (reference) expect(await refusalOfCreation(reference, definition, object)).toEqual(refusedWith([]));
  });

  test('objects use most of the fields', () => {
    const used = new Set<FieldName>(objects.flatMap((object) => [...fieldsUsed(definition.schema, object)]));
    const all = [...fieldsOfKind(definition, builtinResources)];
    expect(all.filter((field) => used.has(field)).length / all.length).toBeGreaterThan(0.5);
  });
});

test('no kind that is stored and served by default is left out', () => {
  const served = builtinResources.filter(
    ({ group, version, enabled, storage }) => groups.has(group) && storage !== undefined && enabled !== false && /^v\d+$/.test(version),
  );
  const kinds = new Set(Object.keys(accepted).map((key) => key.replace(/\/.*\//, '/')));
  expect(served.map(({ group, plural }) => `${group}/${plural}`).filter((kind) => !kinds.has(kind))).toEqual([]);
});
