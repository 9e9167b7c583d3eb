// tools/run-bundle.cjs under a Node.js that has no compiled code of the build.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dist = '';

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'binnacle-kept-code-'));
  cpSync(resolve('tools/run-bundle.cjs'), join(dist, 'run-bundle.cjs'));
  writeChunk('process.emit("binnacle:settled")');
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

function writeChunk(onSettled: string): void {
  writeFileSync(join(dist, 'binnacle.cjs'), `(function (exports, require, module, __filename, __dirname) { setImmediate(() => { ${onSettled} }); })`);
}

/** Whether V8 refused compiled code; undefined where there was none. */
function start(env: Readonly<Record<string, string>> = {}): string {
  const program = `console.log(require('./run-bundle.cjs').load('binnacle').script.cachedDataRejected)`;
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  // A file: -e would be one of the flags.
  writeFileSync(join(dist, 'main.cjs'), program);
  const { stdout, stderr } = spawnSync(process.execPath, ['main.cjs'], { cwd: dist, env: { ...inherited, ...env }, encoding: 'utf8' });
  return `${stdout}${stderr}`.trim();
}

function kept(): readonly string[] {
  return readdirSync(dist).filter((name) => name.includes('.cache'));
}

test('the first start keeps what it compiled, the second one is given it', () => {
  expect(start()).toBe('undefined');
  expect(kept()).toEqual([`binnacle.${process.versions.v8}-${process.arch}.cache`]);
  expect(start()).toBe('false');
});

test('nothing is kept of a start under other flags of V8', () => {
  expect(start({ NODE_OPTIONS: '--max-old-space-size=200' })).toBe('undefined');
  expect(kept()).toEqual([]);
});

test('nor where the program was built anew meanwhile', () => {
  writeChunk('require("node:fs").utimesSync(__filename, 1, 1); process.emit("binnacle:settled")');
  expect(start()).toBe('undefined');
  expect(kept()).toEqual([]);
});
