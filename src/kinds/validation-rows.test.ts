// Every rule of test/support/rule-rows has a case in some table of refusals, and validation.md has no rule that the rows do not know.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const reference = new URL('../../../shared/reference/validation.md', import.meta.url);
let output = '';

beforeAll(async () => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'tools/check-rule-rows.ts'], { cwd: root });
  output = await run.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
});

test('every rule has a case', () => {
  expect(output).toMatch(/^\d+ cases, \d+ demands, \d+ not provoked, \d+ problems$/m);
  expect(output).not.toContain('no case for');
  expect(output).not.toContain('it does not say what must be seen');
});

test.skipIf(!existsSync(reference))('the rows are those of the reference', () => {
  expect(output).not.toContain('does not know');
  expect(output).toMatch(/, 0 problems$/m);
});
