// Every rule of test/support/rule-rows has a case in some table of refusals, and validation.md has no rule that the rows do not know.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Sections whose every rule has its case; the others are still being filled. */
const complete = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];

test('every rule of the complete sections has a case', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'tools/check-rule-rows.ts', ...complete], { cwd: root });
  const output = await run.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
  expect(output.trim().split('\n').at(-1)).toMatch(/^\d+ cases, \d+ demands, \d+ not provoked, 0 problems$/);
});
