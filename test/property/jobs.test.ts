// The Job controller under watches that tell late, and killed between any two of its requests: it never has more pods than the Job wants, and
// counts every pod that has ended exactly once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { silentLog } from '#base/log.ts';
import { QueueMetrics } from '#client/queue-metrics.ts';
import { RestClient } from '#client/rest-client.ts';
import type { Transport } from '#client/transport.ts';
import { jobController } from '#controllers/workloads/jobs/job-controller.ts';
import { delayedSources } from '../support/delayed-sources.ts';
import { PassingTime } from '../support/passing-time.ts';
import { randomFrom } from '../support/random.mjs';
import { ServerInTest } from '../support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start();
});
afterAll(() => server[Symbol.asyncDispose]());

const merge = { type: 'application/merge-patch+json' };
/** Nightly runs ask for others. */
const [firstSeed, lastSeed] = (process.env['SEEDS'] ?? '1-12').split('-').map(Number) as [number, number];
const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index);

interface SeenPod extends KubernetesObject {
  readonly status?: { readonly phase?: string };
}

/** Follows all pods of a namespace in the order of the store. */
class Truth {
  readonly #namespace: string;
  readonly #pods = new Map<string, SeenPod>();
  readonly ended = { Succeeded: new Set<string>(), Failed: new Set<string>() };
  mostActive = 0;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  async watch(signal: AbortSignal): Promise<void> {
    const { store } = server.server.api.reads;
    for await (const { changes } of store.watch({ start: '', end: '\u{10ffff}' }, 1, signal)) {
      for (const { value, previous } of changes) this.#learn(value, previous?.value);
    }
  }

  #learn(value: Uint8Array | undefined, previous: Uint8Array | undefined): void {
    const pod = JSON.parse(Buffer.from(value ?? previous ?? []).toString()) as SeenPod & { kind?: string };
    const { namespace, uid = '' } = pod.metadata ?? {};
    if (pod.kind !== 'Pod' || namespace !== this.#namespace) return;
    if (value === undefined) this.#pods.delete(uid);
    else this.#pods.set(uid, pod);
    const phase = pod.status?.phase;
    if (phase === 'Succeeded' || phase === 'Failed') this.ended[phase].add(uid);
    this.mostActive = Math.max(this.mostActive, [...this.#pods.values()].filter(isActive).length);
  }
}

function isActive({ metadata, status }: SeenPod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** A controller that can be killed: its requests come to nothing from then on. */
class Killable {
  readonly #stopped = new AbortController();
  readonly #running: Promise<void>;
  #isDead = false;

  constructor(random: () => number, time: PassingTime) {
    const { reads, transport } = server.server.api;
    const mortal: Transport = async (request) => {
      if (this.#isDead) throw new Error('killed');
      return transport(request);
    };
    const sources = delayedSources(reads.sources, () => (random() < 0.5 ? 0 : random() * 20));
    const parts = { log: silentLog, timers: time, clock: time, metrics: new QueueMetrics() };
    this.#running = jobController({ ...parts, sources, client: new RestClient(mortal, 'job-controller') }).run(this.#stopped.signal);
  }

  async kill(): Promise<void> {
    this.#isDead = true;
    this.#stopped.abort();
    await this.#running;
  }
}

test.each(seeds)('no Job has more pods than it wants, and each end counts once (%i)', { timeout: 60_000 }, async (seed) => {
  const random = randomFrom(seed);
  const namespace = `seed-${seed}`;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const job = `/apis/batch/v1/namespaces/${namespace}/jobs/j`;
  const parallelism = 1 + Math.floor(random() * 4);
  const completions = parallelism + Math.floor(random() * 6);
  const completionMode = random() < 0.5 ? 'Indexed' : 'NonIndexed';
  const time = new PassingTime();
  const truth = new Truth(namespace);
  const stopped = new AbortController();
  const watching = truth.watch(stopped.signal);
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  await server.make(job.slice(0, -2), { metadata: { name: 'j' }, spec: { parallelism, completions, completionMode, backoffLimit: 1_000, template } });
  let controller = new Killable(randomFrom(-seed), time);
  let kills = 0;

  const status = async () => (await server.ask('GET', job)).json.status as unknown as Record<string, unknown>;
  const isComplete = async () => (await status())['completionTime'] !== undefined;
  while (!(await isComplete())) {
    const { items } = (await server.ask('GET', pods)).json as unknown as { items: SeenPod[] };
    for (const pod of items.filter(isActive)) {
      if (random() < 0.5) continue;
      const phase = random() < 0.2 ? 'Failed' : 'Succeeded';
      await server.ask('PATCH', `${pods}/${pod.metadata.name}/status`, { status: { phase } }, merge);
    }
    if (random() < 0.3 && kills < 6) {
      kills++;
      await controller.kill();
      controller = new Killable(randomFrom(-seed - kills), time);
    }
    time.advance(30_000);
  }
  await controller.kill();
  stopped.abort();
  await watching;
  expect(truth.mostActive).toBeLessThanOrEqual(parallelism);
  expect(truth.ended.Succeeded.size).toBe(completions);
  expect(await status()).toMatchObject({ succeeded: completions, uncountedTerminatedPods: {} });
  expect((await status())['failed'] ?? 0).toBe(truth.ended.Failed.size);
});
