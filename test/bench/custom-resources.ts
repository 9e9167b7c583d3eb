// What custom kinds cost, ours beside the reference's in one run: time until a definition is usable, CPU of a create under twenty rules, memory per
// definition; and of our server alone a start with a thousand definitions on disk beside one without, and what the first client does to the others
// that discovers all of it. Ratios are judged, not times; but for that one, which is what a client beside it waits on a quiet machine.
//   npm run build && npx tsx test/bench/custom-resources.ts [--against KUBECONFIG] [--only usable,create,memory,boot] [--definitions 200] [--stored 1000]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RealDefinition, realDefinitions } from '../support/real-definitions.mjs';
import { concurrently } from './reading.ts';
import { cpuOfMainThreadMs, cpuOfThreadsMs, memoryOf } from './server-processes.ts';
import { Target } from './target.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    only: { type: 'string', default: 'usable,create,memory,boot' },
    definitions: { type: 'string', default: '200' },
    stored: { type: 'string', default: '1000' },
  },
});
/** Long enough for a server to give back what it does not need. */
const restMs = 15_000;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Groups of another run may still be there. */
const run = Date.now().toString(36);
const chosen = new Set(values.only.split(','));

const discoveries = ['aggregated discovery', 'discovery by group', 'index of OpenAPI'] as const;
type Discovery = (typeof discoveries)[number];

const configMap = '/api/v1/namespaces/default/configmaps/c';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

const discover: Readonly<Record<Discovery, (target: Target) => Promise<unknown>>> = {
  'aggregated discovery': (target) => target.expect(200, { path: '/apis', headers: { accept: aggregated } }),
  // As clients do that do not know the aggregated form.
  'discovery by group': async (target) => {
    const { groups } = JSON.parse((await target.ask({ path: '/apis' })).body.toString()) as { groups: { versions: { groupVersion: string }[] }[] };
    const paths = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
    await concurrently(16, paths.length, (index) => target.expect(200, { path: paths[index] ?? '' }));
  },
  'index of OpenAPI': (target) => target.expect(200, { path: '/openapi/v3' }),
};

const ruleTexts = [
  "self.host.endsWith('.com') || self.replicas > N",
  'self.listeners.all(l, l.port > 0 && l.port < 65536)',
  "!self.listeners.exists(l, l.name == 'bad-N')",
  "self.labels.all(k, k.size() < 20 && !k.startsWith('xN'))",
  "self.mode == 'a' ? self.replicas >= 0 : self.replicas > N",
];
const rules = Array.from({ length: 20 }, (_, index) => ({ rule: ruleTexts[index % ruleTexts.length]?.replaceAll('N', String(index)) ?? '' }));

if (chosen.has('usable')) await beside('POST of a definition to 201 of an instance, ms', 1 / 15, usableMs);
if (chosen.has('create')) await beside('create under 20 rules, CPU in µs', 1 / 5, createMicros);
if (chosen.has('memory'))
  await beside(`memory per definition (${values.definitions} real ones), ${restMs / 1000} s later, MB`, 1 / 8, (target) => memoryPerDefinition(target), 0.5);
if (chosen.has('boot')) await bootWithDefinitions(Number(values.stored));

/** A server of our own for each measure; the other one runs already. */
async function beside(name: string, bar: number, measure: (target: Target) => Promise<number>, most?: number): Promise<void> {
  await using binnacle = await Target.startBinnacle();
  const own = await measure(binnacle);
  const other = values.against ? await measure(Target.running(values.against)) : undefined;
  const ratio =
    other === undefined ? '' : `, reference ${other.toPrecision(3)}, ratio ${(own / other).toFixed(3)} (bar ${bar.toFixed(3)}) ${verdict(own / other <= bar)}`;
  console.log(`${name}: ${own.toPrecision(3)}${most === undefined ? '' : ` (at most ${most}) ${verdict(own <= most)}`}${ratio}`);
}

function verdict(kept: boolean): string {
  return kept ? 'kept' : 'MISSED';
}

function definition(group: string, validations: readonly object[]) {
  const text = { type: 'string', maxLength: 64 };
  const item = { type: 'object', required: ['name'], properties: { name: text, port: { type: 'integer' } } };
  const listeners = { type: 'array', maxItems: 16, items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  const labels = { type: 'object', maxProperties: 16, additionalProperties: text };
  const properties = { host: text, replicas: { type: 'integer', default: 1 }, mode: { ...text, enum: ['a', 'b'], default: 'a' }, listeners, labels };
  const spec = { type: 'object', properties, ...(validations.length > 0 && { 'x-kubernetes-validations': validations }) };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

function thing(group: string, name: string) {
  const listeners = [
    { name: 'http', port: 80 },
    { name: 'https', port: 443 },
  ];
  return { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name }, spec: { host: 'a.example.com', replicas: 3, listeners, labels: { a: 'b' } } };
}

function thingsPath(group: string): string {
  return `/apis/${group}/v1/namespaces/default/things`;
}

/** The first instance is sent again and again until it is taken. */
async function usableMs(target: Target): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 12; index++) {
    const group = `usable${index}-${run}.example.com`;
    const begun = performance.now();
    await target.expect(201, { method: 'POST', path: definitionsPath, body: definition(group, rules.slice(0, 3)) });
    while ((await target.ask({ method: 'POST', path: thingsPath(group), body: thing(group, 'a') })).code !== 201);
    times.push(performance.now() - begun);
  }
  return times.slice(2).toSorted((a, b) => a - b)[5] ?? 0;
}

async function createMicros(target: Target): Promise<number> {
  const group = `create-${run}.example.com`;
  await target.expect(201, { method: 'POST', path: definitionsPath, body: definition(group, rules) });
  while ((await target.ask({ method: 'POST', path: thingsPath(group), body: thing(group, 'first') })).code !== 201);
  let serial = 0;
  const one = () => target.expect(201, { method: 'POST', path: thingsPath(group), body: thing(group, `t${serial++}`) });
  await concurrently(16, 4000, one);
  const before = cpuOfThreadsMs(target.pids);
  await concurrently(16, 2000, one);
  return ((cpuOfThreadsMs(target.pids) - before) * 1000) / 2000;
}

/** Every definition is asked for its objects once. */
async function memoryPerDefinition(target: Target): Promise<number> {
  const all = copies(realDefinitions(), Number(values.definitions));
  const before = memoryOf(target.pids).anonymousMb;
  await concurrently(8, all.length, async (index) => {
    const one = all[index] as RealDefinition;
    await target.expect(201, { method: 'POST', path: definitionsPath, body: one });
    const version = one.spec.versions.find(({ served }) => served)?.name ?? '';
    while ((await target.ask({ path: `/apis/${one.spec.group}/${version}/${one.spec.names.plural}` })).code !== 200);
  });
  const perDefinition = () => (memoryOf(target.pids).anonymousMb - before) / all.length;
  console.log(`  ${target.name}, right after the last of them: ${perDefinition().toPrecision(3)} MB`);
  await pause(restMs);
  return perDefinition();
}

/** As many as wanted: further ones in groups of their own. Protected groups want an approval that copies do not have. */
function copies(definitions: readonly RealDefinition[], count: number): readonly RealDefinition[] {
  return Array.from({ length: count }, (_, index) => {
    const original = definitions[index % definitions.length] as RealDefinition;
    const group = `r${Math.floor(index / definitions.length)}-${run}.${original.spec.group.replace(/\.k8s\.io$|\.kubernetes\.io$/, '.example.com')}`;
    return { ...original, metadata: { name: `${original.spec.names.plural}.${group}` }, spec: { ...original.spec, group } };
  });
}

async function bootWithDefinitions(count: number): Promise<void> {
  const [full, empty] = [mkdtempSync(join(tmpdir(), 'binnacle-full-')), mkdtempSync(join(tmpdir(), 'binnacle-empty-'))];
  try {
    await fill(full, count);
    await fill(empty, 0);
    const readings = { full: [] as Boot[], empty: [] as Boot[] };
    for (let turn = 0; turn < 7; turn++) {
      readings.full.push(await boot(full));
      readings.empty.push(await boot(empty));
    }
    const [own, bare] = [medianOf(readings.full), medianOf(readings.empty)];
    const more = own.memoryMb - bare.memoryMb;
    console.log(
      `start with ${count} definitions: ${(own.readyMs / bare.readyMs).toFixed(2)}x an empty one (bar 1.5) ${verdict(own.readyMs / bare.readyMs <= 1.5)}`,
    );
    console.log(`its memory: +${more.toFixed(0)} MB (bar 120) ${verdict(more <= 120)}`);
    console.log(`GET of a ConfigMap beside them: ${(own.getMs / bare.getMs).toFixed(2)}x (bar 1.15) ${verdict(own.getMs / bare.getMs <= 1.15)}`);
    for (const name of discoveries) tellDiscovery(name, own, bare);
  } finally {
    for (const dir of [full, empty]) rmSync(dir, { recursive: true, force: true });
  }
}

function tellDiscovery(name: Discovery, own: Boot, bare: Boot): void {
  const { waitMs, busyMs, memoryMb } = own.discovered[name];
  const more = memoryMb - bare.discovered[name].memoryMb;
  console.log(`longest GET beside the first ${name}: ${waitMs.toFixed(0)} ms, ${busyMs.toFixed(0)} of them CPU (bar 100) ${verdict(waitMs <= 100)}`);
  console.log(`memory after it: +${more.toFixed(0)} MB (bar 120) ${verdict(more <= 120)}`);
}

async function fill(dir: string, count: number): Promise<void> {
  await using target = await Target.startBinnacle(dir);
  const all = count === 0 ? [] : copies(realDefinitions(), count);
  await concurrently(8, all.length, (index) => target.expect(201, { method: 'POST', path: definitionsPath, body: all[index] }));
  await target.expect(201, { method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: { metadata: { name: 'c' }, data: { a: 'b' } } });
  for (const { metadata } of all) {
    while (!(await target.ask({ path: `${definitionsPath}/${metadata.name}` })).body.toString().includes('"InitialNamesAccepted"'));
  }
}

interface Boot {
  readonly readyMs: number;
  readonly memoryMb: number;
  readonly getMs: number;
  readonly discovered: Readonly<Record<Discovery, Discovered>>;
}

/** What a GET of a ConfigMap had to wait at most while a client discovered everything, how long the server's main thread was busy meanwhile, and the memory afterwards. */
interface Discovered {
  readonly waitMs: number;
  readonly busyMs: number;
  readonly memoryMb: number;
}

async function boot(dir: string): Promise<Boot> {
  const begun = performance.now();
  await using target = await Target.startBinnacle(dir);
  const readyMs = performance.now() - begun;
  for (let index = 0; index < 300; index++) await target.expect(200, { path: configMap });
  const from = performance.now();
  for (let index = 0; index < 700; index++) await target.expect(200, { path: configMap });
  const getMs = (performance.now() - from) / 700;
  const memoryMb = memoryOf(target.pids).wholeMb;
  const discovered = {} as Record<Discovery, Discovered>;
  for (const name of discoveries) discovered[name] = await besideGets(target, discover[name]);
  return { readyMs, getMs, memoryMb, discovered };
}

/** One GET after the other while `work` is done. */
async function besideGets(target: Target, work: (target: Target) => Promise<unknown>): Promise<Discovered> {
  let done = false;
  let [waitMs, busyMs] = [0, 0];
  const gets = (async () => {
    while (!done) {
      const [from, cpu] = [performance.now(), cpuOfMainThreadMs(target.pids)];
      await target.expect(200, { path: configMap });
      waitMs = Math.max(waitMs, performance.now() - from);
      busyMs = Math.max(busyMs, cpuOfMainThreadMs(target.pids) - cpu);
    }
  })();
  await work(target);
  done = true;
  await gets;
  return { waitMs, busyMs, memoryMb: memoryOf(target.pids).wholeMb };
}

function medianOf(boots: readonly Boot[]): Boot {
  const middle = (read: (one: Boot) => number) => boots.map(read).toSorted((a, b) => a - b)[boots.length >> 1] ?? 0;
  const middles = (name: Discovery): Discovered => ({
    waitMs: middle((one) => one.discovered[name].waitMs),
    busyMs: middle((one) => one.discovered[name].busyMs),
    memoryMb: middle((one) => one.discovered[name].memoryMb),
  });
  const discovered = Object.fromEntries(discoveries.map((name) => [name, middles(name)])) as Record<Discovery, Discovered>;
  return { readyMs: middle((one) => one.readyMs), memoryMb: middle((one) => one.memoryMb), getMs: middle((one) => one.getMs), discovered };
}
