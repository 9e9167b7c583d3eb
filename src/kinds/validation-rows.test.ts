// Every rule of test/support/rule-rows has a case in some table of refusals, and validation.md has no rule that the rows do not know.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('every rule has a case', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'tools/check-rule-rows.ts'], { cwd: root });
  const output = await run.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
  expect(output).toMatch(/^\d+ cases, \d+ demands, \d+ not provoked, 0 problems$/m);
});
