import { expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { Findings } from '#schema/structural/findings.ts';
import { type OpenApiSource, schemaFromOpenApi } from '#schema/structural/from-openapi.ts';
import { validateStructural, validateStructuralInTurns } from '#schema/structural/validate.ts';
import { validateInTurns, walkInTurns } from '#schema/structural/validation-turns.ts';

const texts = (count: number) => Array.from({ length: count }, (_, index) => (index % 5_000 === 4_999 ? index : `t${index}`));

test.each<[string, OpenApiSource, unknown]>([
  ['a long list', { type: 'array', items: { type: 'string', maxLength: 9 } }, texts(60_000)],
  ['lists in a list', { type: 'array', items: { type: 'array', items: { type: 'string' } } }, Array.from({ length: 200 }, () => texts(300))],
  ['a large map', { type: 'object', additionalProperties: { type: 'string' } }, { ...texts(30_000) }],
  [
    'alternatives over a long list',
    { type: 'array', items: {}, anyOf: [{ items: { type: 'string' } }, { items: { type: 'boolean' } }, { items: { maxLength: 3 } }] },
    texts(20_000),
  ],
])('%s is judged in turns as it is at once', async (_, v, value) => {
  const schema = schemaFromOpenApi({ type: 'object', properties: { v } }, ObjectMeta);
  const [atOnce, inTurns] = [new FieldErrors(), new FieldErrors()];
  validateStructural(schema, { v: value }, atOnce);
  await validateStructuralInTurns(schema, { v: value }, inTurns);
  expect(inTurns.list.map(String)).toEqual(atOnce.list.map(String));
});

test('what was looked at before a turn was over is not looked at again', async () => {
  const value = [1, 2, 3];
  const seen: number[] = [];
  const spend = (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; );
  };
  const inner = Array.from({ length: 300 }, (_, index) => index);
  let turns = 0;
  await validateInTurns(() => {
    turns++;
    walkInTurns({ value, by: seen, parts: value.length, found: new Findings() }, (index) => {
      if (index === 1) walkInTurns({ value: inner, by: seen, parts: inner.length, found: new Findings() }, (at) => spend(at === 100 ? 10 : 0));
      seen.push(index);
    });
  });
  expect(seen).toEqual([0, 1, 2]);
  expect(turns).toBeGreaterThanOrEqual(2);
});
