import { describe, expect, it, test } from 'vitest';
import { invalid } from '#api/api-error.ts';
import { asJson, errorsIn, FieldErrors, mostErrors, OMITTED } from '#api/field-error.ts';

function messageOf(add: (errors: FieldErrors) => void): string {
  const errors = new FieldErrors();
  add(errors);
  return String(errors.list[0]);
}

describe('a field error', () => {
  test.each<[string, (errors: FieldErrors) => void]>([
    ['a: Required value', (errors) => errors.required('a')],
    ['a: Required value: why', (errors) => errors.required('a', 'why')],
    ['a: Invalid value: "x\\"y": why', (errors) => errors.invalid('a', 'x"y', 'why')],
    ['a: Invalid value: "\\x00ü\\u200b": why', (errors) => errors.invalid('a', '\0ü\u200b', 'why')],
    ['a: Invalid value: "\\u0000\\u003c": why', (errors) => errors.invalid('a', asJson('\0<'), 'why')],
    ['a: Invalid value: 5: why', (errors) => errors.invalid('a', 5, 'why')],
    ['a: Invalid value: 9007199254740993: why', (errors) => errors.invalid('a', 9007199254740993n, 'why')],
    ['a: Invalid value: true: why', (errors) => errors.invalid('a', true, 'why')],
    ['a: Invalid value: null: why', (errors) => errors.invalid('a', undefined, 'why')],
    ['a: Invalid value: ["\\u003c"]: why', (errors) => errors.invalid('a', ['<'], 'why')],
    ['a: Invalid value: why', (errors) => errors.invalid('a', OMITTED, 'why')],
    ['a: Forbidden: why', (errors) => errors.forbidden('a', 'why')],
    ['a: Duplicate value: "x"', (errors) => errors.duplicate('a', 'x')],
    ['a: Not found: "x"', (errors) => errors.notFound('a', 'x')],
    ['a: Unsupported value: "\\u0026": supported values: "x", "y"', (errors) => errors.notSupported('a', '&', ['x', 'y'])],
    ['a: Too long: may not be more than 1 byte', (errors) => errors.tooLong('a', 1)],
    ['a: Too long: may not be more than 2 characters', (errors) => errors.tooLong('a', 2, 'character')],
    ['a: Too short: must be at least 1 character', (errors) => errors.tooShort('a', 1)],
    ['a: Too many: 3: must have at most 2 items', (errors) => errors.tooMany('a', 3, 2)],
    ['a: Too many: must have at most 1 item', (errors) => errors.tooMany('a', -1, 1)],
    ['a: Too few: 0: must have at least 1 item', (errors) => errors.tooFew('a', 0, 1)],
    ['a: Internal error: why', (errors) => errors.internal('a', 'why')],
  ])('reads %s', (message, add) => {
    expect(messageOf(add)).toBe(message);
  });
});

describe('more mistakes than anybody reads', () => {
  it('end the search for them', async () => {
    let looked = 0;
    const found = await errorsIn((errors) => {
      for (; looked < 100_000; looked++) errors.invalid(`spec.items[${looked}]`, 'x', 'must not be');
    });
    expect(found).toHaveLength(1001);
    expect(looked).toBe(1000);
  });

  it('are told up to a quarter of a megabyte', async () => {
    const large = 'x'.repeat(150_000);
    const found = await errorsIn((errors) => {
      for (let index = 0; index < 500; index++) errors.invalid('spec', large, `number ${index}`);
    });
    expect(invalid({ group: '', kind: 'Pod' }, 'p', found).details?.causes).toHaveLength(2);
  });
});

describe('a check that is put off', () => {
  const long = () => {
    const began = performance.now();
    while (performance.now() - began < 10);
  };

  it('tells what it finds in its place, whoever looks first', async () => {
    const validate = (errors: FieldErrors) => {
      errors.required('a');
      errors.later((found) => found.required('b'));
      errors.later((found) => found.required('c'));
      errors.required('d');
    };
    const looked = new FieldErrors();
    validate(looked);
    expect(looked.countSoFar).toBe(2);
    expect(looked.list.map(({ field }) => field)).toEqual(['a', 'b', 'c', 'd']);
    expect((await errorsIn(validate)).map(({ field }) => field)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('makes an object with such an error no empty list', () => {
    const errors = new FieldErrors();
    errors.later((found) => found.required('a'));
    expect(errors.empty).toBe(false);
  });

  it('lets others have their turn before the next one', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('another request'));
    await errorsIn((errors) => {
      for (const name of ['first', 'second']) errors.later(() => (long(), order.push(name)));
    });
    expect(order).toEqual(['first', 'another request', 'second']);
  });

  it('may put off others, which have their turns as well', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('another request'));
    const found = await errorsIn((errors) => {
      errors.later((some) => {
        some.required('a');
        for (const name of ['b', 'c']) some.later((inner) => (long(), order.push(name), inner.required(name)));
      });
      errors.later((some) => some.required('d'));
    });
    expect(found.map(({ field }) => field)).toEqual(['a', 'b', 'c', 'd']);
    expect(order).toEqual(['b', 'another request', 'c']);
  });

  it('ends the search where one that it puts off finds too many', async () => {
    let looked = 0;
    const found = await errorsIn((errors) => {
      errors.required('before');
      errors.later((some) => some.later((inner) => Array.from({ length: 2 * mostErrors }, () => inner.required('a'))));
      errors.later(() => looked++);
    });
    expect([found.length, found[0]?.field, looked]).toEqual([mostErrors + 1, 'before', 0]);
  });

  it('may be one of each item of a long list', async () => {
    const items = Array.from({ length: 350 }, (_, index) => index);
    const order: (number | string)[] = [];
    setImmediate(() => order.push('another request'));
    const found = await errorsIn((errors) => {
      errors.required('before');
      errors.each(items, (item, index, some) => {
        if (item === 120) long();
        order.push(item);
        if (item % 100 === 7) some.required(`items[${index}]`);
      });
      errors.required('after');
    });
    expect(found.map(({ field }) => field)).toEqual(['before', 'items[7]', 'items[107]', 'items[207]', 'items[307]', 'after']);
    expect(order.filter((item) => typeof item === 'number')).toEqual(items);
    expect(order.indexOf('another request')).toBeLessThan(order.length - 1);
  });

  it('is the last one where it finds too many', async () => {
    let looked = 0;
    const found = await errorsIn((errors) => {
      errors.required('before');
      errors.each(
        Array.from({ length: 10_000 }, (_, index) => index),
        (_, index, some) => {
          looked++;
          for (let times = 0; times < 20; times++) some.required(`items[${index}]`);
        },
      );
    });
    expect(found).toHaveLength(mostErrors + 1);
    expect(found[0]?.field).toBe('before');
    expect(looked).toBeLessThan(200);
  });

  it('counts with all others where there are too many', async () => {
    const found = await errorsIn((errors) => {
      for (let index = 0; index < 2 * mostErrors; index++) errors.later((one) => one.required(`f${index}`));
    });
    expect(found.length).toBe(mostErrors + 1);
  });
});
