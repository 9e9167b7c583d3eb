// Controllers of workloads that hear late of what they and others have done: they may be slow, but a ReplicaSet never has more pods than it
// has asked for, and a DaemonSet never two on a node, at any moment of the store's own history.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { QueueMetrics } from '#client/queue-metrics.ts';
import { RestClient } from '#client/rest-client.ts';
import { daemonSetController } from '#controllers/workloads/daemon-set/daemon-set-controller.ts';
import { replicaSetController } from '#controllers/workloads/replicas/replica-set-controller.ts';
import { podTemplateHash } from '#kinds/core/v1/pod/pod-template-hash.ts';
import type { Change } from '#store/store.ts';
import { delayedSources } from '../support/delayed-sources.ts';
import { randomFrom } from '../support/random.mjs';
import { ServerInTest } from '../support/server-in-test.ts';

const merge = { type: 'application/merge-patch+json' };
const nodes = ['n1', 'n2', 'n3'];

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start();
  for (const name of nodes) {
    await server.make('/api/v1/nodes', { metadata: { name } });
    await server.ask('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } }, merge);
  }
});
afterAll(() => server[Symbol.asyncDispose]());

interface Stored extends KubernetesObject {
  readonly spec: { readonly replicas?: number; readonly affinity?: object };
  readonly status: { readonly phase?: string };
}

/** What one namespace has had, change by change. */
class Truth {
  readonly #namespace: string;
  readonly #pods = new Map<string, Stored>();
  #asked = 0;
  #changes = 0;
  #until = 0;
  readonly wrong: string[] = [];

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  get changes(): number {
    return this.#changes;
  }

  async watch(signal: AbortSignal): Promise<void> {
    const { store } = server.server.api.reads;
    for await (const { changes, revision } of store.watch({ start: '', end: '\u{10ffff}' }, await store.revision(), signal)) {
      for (const change of changes) this.#learn(change);
      this.#until = revision;
    }
  }

  async hasCaughtUp(): Promise<boolean> {
    return this.#until >= (await server.server.api.reads.store.revision());
  }

  #learn({ value, previous }: Change): void {
    const object = JSON.parse(Buffer.from(value ?? previous?.value ?? []).toString()) as Stored;
    const { namespace, uid = '' } = object.metadata ?? {};
    if (namespace !== this.#namespace) return;
    if (object.kind === 'ReplicaSet') this.#asked = Math.max(this.#asked, object.spec.replicas ?? 0);
    if (object.kind !== 'Pod') return;
    this.#changes++;
    if (value === undefined || !isActive(object)) this.#pods.delete(uid);
    else this.#pods.set(uid, object);
    this.#judge();
  }

  #judge(): void {
    const replicas = [...this.#pods.values()].filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'ReplicaSet');
    if (replicas.length > this.#asked) this.wrong.push(`${replicas.length} pods, where at most ${this.#asked} were ever asked for`);
    const daemons = [...this.#pods.values()]
      .filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'DaemonSet')
      .map(({ spec }) => JSON.stringify(spec.affinity));
    if (new Set(daemons).size < daemons.length) this.wrong.push('two pods of a DaemonSet on one node');
  }
}

function isActive({ metadata, status }: Stored): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Failed' && status?.phase !== 'Succeeded' && (metadata.ownerReferences ?? []).length > 0;
}

/** Sources that are late: most changes are heard at once, some much later than what follows them elsewhere. */
function startControllers(random: () => number, signal: AbortSignal): readonly Promise<void>[] {
  const { reads, transport } = server.server.api;
  const client = new RestClient(transport, 'workloads');
  const sources = delayedSources(reads.sources, () => (random() < 0.5 ? 0 : random() * 30));
  const parts = { log: silentLog, timers: systemTimers, metrics: new QueueMetrics(), clock: reads.clock, client, sources };
  return [replicaSetController(parts).run(signal), daemonSetController({ ...parts, templateHash: podTemplateHash }).run(signal)];
}

/** Nightly runs ask for others. */
const [firstSeed, lastSeed] = (process.env['SEEDS'] ?? '1-30').split('-').map(Number) as [number, number];
const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index);

test.each(seeds)('there are never more pods than were asked for, and in the end as many (%i)', { timeout: 120_000 }, play);

async function play(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const namespace = `stale-${seed}`;
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
  const [truth, stopped] = [new Truth(namespace), new AbortController()];
  const running = [truth.watch(stopped.signal), ...startControllers(randomFrom(-seed), stopped.signal)];
  const player = new Player(random, namespace);
  await player.make();
  // Who acts before the first pods are there acts on nothing.
  await expect.poll(() => player.isSettled(), { timeout: 90_000, interval: 20 }).toBe(true);
  for (let step = 0; step < 15; step++) await player.act();
  await expect.poll(async () => (await player.isSettled()) && (await truth.hasCaughtUp()), { timeout: 90_000, interval: 50 }).toBe(true);
  stopped.abort();
  await Promise.all(running);
  expect(truth.wrong).toEqual([]);
  expect(truth.changes).toBeGreaterThan(5);
  await player.clear();
}

class Player {
  readonly #random: () => number;
  readonly #core: string;
  readonly #apps: string;

  constructor(random: () => number, namespace: string) {
    this.#random = random;
    this.#core = `/api/v1/namespaces/${namespace}`;
    this.#apps = `/apis/apps/v1/namespaces/${namespace}`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  async make(): Promise<void> {
    const workload = (app: string) => ({
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    });
    await server.make(`${this.#apps}/replicasets`, { metadata: { name: 'rs' }, spec: { ...workload('rs'), replicas: 1 + this.#below(5) } });
    await server.make(`${this.#apps}/daemonsets`, { metadata: { name: 'ds' }, spec: workload('ds') });
  }

  async act(): Promise<void> {
    const pods = await this.#pods();
    const name = pods[this.#below(pods.length)]?.metadata.name;
    const choice = this.#random();
    if (choice < 0.25) await server.ask('PATCH', `${this.#apps}/replicasets/rs`, { spec: { replicas: this.#below(6) } }, merge);
    else if (choice < 0.6) await server.ask('DELETE', `${this.#core}/pods/${name}`);
    else if (choice < 0.8) await server.ask('PATCH', `${this.#core}/pods/${name}/status`, { status: { phase: 'Failed' } }, merge);
    else if (choice < 0.9) await server.ask('PATCH', `${this.#core}/pods/${name}`, { metadata: { labels: { app: 'released' } } }, merge);
    else await new Promise((resolve) => setTimeout(resolve, this.#below(40)));
  }

  async clear(): Promise<void> {
    for (const path of [`${this.#apps}/replicasets`, `${this.#apps}/daemonsets`, `${this.#core}/pods`]) await server.ask('DELETE', path);
  }

  async #pods(): Promise<readonly Stored[]> {
    return (JSON.parse((await server.ask('GET', `${this.#core}/pods`)).text) as { items: Stored[] }).items;
  }

  async isSettled(): Promise<boolean> {
    const set = JSON.parse((await server.ask('GET', `${this.#apps}/replicasets/rs`)).text) as Stored;
    const active = (await this.#pods()).filter(isActive);
    const of = (app: string) => active.filter(({ metadata }) => metadata.labels?.['app'] === app).length;
    return of('rs') === (set.spec.replicas ?? 0) && of('ds') === nodes.length;
  }
}
