import { expect, test } from 'vitest';
import { secondsOf } from '#schema/shaped/hole-time.ts';

const read = (text: string) => secondsOf(Buffer.from(`>${text}`), 1);

test('every day from 1980 to 2099 is read as Date.parse reads it', () => {
  for (let day = Date.UTC(1980, 0, 1); day < Date.UTC(2100, 0, 1); day += 86_400_000) {
    const seconds = day / 1000 + (day % 86_399);
    const text = new Date(seconds * 1000).toISOString().slice(0, 19);
    if (read(text) !== seconds) expect(read(text), text).toBe(seconds);
  }
});

test.each(['2023-02-29T00:00:00', '2026-04-31T00:00:00', '2026-13-01T00:00:00', '2026-01-00T00:00:00', '2026-01-01T24:00:00', '2026-01-01T00:60:00'])(
  '%s is no time',
  (text) => expect(read(text)).toBe(-1),
);

test.each(['1979-12-31T23:59:59', '2100-01-01T00:00:00', '2026-1-01T00:00:00Z', '2026-01-01 00:00:00', '2026-01-01T0a:00:00'])('%s is left to others', (text) =>
  expect(read(text)).toBe(-1),
);
