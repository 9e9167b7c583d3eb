import { expect, test } from 'vitest';
import { pemBlocks } from '#base/pki/pem.ts';

const hostile: Readonly<Record<string, (size: number) => string>> = {
  'BEGIN lines': (size) => '-----BEGIN A-----\n'.repeat(size),
  'END lines': (size) => '\n-----END A-----'.repeat(size),
  'BEGIN lines and one END': (size) => `${'-----BEGIN A-----\n'.repeat(size)}\n-----END A-----\n`,
  'pairs of other types': (size) => '-----BEGIN A-----\nYQ==\n-----END B-----\n'.repeat(size),
  headers: (size) => `-----BEGIN A-----\n${'a: b\n'.repeat(size)}`,
  'blocks with headers over their END': (size) => '-----BEGIN A:-----\na: b\n-----END A:-----\n'.repeat(size),
  blanks: (size) => `-----BEGIN A-----${' '.repeat(size * 10)}x\n-----END A-----`,
};

test.each(Object.entries(hostile))('%s: eight times the text takes about eight times as long', (_, make) => {
  const cost = (size: number) => {
    const text = Buffer.from(make(size));
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      const start = process.cpuUsage();
      pemBlocks(text);
      const { user, system } = process.cpuUsage(start);
      best = Math.min(best, user + system);
    }
    return best;
  };
  cost(1000);
  // A quadratic reader takes 64 times as long; a millisecond more or less is the machine.
  expect(cost(80_000)).toBeLessThan(24 * cost(10_000) + 20_000);
});
