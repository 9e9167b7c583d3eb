// Go's time.ParseDuration: only what is wrong with a text, in its words.
import { parseGoDuration } from '#api/go-duration.ts';
import { goQuote } from '#base/go-text.ts';

/** In milliseconds: nanoseconds are counted in an int64. */
const longest = 2 ** 63 / 1e6;

export function durationProblem(text: string): string | undefined {
  const parsed = parseGoDuration(text);
  const quoted = goQuote(text);
  if (parsed !== undefined) return Math.abs(parsed) > longest ? `time: invalid duration ${quoted}` : undefined;
  const unsigned = text.replace(/^[+-]/, '');
  const bad = /^(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))*(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)([^0-9.]*)/.exec(unsigned);
  if (bad === null) return `time: invalid duration ${quoted}`;
  const [, unit = ''] = bad;
  return unit === '' ? `time: missing unit in duration ${quoted}` : `time: unknown unit ${goQuote(unit)} in duration ${quoted}`;
}
