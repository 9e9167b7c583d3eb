// No parser costs more than its input is long (by a margin over n·log n): one request must not hold up all others.
import { describe, expect, it } from 'vitest';
import { bodyEntries } from './entries/bodies.ts';
import { certificateEntries } from './entries/certificates.ts';
import { customObjectEntries } from './entries/custom-objects.ts';
import { expressionEntries } from './entries/expressions.ts';
import { headerEntries } from './entries/headers.ts';
import { objectEntries } from './entries/objects.ts';
import { queryEntries } from './entries/queries.ts';
import { valueEntries } from './entries/values.ts';
import { exportedReaders } from './exported-readers.ts';
import { allowedDoubling, measureGrowth } from './measure-growth.ts';
import { readersOfOurOwn } from './readers-of-our-own.ts';

const entries = [
  ...headerEntries,
  ...queryEntries,
  ...valueEntries,
  ...bodyEntries,
  ...objectEntries,
  ...customObjectEntries,
  ...expressionEntries,
  ...certificateEntries,
];

describe('work grows with the input', () => {
  it.each(entries.map((entry) => [entry.name, entry] as const))('%s', (_name, entry) => {
    const { bytes, times, doubling } = measureGrowth(entry);
    expect(doubling, `${bytes} bytes; an eighth, a quarter, a half, all: ${times.map((time) => time.toFixed(3)).join(', ')} ms`).toBeLessThanOrEqual(
      allowedDoubling,
    );
  });
});

describe('every exported parse…, read… and decode… under src', () => {
  const known = new Set([...entries.flatMap(({ covers }) => covers), ...Object.keys(readersOfOurOwn)]);
  const exported = exportedReaders();

  it('is measured here, or named as one whose input no sender chooses', () => {
    expect(exported.length).toBeGreaterThan(80);
    expect(exported.filter((name) => !known.has(name)).join('\n')).toBe('');
  });

  it('is still there when it is named as ours', () => {
    expect(Object.keys(readersOfOurOwn).filter((name) => !exported.includes(name))).toEqual([]);
  });
});
