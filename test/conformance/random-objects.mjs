#!/usr/bin/env node
// Objects of the recordings, changed at random, put to a real kube-apiserver and to ours: the answers must be equal by the rules of ../shared/oracle/oracle.mjs.
//   node test/conformance/random-objects.mjs [--seed 1] [--count 100] [--families create,update,status,apply,patch,rules] [--only PATH] [--bundle] [--show 20]
//   … --files verbs,patch       recorded scenarios of these files with one thing changed in each, in place of the families (needs --webhook URL for those that do)
//   … --reference URL --server URL --keep DIR        uses servers that run already, and keeps what was sent and recorded
// Skipped where there is no kube-apiserver. The last lines say what differed, grouped by how. Scenarios that share names in the cluster (fixed addresses, lists of
// everything, policies that are not active yet) may differ by chance with --files: look at what was sent before you look for a rule.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin } from '../support/control-plane-programs.mjs';
import { randomFrom } from '../support/random.mjs';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { readSeeds, readTypes } from './random-objects/recorded-values.mjs';
import { ruleScenarios } from './random-objects/rules.mjs';
import { scenarios } from './random-objects/scenarios.mjs';
import { variations } from './random-objects/vary.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    families: { type: 'string', default: 'create,update,status,apply,patch,rules' },
    only: { type: 'string', default: '' },
    show: { type: 'string', default: '20' },
    parallel: { type: 'string', default: '6' },
    bundle: { type: 'boolean' },
    reference: { type: 'string' },
    server: { type: 'string' },
    keep: { type: 'string' },
    files: { type: 'string' },
    webhook: { type: 'string' },
  },
});
const shared = join(root, '../shared');
if (!existsSync(join(bin, 'kube-apiserver')) || !existsSync(join(shared, 'oracle'))) {
  console.log('SKIPPED: there is no kube-apiserver, or there are no recordings');
  process.exit(0);
}
const flags = ['--disable-admission-plugins=ServiceAccount'];
const dir = options.keep ?? mkdtempSync(join(tmpdir(), 'binnacle-objects-'));
mkdirSync(dir, { recursive: true });
const failed = await compare();
if (options.keep === undefined) rmSync(dir, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

async function compare() {
  const names = writeScenarios();
  const reference = options.reference ?? startReference(await freePort());
  try {
    await oracle('record', '--server', reference, '--out', join(dir, 'recorded'), '--in', ...names.map((name) => join(dir, name)));
  } finally {
    if (options.reference === undefined) spawnSync(join(shared, 'reference-server/down'), [join(dir, 'reference')]);
  }
  const ours = options.server ? undefined : await startServer({ from: options.bundle ? 'bundle' : 'sources', flags: [...flags, '--controllers='] });
  try {
    const words = ['--server', options.server ?? ours.url, '--show', options.show, '--report', join(dir, 'report.json')];
    await oracle('replay', ...words, '--in', ...names.map((name) => join(dir, 'recorded', name)));
    return printGroups(unexplained(JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8'))));
  } finally {
    await ours?.stop();
  }
}

function writeScenarios() {
  const types = readTypes(join(shared, 'reference'));
  const { seeds, values } = readSeeds(join(shared, 'oracle'), types);
  const chosen = seeds.filter(({ path, body }) => `${path} ${body.kind}`.includes(options.only));
  const first = Number(options.seed);
  if (options.files) return writeVariations(types, values, first);
  return options.families.split(',').map((family, index) => {
    const tools = { types, values, random: randomFrom(first * 1000 + index) };
    const wanted = { count: Number(options.count), first };
    const made = family === 'rules' ? ruleScenarios({ ...wanted, random: tools.random }) : scenarios({ seeds: chosen, family, tools, ...wanted });
    writeFileSync(join(dir, `${family}.json`), JSON.stringify(made));
    return `${family}.json`;
  });
}

function writeVariations(types, values, first) {
  const pattern = new RegExp(options.only);
  return options.files.split(',').map((name, index) => {
    const recorded = JSON.parse(readFileSync(join(shared, 'oracle', `${name}.json`), 'utf8')).filter(({ id }) => pattern.test(id));
    const tools = { types, values, random: randomFrom(first * 1000 + 500 + index) };
    writeFileSync(join(dir, `${name}.json`), JSON.stringify(variations({ recorded, count: Number(options.count), first, tools })));
    return `${name}.json`;
  });
}

function startReference(port) {
  const up = spawnSync(join(shared, 'reference-server/up'), [join(dir, 'reference'), String(port), '--', ...flags], {
    encoding: 'utf8',
    env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' },
  });
  if (up.status !== 0) throw new Error(up.stderr);
  return `https://127.0.0.1:${port}`;
}

function oracle(mode, ...words) {
  const child = spawn(
    process.execPath,
    [join(shared, 'oracle/oracle.mjs'), mode, '--parallel', options.parallel, ...(options.webhook ? ['--webhook', options.webhook] : []), ...words],
    { stdio: 'inherit' },
  );
  return new Promise((done) => child.once('close', done));
}

/** Without what is ours on purpose, without rules that make the original panic, and without scenarios of which two recordings have different causes. */
function unexplained(report) {
  const onPurpose = Object.keys(JSON.parse(readFileSync(join(root, 'docs/differences.json'), 'utf8'))).map((pattern) => new RegExp(pattern));
  const recordedId = (id) => id.replace(/^vary\//, '').replace(/\/\d+-\d+$/, '');
  return report
    .filter(({ id }) => !onPurpose.some((pattern) => pattern.test(recordedId(id))))
    .map(({ id, differences }) => ({
      id,
      differences: differences.filter((line) => !/\.description: |gitCommit: |causes\.map is not a function|internal error: interface conversion/.test(line)),
    }));
}

/** Differences that read alike, whatever they are about, are counted together. */
function printGroups(report) {
  const groups = new Map();
  for (const { id, differences } of report) {
    for (const line of differences) {
      const key = line
        .replace(/^step \d+ (\S+) \S+ (?:\(.*?\): )?/, '$1 ')
        .replace(/\[\d+\]/g, '[]')
        .replace(/"[^"]{40,}/g, (text) => text.slice(0, 160));
      const group = groups.get(key) ?? groups.set(key, []).get(key);
      group.push(id);
    }
  }
  for (const [key, ids] of [...groups].toSorted((a, b) => b[1].length - a[1].length).slice(0, 200)) console.log(`${ids.length} × ${key}   e.g. ${ids[0]}`);
  console.log(groups.size === 0 ? 'no difference' : `${groups.size} kinds of differences`);
  return groups.size > 0;
}
