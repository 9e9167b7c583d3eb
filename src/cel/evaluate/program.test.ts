import { describe, expect, it } from 'vitest';
import { Environment } from '../environment.ts';
import type { Program } from './program.ts';
import type { Library } from '../library.ts';
import { twoVariableComprehensions } from '../macro/two-variable-macros.ts';
import { formatValue } from '../standard/format-value.ts';
import { optionals } from '../standard/optionals.ts';
import { standardLibrary } from '../standard/standard-library.ts';
import { boolType, dynType, intType, listType, stringType } from '../type.ts';
import { ArrayList, CelError, type CelValue } from '../value.ts';

const variables = new Map([
  ['numbers', listType(intType)],
  ['x', intType],
  ['d', dynType],
]);

function compile(source: string, added: readonly Library[] = []): Program {
  const compiled = new Environment({ libraries: [standardLibrary, optionals, twoVariableComprehensions, ...added], variables }).compile(source);
  if (compiled.program === undefined) throw new Error(compiled.text);
  return compiled.program;
}

function numbers(count: number): ReadonlyMap<string, CelValue> {
  return new Map<string, CelValue>([
    ['numbers', new ArrayList(Array.from({ length: count }, (_, index) => BigInt(index)))],
    ['x', 5n],
  ]);
}

/** A clock that moves a millisecond each time it is read. */
function tickingClock(): () => number {
  let time = 0;
  return () => time++;
}

describe('evaluation', () => {
  it('absorbs an error where the other operand decides', () => {
    for (const [source, wanted] of [
      ['1 / 0 == 1 || true', true],
      ['true || 1 / 0 == 1', true],
      ['1 / 0 == 1 && false', false],
      ['[1, 2].exists(i, i / 0 == 1 || i == 2)', true],
      ['[1, 2].all(i, i / 0 == 1 && i == 2)', false],
    ] as const) {
      const outcome = compile(source).evaluate(numbers(0));
      expect(outcome.status === 'value' && outcome.value, source).toBe(wanted);
    }
  });

  it('reads null as a value, not as something missing', () => {
    const outcome = compile('d == null && {"a": d}.a == null && [d][0] == null && has({"a": d}.a) && [d].all(e, e == null)').evaluate(new Map([['d', null]]));
    expect(outcome).toMatchObject({ status: 'value', value: true });
  });

  it('absorbs an error per element at a cost that is a small multiple of that of a value', () => {
    const time = (source: string): number => {
      const program = compile(source);
      const started = performance.now();
      for (let run = 0; run < 20; run++) program.evaluate(numbers(1000));
      return performance.now() - started;
    };
    time('numbers.exists(i, i / 1 == -1)');
    expect(time('numbers.exists(i, i / 0 == -1)')).toBeLessThan(10 * time('numbers.exists(i, i / 1 == -1)'));
  });

  it('tells errors in the words of cel-go', () => {
    for (const [source, message] of [
      ['9223372036854775807 + x', 'integer overflow'],
      ['x / 0', 'division by zero'],
      ['x % 0', 'modulus by zero'],
      ['1u - uint(x)', 'unsigned integer overflow'],
      ['numbers[7]', 'index out of bounds: 7'],
      ['{"a": x}["b"]', 'no such key: b'],
      ['{"a": x}.b', 'no such key: b'],
      ["-dyn('a') == 1", 'no such overload'],
      ["dyn('a') % 2 == 1", 'no such overload'],
      ['size(dyn(timestamp(0))) == 1', 'no such overload'],
      ['dyn(x) + "a"', 'no such overload'],
      ['dyn(true) + "a"', 'no such overload: _+_'],
      ['int(string(x) + "a")', "type conversion error from 'string' to 'int'"],
      ['optional.none().value() == x', 'optional.none() dereference'],
      ['d.a', 'no such attribute(s): d'],
    ]) {
      const outcome = compile(source ?? '').evaluate(numbers(3));
      expect(outcome.status === 'error' && outcome.message, source).toBe(message);
    }
  });

  it('ends at the cost limit with the cost it came to', () => {
    const outcome = compile('numbers.all(i, numbers.all(j, i + j >= 0))').evaluate(numbers(1000), { costLimit: 1000 });
    expect(outcome).toMatchObject({ status: 'error', reason: 'costLimit', message: 'operation cancelled: actual cost limit exceeded' });
    expect(outcome.cost).toBeLessThan(1100);
  });
});

describe('evaluation in slices', () => {
  const sources = [
    'numbers.map(i, i * 2).filter(j, j % 3 == 0).size()',
    'numbers.all(i, numbers.exists(j, j == i)) && numbers.exists_one(k, k == 7)',
    'numbers.transformMap(i, v, v + numbers.filter(k, k < v).size())[20]',
    'numbers.map(i, numbers.map(j, i * j)).map(row, row.size()).size()',
    'optional.of(numbers.map(i, i + 1)).optMap(l, l.size() + l[3]).orValue(0)',
    'numbers.map(i, 10 / (i - 20)).size()',
  ];

  it.each(sources)('comes to the same value, error and cost as in one go: %s', async (source) => {
    const program = compile(source);
    const whole = program.evaluate(numbers(40));
    const sliced = await program.evaluateInSlices(numbers(40), { now: tickingClock(), sliceMillis: 2 });
    expect(sliced.cost).toBe(whole.cost);
    expect(sliced.status === 'value' ? formatValue(sliced.value) : sliced.message).toBe(whole.status === 'value' ? formatValue(whole.value) : whole.message);
  });

  it('gives the event loop its turns, and goes on where it was', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const program = compile('numbers.all(i, numbers.all(j, i + j >= 0))');
    const outcome = await program.evaluateInSlices(numbers(500), { sliceMillis: 1 });
    clearInterval(counting);
    expect(outcome.status === 'value' && outcome.value).toBe(true);
    expect(turns).toBeGreaterThan(3);
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    const running = compile('numbers.all(i, numbers.all(j, i + j >= 0))').evaluateInSlices(numbers(3000), { sliceMillis: 1, signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ status: 'error', reason: 'cancelled' });
  });
});

describe('calls that wait', () => {
  function asking(started: string[]): Library {
    const start = async (name: string): Promise<CelValue> => {
      started.push(name);
      await Promise.resolve();
      if (name === 'bad') throw new CelError('refused to answer');
      return name !== 'no';
    };
    return {
      name: 'test.asking',
      introduced: 0,
      functions: [
        {
          name: 'ask',
          overloads: [{ id: 'ask_string', member: false, args: [stringType], result: boolType, callAsync: { key: (name) => String(name), start } }],
        },
      ],
    };
  }

  it('suspend the evaluation, and are asked once for the same arguments', async () => {
    const started: string[] = [];
    const program = compile('ask("yes") && !ask("no") && ask("yes") && [1, 2].all(i, ask("yes"))', [asking(started)]);
    expect(program.mayWait).toBe(true);
    expect(await program.evaluateInSlices(numbers(0))).toMatchObject({ status: 'value', value: true });
    expect(started).toEqual(['yes', 'no']);
  });

  it('are not asked when they are not needed', async () => {
    const started: string[] = [];
    expect(await compile('x == 5 || ask("yes")', [asking(started)]).evaluateInSlices(numbers(0))).toMatchObject({ value: true });
    expect(started).toEqual([]);
  });

  it('fail with their error', async () => {
    expect(await compile('ask("bad")', [asking([])]).evaluateInSlices(numbers(0))).toMatchObject({ status: 'error', message: 'refused to answer' });
  });

  it('must not be evaluated in one go', () => {
    expect(() => compile('ask("yes")', [asking([])]).evaluate(numbers(0))).toThrow('in slices');
  });
});
