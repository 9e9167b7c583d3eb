// Durations as Go writes them: `1h2m3.5s`, `300ms`, `-1.5h`, `0`. Read before authentication, so in one pass over the text.

const unitMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** An int64 of nanoseconds. */
const longestMs = 2 ** 63 / 1e6;

/** In milliseconds; undefined when the text is no duration. */
export function parseGoDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const start = negative || text.startsWith('+') ? 1 : 0;
  if (text.length === start) return undefined;
  if (text.length === start + 1 && text[start] === '0') return 0;
  let total = 0;
  for (let at = start; at < text.length; ) {
    const point = afterDigits(text, at);
    const end = text[point] === '.' ? afterDigits(text, point + 1) : point;
    const unit = unitAt(text, end);
    // A point alone is no number.
    if (unit === undefined || end - at - (end > point ? 1 : 0) === 0) return undefined;
    total += Number(text.slice(at, end)) * (unitMs[unit] ?? 0);
    at = end + unit.length;
  }
  if (total > longestMs) return undefined;
  return negative ? -total : total;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= 0x30 && code <= 0x39; code = text.charCodeAt(at)) at += 1;
  return at;
}

/** `ms` before `m`. */
function unitAt(text: string, at: number): string | undefined {
  const two = text.slice(at, at + 2);
  if (Object.hasOwn(unitMs, two) && two.length === 2) return two;
  const one = text.slice(at, at + 1);
  return Object.hasOwn(unitMs, one) ? one : undefined;
}
