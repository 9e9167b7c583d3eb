import { describe, expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { validateRules } from '#schema/cel/validate-rules.ts';
import { valueFromOpenApi } from '#schema/structural/from-openapi.ts';

const rule = (text: string, more: object = {}) => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });

/** What is refused, and after it what is only warned of. */
async function refusals(schema: object, object: unknown, old?: unknown): Promise<readonly string[]> {
  const errors = new FieldErrors();
  const warnings: string[] = [];
  const options = old === undefined ? {} : { old: { v: old }, warn: (text: string) => void warnings.push(`warning: ${text}`) };
  await validateRules(valueFromOpenApi({ type: 'object', properties: { v: schema } }), { v: object }, errors, options);
  return [...errors.list.map(String), ...warnings];
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

  test('only warn of what is as wrong as it was; transition rules refuse', async () => {
    const schema = { type: 'integer', ...rule('self < 10') };
    expect(await refusals(schema, 12, 12)).toEqual(['warning: v: Invalid value: 12: failed rule: self < 10']);
    expect(await refusals(schema, 13, 12)).toEqual(['v: Invalid value: 13: failed rule: self < 10']);
    const grows = { type: 'integer', ...rule('self >= oldSelf') };
    expect(await refusals(grows, 1)).toEqual([]);
    expect(await refusals(grows, 1, 2)).toEqual(['v: Invalid value: 1: failed rule: self >= oldSelf']);
  });

  test('forgive items that cannot be found again when the list around them is what it was', async () => {
    const schema = { type: 'array', items: { type: 'integer', ...rule('self < 10') } };
    expect(await refusals(schema, [12], [12])).toEqual(['warning: v[0]: Invalid value: 12: failed rule: self < 10']);
    expect(await refusals(schema, [12, 1], [12])).toEqual(['v[0]: Invalid value: 12: failed rule: self < 10']);
  });

  test('take a property that is null for absent, and are not asked about null itself', async () => {
    const a = { type: 'string', nullable: true, ...rule("self == 'x'") };
    expect(await refusals({ type: 'object', properties: { a }, ...rule('!has(self.a)') }, { a: null })).toEqual([]);
  });

  test('name the entry of a map by its key, and themselves by their message', async () => {
    const m = { type: 'object', additionalProperties: { type: 'integer' } };
    const schema = { type: 'object', properties: { m }, ...rule('self.m.k > 1', { fieldPath: '.m.k', message: ' too small ' }) };
    expect(await refusals(schema, { m: { k: 1 } })).toEqual(['v.m[k]: Invalid value: too small']);
    expect(await refusals(schema, { m: {} })).toEqual(['v: Invalid value: "object": no such key: k evaluating rule: too small']);
  });

  test('compare lists of type set without their order', async () => {
    const schema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', ...rule("self == ['b', 'a']") };
    expect(await refusals(schema, ['a', 'b'])).toEqual([]);
  });

  test('refuse to compare lists and maps of the object with other kinds of values, but call them unequal', async () => {
    const refused = (type: string, text: string) => [
      `v: Invalid value: "${type}": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${text}`,
    ];
    const list = { type: 'array', items: { type: 'string' } };
    const object = { type: 'object', properties: { a: { type: 'string' } } };
    const map = { type: 'object', additionalProperties: { type: 'string' } };
    for (const [type, schema, value] of [
      ['array', list, []],
      ['object', object, {}],
      ['object', map, {}],
    ] as const) {
      expect(await refusals({ ...schema, ...rule("dyn(self) == 'x'") }, value)).toEqual(refused(type, "dyn(self) == 'x'"));
      expect(await refusals({ ...schema, ...rule("dyn(self) != 'x' && dyn(self) != null && !(dyn(self) in [dyn('x'), dyn(1)])") }, value)).toEqual([]);
      // Inside lists and maps that the expression makes, what cannot be compared counts as equal.
      expect(await refusals({ ...schema, ...rule("[dyn(self)] == ['x'] && {'a': dyn(self)} == {'a': 'x'}") }, value)).toEqual([]);
      expect(await refusals({ ...schema, ...rule('optional.ofNonZeroValue(self).hasValue()') }, value)).toEqual([]);
    }
    for (const schema of [object, map]) {
      expect(await refusals({ ...schema, ...rule("dyn(self)[0] == 'x'") }, {})).toEqual(refused('object', "dyn(self)[0] == 'x'"));
    }
    const objects = { type: 'array', items: object };
    expect(await refusals({ ...objects, ...rule("'a' in dyn(self)") }, [{}])).toEqual(refused('array', "'a' in dyn(self)"));
  });

  test('know objects as maps, and lists without members', async () => {
    const object = { type: 'object', properties: { a: { type: 'string' } }, ...rule('string(dyn(self)) == ""') };
    expect((await refusals(object, { a: 'x' })).join()).toContain('no such overload: string(map)');
    const list = { type: 'array', items: { type: 'string' }, ...rule('has(dyn(self).a)') };
    expect((await refusals(list, [])).join()).toContain("unsupported index type 'string' in list");
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
