import { describe, expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { validateRules } from '#schema/cel/validate-rules.ts';
import { valueFromOpenApi } from '#schema/structural/from-openapi.ts';

const rule = (text: string, more: object = {}) => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });

async function refusals(schema: object, object: unknown, old?: unknown): Promise<readonly string[]> {
  const errors = new FieldErrors();
  await validateRules(valueFromOpenApi({ type: 'object', properties: { v: schema } }), { v: object }, errors, old === undefined ? {} : { old: { v: old } });
  return errors.list.map(String);
}

describe('validation rules', () => {
  test('are judged on the value they stand at', async () => {
    const schema = { type: 'integer', ...rule('self > 3') };
    expect(await refusals(schema, 4)).toEqual([]);
    expect(await refusals(schema, 3)).toEqual(['v: Invalid value: 3: failed rule: self > 3']);
  });

  test('say what their message says, by the reason and at the field they name', async () => {
    const properties = { a: { type: 'string' } };
    const schema = { type: 'object', properties, ...rule('has(self.a)', { messageExpression: "'no ' + 'a'", reason: 'FieldValueRequired', fieldPath: '.a' }) };
    expect(await refusals(schema, {})).toEqual(['v.a: Required value: no a']);
  });

  test('about what did not change are not run again; transition rules are', async () => {
    const schema = { type: 'integer', ...rule('self < 10') };
    expect(await refusals(schema, 12, 12)).toEqual([]);
    expect(await refusals(schema, 13, 12)).toHaveLength(1);
    const grows = { type: 'integer', ...rule('self >= oldSelf') };
    expect(await refusals(grows, 1)).toEqual([]);
    expect(await refusals(grows, 1, 2)).toEqual(['v: Invalid value: 1: failed rule: self >= oldSelf']);
  });

  test('compare lists of type set without their order', async () => {
    const schema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', ...rule("self == ['b', 'a']") };
    expect(await refusals(schema, ['a', 'b'])).toEqual([]);
  });

  test('that take long give the event loop its turn, and all are run', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ n: index }));
    const item = { type: 'object', properties: { n: { type: 'integer' } }, ...rule('self.n < 99') };
    const schema = valueFromOpenApi({ type: 'object', properties: { v: { type: 'array', items: item } } });
    let turns = 0;
    let running = true;
    const others = () => void (running && setImmediate(() => (turns++, others())));
    others();
    let milliseconds = 0;
    const errors = new FieldErrors();
    await validateRules(schema, { v: items }, errors, { now: () => milliseconds++ });
    running = false;
    expect(errors.list.map(({ field }) => field)).toEqual(['v[99]']);
    expect(turns).toBeGreaterThan(5);
  });
});
