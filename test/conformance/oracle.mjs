#!/usr/bin/env node
// Replays recordings of a real kube-apiserver (../shared/oracle) against a binnacle started for the purpose.
//   node test/conformance/oracle.mjs verbs.json patch.json [--only REGEX] [--show 20] [--parallel 8] [--bundle] [--report FILE] [--server URL]
//   node test/conformance/oracle.mjs --floor          all files of oracle-floor.json; fails when one passes fewer than its floor
//   node test/conformance/oracle.mjs --all            all files there are
//   node test/conformance/oracle.mjs FILES --raise    writes what passed into oracle-floor.json where it is more
// Other flags for the server stand after `--`. Exit code: 0 when no file is below its floor.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { freePort, root, startServer } from '../support/server-under-test.mjs';

const folder = resolve(process.env.ORACLE ?? join(root, '../shared/oracle'));
const floorFile = join(root, 'test/conformance/oracle-floor.json');
const notScenarios = new Set(['flags.json', 'kubectl.json', 'metrics-names.json', 'root-paths.json', 'openapi-v2.json', 'openapi-v3.json']);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const { files, options, serverFlags } = parseWords(process.argv.slice(2));
if (!existsSync(folder)) {
  console.error(`SKIPPED: there are no recordings at ${folder}`);
  process.exit(0);
}
const floors = existsSync(floorFile) ? JSON.parse(readFileSync(floorFile, 'utf8')) : {};
const results = {};
for (const group of groupsOf(chosenFiles())) Object.assign(results, await replayGroup(group));
report();

function parseWords(words) {
  const parsed = { files: [], options: { parallel: '8' }, serverFlags: [] };
  const switches = new Set(['floor', 'all', 'bundle', 'raise', 'verbose']);
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '--') return { ...parsed, serverFlags: words.slice(i + 1) };
    if (!word.startsWith('--')) parsed.files.push(basename(word).endsWith('.json') ? basename(word) : `${basename(word)}.json`);
    else if (switches.has(word.slice(2))) parsed.options[word.slice(2)] = true;
    else parsed.options[word.slice(2)] = words[++i];
  }
  return parsed;
}

function chosenFiles() {
  if (options.all) return readdirSync(folder).filter((name) => name.endsWith('.json') && !notScenarios.has(name));
  if (options.floor) return Object.keys(floors);
  if (files.length > 0) return files;
  console.error('usage: node test/conformance/oracle.mjs FILE.json… [--only REGEX] [--show N] [--bundle] [--raise] | --floor | --all');
  process.exit(2);
}

/** Files that want the same server run on one; those that disturb others run alone. discovery wants it fresh, so it goes first. */
function groupsOf(names) {
  const settings = JSON.parse(readFileSync(join(folder, 'flags.json'), 'utf8')).files;
  const groups = new Map();
  for (const name of [...names].sort((a, b) => Number(b === 'discovery.json') - Number(a === 'discovery.json'))) {
    const { flags = ['--disable-admission-plugins=ServiceAccount'], webhook = false, parallel, file } = settings[name] ?? {};
    const key = JSON.stringify([flags, webhook, parallel === undefined ? '' : name]);
    const group = groups.get(key) ?? { flags, webhook, file, parallel: parallel ?? Number(options.parallel), names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return groups.values();
}

async function replayGroup({ flags, webhook, file, parallel, names }) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-oracle-'));
  if (file !== undefined) writeFileSync(join(dir, 'admission.yaml'), file);
  const own = flags.map((flag) => flag.replace(/=FILE$/, `=${join(dir, 'admission.yaml')}`));
  const hook = webhook ? await startWebhookServer() : undefined;
  const server = options.server
    ? undefined
    : await startServer({ dir, watched: true, flags: [...own, '--controllers=', ...serverFlags], ...(options.bundle && { from: 'bundle' }) });
  try {
    return await replay(options.server ?? server.url, names, parallel, hook?.url);
  } finally {
    if (options.verbose && server) process.stderr.write(readFileSync(server.logFile, 'utf8'));
    hook?.child.kill();
    await server?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function startWebhookServer() {
  const port = await freePort();
  const child = spawn(process.execPath, [join(folder, 'webhook-server.mjs'), String(port)], { stdio: 'ignore' });
  process.once('exit', () => child.kill());
  return { child, url: `https://127.0.0.1:${port}` };
}

/** Passes what the replay prints through, and picks the count of each file out of it. */
async function replay(url, names, parallel, webhook) {
  const words = ['replay', '--server', url, '--parallel', String(parallel), '--show', options.show ?? (options.floor ? '0' : '20')];
  for (const key of ['only', 'report']) if (options[key]) words.push(`--${key}`, options[key]);
  if (webhook) words.push('--webhook', webhook);
  const explained = join(root, 'docs/differences.json');
  if (existsSync(explained)) words.push('--explained', explained);
  words.push('--in', ...names.map((name) => join(folder, name)));
  const child = spawn(process.execPath, [join(folder, 'oracle.mjs'), ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  process.once('exit', () => child.kill());
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    process.stdout.write(chunk);
    text += chunk;
  });
  await new Promise((done) => child.once('close', done));
  return Object.fromEntries(
    [...text.matchAll(/^(\S+\.json): (\d+) of (\d+)$/gm)].map(([, name, passed, total]) => [name, { passed: Number(passed), total: Number(total) }]),
  );
}

function report() {
  const below = Object.entries(results).filter(([name, { passed }]) => !options.only && passed < (floors[name] ?? 0));
  for (const name of chosenFiles()) if (results[name] === undefined) below.push([name, { passed: 0 }]);
  for (const [name, { passed }] of below) console.error(`BELOW ITS FLOOR: ${name} passes ${passed}, was ${floors[name] ?? 'not run'}`);
  if (options.raise && !options.only) raise();
  process.exitCode = below.length > 0 ? 1 : 0;
}

function raise() {
  for (const [name, { passed }] of Object.entries(results)) floors[name] = Math.max(passed, floors[name] ?? 0);
  const sorted = Object.fromEntries(Object.entries(floors).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(floorFile, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
