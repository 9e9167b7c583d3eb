// The collector under everything that could mislead it: random owners, objects made again under their name, owners that are added while it
// judges, kinds that go and come back, watches that tell late. It never deletes an object that has an owner, and leaves none that has lost all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject, ObjectMeta, OwnerReference } from '#api/object.ts';
import { collectedKinds } from '#app/loops/registered/garbage-collector.ts';
import { silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { QueueMetrics } from '#client/queue-metrics.ts';
import { RestClient } from '#client/rest-client.ts';
import type { Transport } from '#client/transport.ts';
import { garbageCollector } from '#controllers/garbage-collector/garbage-collector-controller.ts';
import type { Change } from '#store/store.ts';
import { delayedSources } from '../support/delayed-sources.ts';
import { randomFrom } from '../support/random.mjs';
import { ServerInTest } from '../support/server-in-test.ts';

const group = 'come-and-go.example.com';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const kinds = [
  { apiVersion: 'v1', kind: 'ConfigMap', path: '/api/v1/namespaces/default/configmaps' },
  { apiVersion: 'v1', kind: 'Secret', path: '/api/v1/namespaces/default/secrets' },
  { apiVersion: `${group}/v1`, kind: 'Boat', path: `/apis/${group}/v1/namespaces/default/boats` },
] as const;
const merge = { type: 'application/merge-patch+json' };

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start();
  await serve(true);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Makes the definition of Boats, or says whether its version is served. Objects stay when it is not. */
async function serve(served: boolean): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = [
    { name: 'v1', served, storage: true, schema },
    { name: 'v2', served: false, storage: false, schema },
  ];
  const names = { kind: 'Boat', plural: 'boats', singular: 'boat', listKind: 'BoatList' };
  const definition = { metadata: { name: `boats.${group}` }, spec: { group, scope: 'Namespaced', names, versions } };
  const { code } = await server.ask('PATCH', `${definitions}/boats.${group}`, { spec: definition.spec }, merge);
  if (code === 404) await server.ask('POST', definitions, definition);
}

interface Known {
  readonly uid: string;
  readonly kind: number;
  readonly name: string;
}

/** An object from this revision on, until the next. */
interface Version {
  readonly from: number;
  readonly metadata: ObjectMeta;
}

interface Life {
  readonly versions: Version[];
  goneAt: number;
}

/** A deletion that the collector asked for and got, of the object in the version that it had judged. */
interface Deletion {
  readonly uid: string;
  readonly resourceVersion: number;
}

/** Every object of these kinds in all its versions, as the store has them: in one order over all kinds, whatever is served. */
class Truth {
  readonly #lives = new Map<string, Life>();
  #until = 0;

  async watch(signal: AbortSignal): Promise<void> {
    const { store } = server.server.api.reads;
    for await (const { changes, revision } of store.watch({ start: '', end: '\u{10ffff}' }, 1, signal)) {
      for (const change of changes) this.#learn(change);
      this.#until = revision;
    }
  }

  async hasCaughtUp(): Promise<boolean> {
    return this.#until >= (await server.server.api.reads.store.revision());
  }

  #learn({ revision, value, previous }: Change): void {
    const stored = JSON.parse(Buffer.from(value ?? previous?.value ?? []).toString()) as KubernetesObject;
    const { metadata } = stored;
    if (metadata?.uid === undefined || metadata.namespace !== 'default' || !kinds.some(({ kind }) => kind === stored.kind)) return;
    const life = this.#lives.get(metadata.uid) ?? { versions: [], goneAt: Infinity };
    this.#lives.set(metadata.uid, life);
    if (value === undefined) life.goneAt = revision;
    else life.versions.push({ from: revision, metadata });
  }

  /** An owner that waits for what it owns holds nothing any more, whatever becomes of it. */
  livedAt(uid: string, revision: number): boolean {
    const owner = this.#lives.get(uid);
    const waited = owner?.versions.some(
      ({ from, metadata }) => from <= revision && metadata.deletionTimestamp && metadata.finalizers?.includes('foregroundDeletion'),
    );
    return owner !== undefined && owner.goneAt > revision && !waited;
  }

  wrong(deletions: readonly Deletion[]): readonly string[] {
    return deletions.flatMap(({ uid, resourceVersion }) => {
      const { versions, goneAt } = this.#lives.get(uid) ?? { versions: [], goneAt: Infinity };
      const judged = versions.find(({ from }) => from === resourceVersion);
      if (judged === undefined) return [`${uid} was deleted in a version that it never had`];
      const deletedAt = versions.find(({ from }) => from > resourceVersion)?.from ?? goneAt;
      const living = judged.metadata.ownerReferences?.filter((owner) => this.livedAt(owner.uid, deletedAt)) ?? [];
      return living.map((owner) => `${judged.metadata.name} was deleted at ${deletedAt} while ${owner.kind} ${owner.name} (${owner.uid}) lived`);
    });
  }

  /** Objects that have owners: those of which one lives, and those that have lost all. */
  owned(): { readonly kept: readonly string[]; readonly lost: readonly string[] } {
    const [kept, lost]: [string[], string[]] = [[], []];
    for (const { versions, goneAt } of this.#lives.values()) {
      const { name = '', ownerReferences = [], deletionTimestamp } = versions.at(-1)?.metadata ?? {};
      if (goneAt < Infinity || deletionTimestamp !== undefined || ownerReferences.length === 0) continue;
      (ownerReferences.some(({ uid }) => this.livedAt(uid, Number.MAX_SAFE_INTEGER)) ? kept : lost).push(name);
    }
    return { kept, lost };
  }
}

/** Every deletion goes through here; each names the uid and the version that was judged. */
function noted(transport: Transport, deletions: Deletion[]): Transport {
  return async (request) => {
    const response = await transport(request);
    if (request.method === 'DELETE') {
      const { preconditions } = JSON.parse(String(request.body)) as { preconditions?: { uid?: string; resourceVersion?: string } };
      if (preconditions?.uid === undefined || preconditions.resourceVersion === undefined) throw new Error('a deletion without preconditions');
      if (response.code < 300) deletions.push({ uid: preconditions.uid, resourceVersion: Number(preconditions.resourceVersion) });
    }
    return response;
  };
}

function startCollector(random: () => number, deletions: Deletion[], signal: AbortSignal): Promise<void> {
  const { reads, transport } = server.server.api;
  const client = new RestClient(noted(transport, deletions), 'collector');
  const sources = delayedSources(reads.sources, () => (random() < 0.7 ? 0 : random() * 25));
  const parts = { log: silentLog, timers: systemTimers, metrics: new QueueMetrics(), clock: reads.clock };
  return garbageCollector({ ...parts, ...collectedKinds(reads.catalog), client, sources }).run(signal);
}

/** Nightly runs ask for others. */
const [firstSeed, lastSeed] = (process.env['SEEDS'] ?? '1-4').split('-').map(Number) as [number, number];
const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index);

const claim = 'an object with an owner that lives is never deleted, and in the end nothing that has lost all owners is left';

test.each(seeds)(`${claim} (%i)`, { timeout: 120_000 }, async (seed) => {
  const random = randomFrom(seed);
  const [truth, deletions, stopped]: [Truth, Deletion[], AbortController] = [new Truth(), [], new AbortController()];
  const running = [truth.watch(stopped.signal), startCollector(randomFrom(-seed), deletions, stopped.signal)];
  const player = new Player(random, `s${seed}`);
  for (let i = 0; i < 40; i++) await Promise.all(Array.from({ length: 8 }, () => player.act()));
  await serve(true);
  const collected = async () => ((await truth.hasCaughtUp()) ? truth.owned().lost : 'not known yet');
  await expect.poll(collected, { timeout: 90_000, interval: 100 }).toEqual([]);
  stopped.abort();
  await Promise.all(running);
  expect(truth.wrong(deletions)).toEqual([]);
  // Something was collected, and something was left alone: otherwise nothing was shown.
  expect(deletions.length).toBeGreaterThan(5);
  expect(truth.owned().kept).not.toEqual([]);
});

/** So many objects are in play at a time. */
const recently = 40;

class Player {
  readonly #random: () => number;
  readonly #prefix: string;
  readonly #known: Known[] = [];

  constructor(random: () => number, prefix: string) {
    this.#random = random;
    this.#prefix = prefix;
  }

  async act(): Promise<void> {
    const choice = this.#random();
    if (choice < 0.55) await this.#make();
    else if (choice < 0.67) await this.#delete();
    else if (choice < 0.97) await this.#own();
    else await serve(this.#random() < 0.5);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** One of those that were made last: most others are gone. */
  #recent(): Known | undefined {
    return this.#known[this.#known.length - 1 - this.#below(Math.min(recently, this.#known.length))];
  }

  #reference(): readonly OwnerReference[] {
    const owner = this.#recent();
    if (owner === undefined) return [];
    const { apiVersion, kind } = kinds[owner.kind] ?? kinds[0];
    return [{ apiVersion, kind, name: owner.name, uid: owner.uid, blockOwnerDeletion: this.#random() < 0.5 } as OwnerReference];
  }

  /** There are few names: objects are made again under those of others that went. */
  async #make(): Promise<void> {
    const kind = this.#below(kinds.length);
    const { apiVersion, kind: kindName, path } = kinds[kind] ?? kinds[0];
    const name = `${this.#prefix}-${this.#below(40)}`;
    const ownerReferences = [...(this.#random() < 0.7 ? this.#reference() : []), ...(this.#random() < 0.3 ? this.#reference() : [])];
    const { code, json } = await server.ask('POST', path, { apiVersion, kind: kindName, metadata: { name, ownerReferences: distinct(ownerReferences) } });
    if (code === 201) this.#known.push({ uid: json.metadata.uid, kind, name });
  }

  async #delete(): Promise<void> {
    const target = this.#recent();
    const propagationPolicy = ['Background', 'Background', 'Foreground', 'Orphan'][this.#below(4)];
    if (target) await server.ask('DELETE', `${kinds[target.kind]?.path}/${target.name}`, { propagationPolicy });
  }

  async #own(): Promise<void> {
    const target = this.#recent();
    const ownerReferences = this.#reference();
    if (target) await server.ask('PATCH', `${kinds[target.kind]?.path}/${target.name}`, { metadata: { ownerReferences } }, merge);
  }
}

function distinct(references: readonly OwnerReference[]): readonly OwnerReference[] {
  return [...new Map(references.map((reference) => [reference.uid, reference])).values()];
}
