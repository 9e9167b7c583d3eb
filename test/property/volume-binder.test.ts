// The binder under everything that could mislead it: claims and volumes that come, go and are made again under their names, others that bind
// by hand as a scheduler does, and watches that tell late. No volume is ever held by two claims, and in the end nobody waits for what is free.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { QueueMetrics } from '#client/queue-metrics.ts';
import { RestClient } from '#client/rest-client.ts';
import { volumeBinder } from '#controllers/volumes/binder/volume-binder-controller.ts';
import { delayedSources } from '../support/delayed-sources.ts';
import { randomFrom } from '../support/random.mjs';
import { ServerInTest } from '../support/server-in-test.ts';

const volumes = '/api/v1/persistentvolumes';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const merge = { type: 'application/merge-patch+json' };
const bindCompleted = 'pv.kubernetes.io/bind-completed';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=pvc-protection,pv-protection'] });
});
afterAll(() => server[Symbol.asyncDispose]());

interface Volume {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly storageClassName?: string; readonly claimRef?: { readonly name: string; readonly uid?: string } };
  readonly status?: { readonly phase?: string };
}

interface Claim {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly volumeName?: string; readonly storageClassName?: string };
  readonly status?: { readonly phase?: string };
}

async function list<T>(path: string): Promise<readonly T[]> {
  return (JSON.parse((await server.ask('GET', path)).text) as { readonly items: readonly T[] }).items;
}

/** What must hold at any time: a claim that says it is bound is held by its volume, and no two by the same. */
async function wrong(): Promise<readonly string[]> {
  // The volume is bound first: whoever reads the claims first sees no volume that is older than what a claim says of it.
  const [ofClaims, ofVolumes] = [await list<Claim>(claims), await list<Volume>(volumes)];
  const bound = ofClaims.filter(({ metadata, status }) => metadata.annotations?.[bindCompleted] && status?.phase === 'Bound');
  const holders = new Map<string, string>();
  return bound.flatMap(({ metadata, spec: { volumeName = '' } }) => {
    const other = holders.get(volumeName);
    holders.set(volumeName, metadata.name);
    if (other !== undefined) return [`${volumeName} is held by ${other} and ${metadata.name}`];
    const claimRef = ofVolumes.find((volume) => volume.metadata.name === volumeName)?.spec.claimRef;
    return claimRef?.uid !== undefined && claimRef.uid !== metadata.uid ? [`${metadata.name} says that it has ${volumeName}, which ${claimRef.name} has`] : [];
  });
}

/** Claims that wait while a volume is free, and volumes that say they are bound and are not. */
async function unsettled(): Promise<readonly string[]> {
  const [ofClaims, ofVolumes] = [await list<Claim>(claims), await list<Volume>(volumes)];
  const free = ofVolumes.filter(({ metadata, spec, status }) => !metadata.deletionTimestamp && !spec.claimRef && status?.phase === 'Available');
  const classes = new Set(free.map(({ spec }) => spec.storageClassName));
  // Every volume is large enough; a claim that asks for one by its name waits for that one.
  const waiting = ofClaims.filter(
    ({ metadata, spec, status }) => !metadata.deletionTimestamp && status?.phase === 'Pending' && !spec.volumeName && classes.has(spec.storageClassName),
  );
  const uids = new Set(ofClaims.map(({ metadata }) => metadata.uid));
  const stale = ofVolumes.filter(({ spec, status }) => status?.phase === 'Bound' && !uids.has(spec.claimRef?.uid ?? ''));
  return [...waiting.map(({ metadata }) => `${metadata.name} waits`), ...stale.map(({ metadata }) => `${metadata.name} says that it is bound`)];
}

class Player {
  readonly #random: () => number;
  readonly #prefix: string;

  constructor(random: () => number, prefix: string) {
    this.#random = random;
    this.#prefix = prefix;
  }

  /** There are few names: objects are made again under those of others that went. */
  #name(of: string): string {
    return `${this.#prefix}-${of}-${Math.floor(this.#random() * 12)}`;
  }

  async act(): Promise<void> {
    const choice = this.#random();
    if (choice < 0.35) await this.#volume();
    else if (choice < 0.7) await this.#claim();
    else if (choice < 0.82) await server.ask('DELETE', `${claims}/${this.#name('c')}`);
    else if (choice < 0.9) await server.ask('DELETE', `${volumes}/${this.#name('v')}`);
    else await this.#bindByHand();
  }

  async #volume(): Promise<void> {
    const persistentVolumeReclaimPolicy = ['Retain', 'Delete', 'Recycle'][Math.floor(this.#random() * 3)];
    const name = this.#name('v');
    const claimRef = this.#random() < 0.2 ? { claimRef: { namespace: 'default', name: this.#name('c') } } : {};
    const source = { hostPath: { path: `/tmp/${name}` }, accessModes: ['ReadWriteOnce'], capacity: { storage: `${1 + Math.floor(this.#random() * 3)}Gi` } };
    await server.ask('POST', volumes, { metadata: { name }, spec: { ...source, ...claimRef, storageClassName: this.#prefix, persistentVolumeReclaimPolicy } });
  }

  async #claim(): Promise<void> {
    const volumeName = this.#random() < 0.2 ? { volumeName: this.#name('v') } : {};
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: this.#prefix, ...volumeName };
    await server.ask('POST', claims, { metadata: { name: this.#name('c') }, spec });
  }

  async #bindByHand(): Promise<void> {
    const name = this.#name('c');
    const { code, json } = await server.ask('GET', `${claims}/${name}`);
    if (code !== 200) return;
    const volume = `${volumes}/${this.#name('v')}`;
    const known = await server.ask('GET', volume);
    const spec = (known.json as unknown as Volume).spec;
    if (known.code !== 200 || spec.claimRef !== undefined) return;
    const { uid } = json.metadata;
    const { resourceVersion } = known.json.metadata;
    await server.ask('PATCH', volume, { metadata: { resourceVersion }, spec: { claimRef: { namespace: 'default', name, uid } } }, merge);
  }
}

/** Nightly runs ask for others. */
const [firstSeed, lastSeed] = (process.env['SEEDS'] ?? '1-3').split('-').map(Number) as [number, number];
const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index);

test.each(seeds)('no volume is held by two claims, and in the end no claim waits for what is free (%i)', { timeout: 120_000 }, async (seed) => {
  const { reads, transport } = server.server.api;
  const stopped = new AbortController();
  const late = randomFrom(-seed);
  const sources = delayedSources(reads.sources, () => (late() < 0.7 ? 0 : late() * 25));
  const parts = { log: silentLog, timers: systemTimers, metrics: new QueueMetrics(), clock: reads.clock };
  const running = volumeBinder({ ...parts, client: new RestClient(transport, 'binder'), sources }).run(stopped.signal);
  const player = new Player(randomFrom(seed), `s${seed}`);
  for (let i = 0; i < 30; i++) {
    await Promise.all(Array.from({ length: 6 }, () => player.act()));
    expect(await wrong()).toEqual([]);
  }
  await expect.poll(unsettled, { timeout: 60_000, interval: 100 }).toEqual([]);
  expect(await wrong()).toEqual([]);
  // Something was bound: otherwise nothing was shown.
  expect((await list<Claim>(claims)).filter(({ status }) => status?.phase === 'Bound').length).toBeGreaterThan(2);
  stopped.abort();
  await running;
});
