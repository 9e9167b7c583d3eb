import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { runtimeFlags } from '#app/command/runtime-flags.ts';

function started(version = '11.3') {
  const events = new EventEmitter();
  const inForce = new Map<string, string>();
  const setFlag = (flag: string) => {
    const [name = '', value = String(!flag.startsWith('--no-'))] = flag.replace(/^--(no-)?/, '').split('=');
    inForce.set(name, value);
  };
  return { events, flags: runtimeFlags(events, { version, setFlag }), inForce: () => Object.fromEntries(inForce) };
}

const asAlways = {
  'incremental-marking': 'true',
  'heap-growing-percent': '0',
  'interrupt-budget': '67584',
  'max-inlined-bytecode-size-cumulative': '920',
  'parallel-scavenge': 'true',
};
const calm = { 'interrupt-budget': '90000', 'max-inlined-bytecode-size-cumulative': '150', 'parallel-scavenge': 'false' };

test('garbage of a start is left until the first clients are answered', () => {
  const { flags, inForce } = started();
  flags.onStart();
  expect(inForce()).toEqual({ ...asAlways, ...calm, 'incremental-marking': 'false' });
  flags.onReady('answering');
  expect(inForce()['incremental-marking']).toBe('false');
  flags.onSettled();
  expect(inForce()).toEqual({ ...asAlways, ...calm, 'heap-growing-percent': '100' });
});

test('V8 optimizes what a server that only answers runs when clients keep it busy', () => {
  const { flags, inForce } = started();
  flags.onStart();
  flags.onReady('answering');
  expect(inForce()).toMatchObject(calm);
  flags.onBusy();
  expect(inForce()['interrupt-budget']).toBe('30000');
  flags.onSettled();
  expect(inForce()).toEqual({ ...asAlways, 'heap-growing-percent': '100', 'interrupt-budget': '30000' });
});

test('a server that plays is for V8 as it was, however busy it is', () => {
  const { flags, inForce } = started();
  flags.onStart();
  flags.onReady('playing');
  flags.onBusy();
  expect(inForce()['interrupt-budget']).toBe('400000');
});

test('a chunk of the build is loaded under the flags under which it was compiled', () => {
  const { flags, inForce, events } = started();
  flags.onStart();
  flags.onReady('playing');
  const before = inForce();
  expect(before).toEqual({
    'heap-growing-percent': '100',
    'incremental-marking': 'false',
    'interrupt-budget': '400000',
    'max-inlined-bytecode-size-cumulative': '0',
    'parallel-scavenge': 'false',
  });
  events.emit('binnacle:chunk-loading');
  expect(inForce()).toEqual(asAlways);
  events.emit('binnacle:chunk-loaded');
  expect(inForce()).toEqual(before);
});

test('another V8 optimizes as it always does', () => {
  const { flags, inForce } = started('13.6');
  flags.onStart();
  flags.onReady('answering');
  expect(inForce()).toEqual({ 'heap-growing-percent': '100', 'incremental-marking': 'false' });
});
