// Every secret that tests make or use, and everything that servers put out while they run: at the end of the suite
// `secret-check.ts` looks for the former in the latter.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, makeLog } from '#base/log.ts';
import { tracesOf } from './secret-scan.mjs';

/** Where `secret-check.ts` collects; absent when a test runs without it. */
export const collectedIn = 'BINNACLE_SECRET_CHECK';

export function keepSecret(...secrets: readonly (string | undefined)[]): void {
  const traces = secrets.flatMap((secret) => tracesOf(secret ?? ''));
  if (traces.length > 0) append('secrets', `${traces.join('\n')}\n`);
}

export function captureOutput(text: string): void {
  append('output', text.endsWith('\n') ? text : `${text}\n`);
}

/** As talkative as can be, into the collected output; and also to whoever else wants to hear it. */
export function capturedLog(also?: Log): Log {
  const own = makeLog({ format: 'text', level: () => 'debug', write: captureOutput, now: () => new Date() });
  if (also === undefined) return own;
  return {
    debug: (...line) => [own, also].forEach((log) => log.debug(...line)),
    info: (...line) => [own, also].forEach((log) => log.info(...line)),
    warn: (...line) => [own, also].forEach((log) => log.warn(...line)),
    error: (...line) => [own, also].forEach((log) => log.error(...line)),
  };
}

function append(what: 'secrets' | 'output', text: string): void {
  const folder = process.env[collectedIn];
  if (folder !== undefined) appendFileSync(join(folder, `${what}-${process.pid}`), text);
}
