// What is measured of a server beside the cost of operations: memory, and how long others wait for a list.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { besideBareLmdb } from './bare-lmdb.ts';
import { accepts, type Measure, percentile, pods, type Reading } from './reading.ts';
import { memoryOf } from './server-processes.ts';
import { type ListReading, Target } from './target.ts';

/** So many pods the bounds of memory and of the first byte are about. */
const many = 100_000;

/** Before the cells, on a server that has only read what is stored. */
export function measuresBefore(podCount: number): readonly Measure[] {
  return [
    { name: 'idle memory', run: idleMemory },
    { name: 'memory', run: async (target) => memory(target, `with ${podCount} pods`, podCount < many ? {} : { most: 400 }) },
    { name: 'list of one buffer', run: againstOneBuffer },
    ...listForms.map(([form, headers]) => ({ name: `long list, ${form}`, run: (target: Target) => listUnderGets(target, podCount, form, headers) })),
    {
      name: 'memory after lists',
      run: async (target) => memory(target, `after lists of ${podCount} pods in every form`, podCount < many ? {} : { most: 400 }),
    },
  ];
}

export function measuresAfter(podCount: number): readonly Measure[] {
  return [
    { name: 'memory after cells', run: async (target) => memory(target, 'after the write cells', {}) },
    { name: 'memory after cells and a rest', run: (target) => memoryAfterRest(target, podCount < many ? { most: 120 } : {}) },
    { name: 'store', run: store },
  ];
}

const listForms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['JSON', {}],
  ['gzip', { 'accept-encoding': 'gzip' }],
  ['protobuf', accepts.protobuf],
  ['Table', accepts.table],
  ['metadata', accepts.metadata],
  ['metadata protobuf', accepts.metadataProtobuf],
];

function memory(target: Target, when: string, bound: Pick<Reading, 'most'>): readonly Reading[] {
  const { anonymousMb, wholeMb } = memoryOf(target.pids);
  return [
    { name: `anonymous memory ${when}`, unit: 'MB', value: anonymousMb, ...bound },
    { name: `RSS ${when}`, unit: 'MB', value: wholeMb },
  ];
}

/** When a server has had time to give back what it does not need. */
async function memoryAfterRest(target: Target, bound: Pick<Reading, 'most'>): Promise<readonly Reading[]> {
  await pause(15_000);
  return memory(target, '15 s later', bound);
}

/** Of a server of ours with nothing stored that its first start has not made. */
async function idleMemory(target: Target): Promise<readonly Reading[]> {
  if (target.name !== 'binnacle') return [];
  await using idle = await Target.startBinnacle();
  await pause(3000);
  return memory(idle, 'when nothing happens', { most: 50 });
}

async function againstOneBuffer(target: Target): Promise<readonly Reading[]> {
  const path = `${pods}?limit=10000`;
  const listed = await target.list(path, 4);
  const limit = await target.listFromOneBuffer(listed[0]?.bytes ?? 0, 4);
  const best = (readings: readonly ListReading[]) => Math.min(...readings.map(({ wholeMs }) => wholeMs));
  return [
    {
      name: 'list of 10,000: time as a multiple of sending one buffer',
      unit: 'times',
      value: best(listed) / best(limit),
      ...(target.name === 'binnacle' && { most: 3 }),
    },
  ];
}

/** Lists while others read single objects: how long they wait, and what it takes in memory. */
async function listUnderGets(target: Target, podCount: number, form: string, headers: Readonly<Record<string, string>>): Promise<readonly Reading[]> {
  const list = `list of ${podCount} in ${form}`;
  await target.expect(200, { path: `${pods}/pod-1` });
  const before = memoryOf(target.pids).anonymousMb;
  let [peak, listing] = [before, true];
  const times: number[] = [];
  const reader = async () => {
    while (listing) {
      times.push((await target.expect(200, { path: `${pods}/pod-1` })).wholeMs);
      peak = Math.max(peak, memoryOf(target.pids).anonymousMb);
    }
  };
  const readers = [reader(), reader()];
  const listed = await target.list(pods, podCount >= many ? 2 : 5, { headers });
  listing = false;
  await Promise.all(readers);
  const firstBytes = listed.map(({ firstByteMs }) => firstByteMs);
  const bounds = podCount >= many && target.name === 'binnacle';
  return [
    { name: `${list}, with GETs: first byte`, unit: 'ms', value: percentile(firstBytes, 0.5), ...(bounds && { most: 20 }) },
    { name: `${list}, with GETs: extra memory`, unit: 'MB', value: peak - before, ...(bounds && { most: 64 }) },
    { name: `${list}: p99 of the GETs`, unit: 'ms', value: percentile(times, 0.99), bar: 1 },
  ];
}

/** The limit that the disk sets: the same bytes in the same number of writers, by our store and by LMDB alone. Of our server only. */
async function store(target: Target): Promise<readonly Reading[]> {
  if (target.name !== 'binnacle') return [];
  const value = (await target.expect(200, { path: `${pods}/pod-0` })).body;
  const scratch = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    const rates = await besideBareLmdb(scratch, { writers: 128, writes: 10_000, value });
    return [
      { name: 'our store, 128 writers: durable creations', unit: '/s', value: rates.store },
      { name: 'our store, 128 writers: share of bare LMDB', unit: 'times', value: rates.store / rates.bare, least: 1 / 2 },
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
