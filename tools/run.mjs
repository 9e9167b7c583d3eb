// Does everything that a fresh clone needs, then what was asked for.
//   node tools/run.mjs start [flags]    installs, builds when a source is younger than the bundle, runs the server
//   node tools/run.mjs test             installs, then types, lint, layers and unit tests
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [command, ...rest] = process.argv.slice(2);

if (command === 'start') {
  install();
  if (isStale()) run(process.execPath, ['tools/build.mjs']);
  start();
} else if (command === 'test') {
  install();
  run('npm', ['run', '--silent', 'ok', ...rest]);
} else {
  console.error('usage: node tools/run.mjs start|test');
  process.exit(2);
}

/** npm notes in this file what it has installed. */
function install() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs) return;
  run('npm', ['ci', '--no-audit', '--no-fund']);
}

function isStale() {
  const bundle = join(root, 'dist/binnacle.cjs');
  if (!existsSync(bundle) || !existsSync(join(root, 'bin/binnacle'))) return true;
  const built = statSync(bundle).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((file) => join(root, 'src', file));
  return [...sources, join(root, 'tools/build.mjs'), join(root, 'tools/chunks.mjs'), join(root, 'package-lock.json')].some(
    (file) => statSync(file).mtimeMs > built,
  );
}

function run(program, words) {
  const { status, error } = spawnSync(program, words, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function start() {
  const server = spawn(join(root, 'bin/binnacle'), rest, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
  server.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}
