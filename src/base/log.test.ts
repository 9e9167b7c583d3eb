import { expect, test } from 'vitest';
import { type LogOptions, makeLog } from '#base/log.ts';

function logged(options: Partial<LogOptions>, use: (log: ReturnType<typeof makeLog>) => void): string[] {
  const lines: string[] = [];
  use(makeLog({ format: 'text', level: () => 'info', write: (line) => lines.push(line), now: () => new Date('2026-11-16T00:41:58.123Z'), ...options }));
  return lines;
}

test('a line of text has level, time, message and facts', () => {
  expect(logged({}, (log) => log.info('started', { port: 6443, path: '/x y' }))).toEqual(['I1116 00:41:58.123 started port=6443 path="/x y"\n']);
});

test('a line of JSON has the same', () => {
  expect(logged({ format: 'json' }, (log) => log.warn('slow', { ms: 5 }))).toEqual(['{"ts":"2026-11-16T00:41:58.123Z","level":"warn","msg":"slow","ms":5}\n']);
});

test('an error shows its stack and its causes', () => {
  const [line = ''] = logged({}, (log) => log.error('failed', new Error('outer', { cause: new Error('inner') })));
  expect(line).toMatch(/^E1116 .* failed err="Error: outer\\n.*caused by: Error: inner/s);
});

test('what is below the level is not written', () => {
  expect(logged({ level: () => 'warn' }, (log) => log.info('x'))).toEqual([]);
  expect(logged({ level: () => 'debug' }, (log) => log.debug('x'))).toHaveLength(1);
});
