// Go's time.ParseDuration: only what is wrong with a text, in its words.
import { parseGoDuration } from '#api/go-duration.ts';
import { goQuote } from '#api/go-text.ts';

export function durationProblem(text: string): string | undefined {
  if (parseGoDuration(text) !== undefined) return undefined;
  const quoted = goQuote(text);
  const unsigned = text.replace(/^[+-]/, '');
  const bad = /^(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))*(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)([^0-9.]*)/.exec(unsigned);
  if (bad === null) return `time: invalid duration ${quoted}`;
  const [, unit = ''] = bad;
  return unit === '' ? `time: missing unit in duration ${quoted}` : `time: unknown unit ${goQuote(unit)} in duration ${quoted}`;
}
