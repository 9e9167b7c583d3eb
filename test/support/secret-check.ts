// Set up once for the whole suite: no token, key or secret of any test may stand in anything that a server put out.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTraces } from './secret-scan.mjs';

export function setup(): void {
  process.env['BINNACLE_SECRET_CHECK'] = mkdtempSync(join(tmpdir(), 'binnacle-secrets-'));
}

export function teardown(): void {
  const folder = process.env['BINNACLE_SECRET_CHECK'];
  if (folder === undefined || !existsSync(folder)) return;
  const { secrets, characters, found } = check(folder);
  rmSync(folder, { recursive: true });
  if (found.length > 0) {
    // What is thrown here is printed, but the suite would still count as passed.
    process.exitCode = 1;
    throw new Error(`secrets stand in the output of servers, ${found.length} times, for example:\n${found.slice(0, 5).join('\n---\n')}`);
  }
  process.stdout.write(`secrets: ${secrets} traces, none of them in ${characters} characters of logs, refusals and metrics\n`);
}

function check(folder: string): { secrets: number; characters: number; found: string[] } {
  const files = (what: string) => readdirSync(folder).filter((name) => name.startsWith(`${what}-`));
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const traces = new Set(files('secrets').flatMap((name) => read(name).split('\n')));
  const outputs = files('output').map(read);
  const characters = outputs.reduce((sum, { length }) => sum + length, 0);
  // A server never runs without a token and a key: where there is output there are secrets, or nobody wrote them down.
  if (characters > 0 && traces.size < 3) return { secrets: 0, characters, found: ['servers put something out, but no test wrote its secrets down'] };
  return { secrets: traces.size, characters, found: outputs.flatMap((text) => findTraces(text, traces)) };
}
