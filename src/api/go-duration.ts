// Durations as Go writes them: `1h2m3.5s`, `300ms`, `-1.5h`, `0`.

const unitMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const shape = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;

/** In milliseconds; undefined when the text is no duration. */
export function parseGoDuration(text: string): number | undefined {
  if (/^[+-]?0$/.test(text)) return 0;
  if (!shape.test(text)) return undefined;
  const terms = text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g);
  const total = [...terms].reduce((sum, [, amount = '0', unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
  return text.startsWith('-') ? -total : total;
}
