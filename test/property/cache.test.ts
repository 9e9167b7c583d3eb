// The watch cache against a model: whatever is written, read slowly, cut off, forgotten or compacted, a watcher is told
// exactly the changes that its selection sees, in order, and pages of a list are the list at their revision.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FieldSelector, parseFieldSelector } from '#api/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '#api/label-selector.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { CacheEvent, CacheItem, CacheWatcher, Selection, WatchCache } from '#cache/watch-cache.ts';
import type { Store } from '#store/store.ts';
import { cachedPods, deletePod, type PodFacts, podFields, putPod, write } from '../support/cached-pods.ts';

interface Pod extends PodFacts {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
}
type State = ReadonlyMap<string, Pod>;

/** All states of the world, by revision. */
class Model {
  readonly states = new Map<number, State>([[1, new Map()]]);
  last = 1;

  get now(): State {
    return this.states.get(this.last) as State;
  }

  write(revision: number, key: string, pod: Pod | undefined): void {
    if (revision === this.last) return;
    const next = new Map(this.now);
    if (pod) next.set(key, pod);
    else next.delete(key);
    this.states.set(revision, next);
    this.last = revision;
  }

  /** What a watcher with this selection must be told after `from`. */
  events(from: number, selects: (pod: Pod) => boolean): string[] {
    const events: string[] = [];
    for (let revision = from + 1; revision <= this.last; revision++) {
      const [before, now] = [revision - 1, revision].map((at) => selected(this.states.get(at) as State, selects)) as [State, State];
      for (const key of new Set([...before.keys(), ...now.keys()])) {
        const [old, young] = [before.get(key), now.get(key)];
        if (young && old?.revision !== young.revision) events.push(told(old ? 'MODIFIED' : 'ADDED', revision, young));
        if (old && !young) events.push(told('DELETED', revision, old));
      }
    }
    return events;
  }
}

function selected(state: State, selects: (pod: Pod) => boolean): State {
  return new Map([...state].filter(([, pod]) => selects(pod)));
}

/** Type, revision and the state shown: a DELETED with the wrong state is as wrong as a missing one. */
function told(type: string, revision: number, { namespace, name, labels, nodeName, phase }: Pod): string {
  return `${type} ${revision} ${namespace}/${name} ${JSON.stringify([labels, nodeName, phase])}`;
}

function toldBy({ type, revision, item }: CacheEvent): string {
  const shown = podOf(item as CacheItem);
  expect(shown.revision).toBe(revision);
  return told(type, revision, shown);
}

function podOf({ object, namespace, name }: CacheItem): Pod {
  const { metadata, spec, status } = object as unknown as {
    metadata: { labels: Record<string, string>; resourceVersion: string };
    spec: PodFacts;
    status: PodFacts;
  };
  return {
    namespace,
    name,
    labels: metadata.labels,
    nodeName: spec.nodeName as string,
    phase: status.phase as string,
    revision: Number(metadata.resourceVersion),
  };
}

const shapes: readonly { readonly namespace: string; readonly labels?: string; readonly fields?: string }[] = [
  { namespace: '' },
  { namespace: 'a' },
  { namespace: '', labels: 'app=web' },
  { namespace: 'b', labels: 'app!=web,tier' },
  { namespace: '', fields: 'spec.nodeName=n1' },
  { namespace: 'a', fields: 'spec.nodeName=n1' },
  { namespace: '', fields: 'status.phase=Running' },
  { namespace: '', fields: 'metadata.name=p1' },
  { namespace: 'a', fields: 'metadata.name=p1' },
  { namespace: '', labels: 'app in (web,db)', fields: 'status.phase!=Running,spec.nodeName!=n1' },
];

interface Shape {
  readonly selection: Selection;
  readonly selects: (pod: Pod) => boolean;
}

function shapeOf({ namespace, labels, fields }: (typeof shapes)[number]): Shape {
  const byLabels: LabelSelector | undefined = labels === undefined ? undefined : parseLabelSelector(labels);
  const byFields: FieldSelector | undefined = fields === undefined ? undefined : parseFieldSelector(fields);
  return {
    selection: { namespace, labels: byLabels, fields: byFields },
    selects: (pod) =>
      (namespace === '' || pod.namespace === namespace) &&
      (byLabels?.matches(pod.labels) ?? true) &&
      (byFields?.matches(podFields({ metadata: pod, spec: pod, status: pod } as never)) ?? true),
  };
}

const target = { namespace: fc.constantFrom('a', 'b'), name: fc.constantFrom('p1', 'p2', 'p3') };
const facts = {
  labels: fc.constantFrom({ app: 'web' }, { app: 'db', tier: 'x' }, { tier: 'y' }, {}),
  nodeName: fc.constantFrom('', 'n1', 'n2'),
  phase: fc.constantFrom('Pending', 'Running'),
};
const put = fc.record({ do: fc.constant('put' as const), ...target, ...facts });
const remove = fc.record({ do: fc.constant('delete' as const), ...target });
const other = fc.constant({ do: 'other' as const });
const turn = fc.constant({ do: 'turn' as const });
const watcherNumber = fc.nat(3);
const read = fc.record({ do: fc.constant('read' as const), watcher: watcherNumber });
const reconnect = fc.record({ do: fc.constant('reconnect' as const), watcher: watcherNumber });
const bookmark = fc.record({ do: fc.constant('bookmark' as const), watcher: watcherNumber });
const compact = fc.record({ do: fc.constant('compact' as const), back: fc.nat(10) });
type Write = { do: 'put' | 'delete'; namespace: string; name: string } & PodFacts;

async function apply(store: Store, model: Model, { do: what, namespace, name, ...pod }: Write): Promise<void> {
  const revision = what === 'put' ? await putPod(store, namespace, name, pod) : await deletePod(store, namespace, name);
  model.write(revision, `${namespace}/${name}`, what === 'put' ? { ...pod, namespace, name, revision } : undefined);
}

async function writeOther(store: Store, model: Model): Promise<void> {
  const revision = await write(store, '/registry/configmaps/a/x', Buffer.from(`{"metadata":{"uid":"${model.last}"}}`));
  model.states.set(revision, model.now);
  model.last = revision;
}

/** A client: lists or begins anywhere, reads when it is told to, and reconnects where it stopped. */
class Client {
  readonly #cache: WatchCache;
  readonly #model: Model;
  readonly #shape: Shape;
  #watcher: CacheWatcher | undefined;
  #position = 0;

  constructor(cache: WatchCache, model: Model, shape: Shape) {
    this.#cache = cache;
    this.#model = model;
    this.#shape = shape;
  }

  /** Goes on after the last revision seen; when that is too old, begins with a list. */
  async connect(): Promise<void> {
    this.#watcher?.close();
    const watcher = this.#position > 0 ? this.#watch(this.#position) : 'too-old';
    this.#watcher = watcher === 'too-old' ? await this.#relist() : watcher;
  }

  #watch(after: number): CacheWatcher | 'too-old' {
    const watcher = this.#cache.watch({ ...this.#shape.selection, after, bookmarks: true });
    if (watcher === 'too-old') expect(after).toBeLessThan(this.#cache.oldest);
    return watcher;
  }

  async #relist(): Promise<CacheWatcher> {
    const { items, revision } = await this.#cache.list(this.#shape.selection);
    const expected = selected(this.#model.states.get(revision) as State, this.#shape.selects);
    expect(items.map((item) => told('', 0, podOf(item)))).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pod]) => told('', 0, pod)));
    this.#position = revision;
    const watcher = this.#watch(revision);
    if (watcher === 'too-old') throw new Error('a list is older than history');
    return watcher;
  }

  bookmark(): void {
    this.#watcher?.bookmark();
  }

  /** Reads one batch if there is something to be told, and compares it with the model. */
  async read(): Promise<void> {
    const { selects } = this.#shape;
    if (this.#model.events(this.#position, selects).length === 0) return;
    const step = await (this.#watcher as CacheWatcher).next();
    if (step.done) {
      expect(this.#watcher?.ended).toBe('overrun');
      expect(this.#position).toBeLessThan(this.#cache.oldest);
      return this.connect();
    }
    for (const event of step.value) {
      if (event.type === 'BOOKMARK') this.#confirm(event.revision);
      else expect(toldBy(event)).toBe(this.#model.events(this.#position, selects)[0]);
      this.#position = event.revision;
    }
  }

  /** A bookmark promises that nothing up to its revision is still to come. */
  #confirm(revision: number): void {
    const missing = this.#model.events(this.#position, this.#shape.selects).filter((text) => Number(text.split(' ')[1]) <= revision);
    expect(missing).toEqual([]);
  }

  async finish(): Promise<void> {
    while (this.#model.events(this.#position, this.#shape.selects).length > 0) await this.read();
    this.#watcher?.close();
  }
}

test('every watcher is told exactly what its selection sees, however slow it is and wherever it begins', async () => {
  const step = fc.oneof(
    { weight: 10, arbitrary: put },
    { weight: 5, arbitrary: remove },
    other,
    turn,
    { weight: 8, arbitrary: read },
    { weight: 2, arbitrary: reconnect },
    bookmark,
    compact,
  );
  const world = fc.record({
    shapes: fc.array(fc.constantFrom(...shapes), { minLength: 4, maxLength: 4 }),
    historyLimit: fc.constantFrom(3, 8, 1_000),
    watcherBuffer: fc.constantFrom(1, 3, 1_000),
    steps: fc.array(step, { minLength: 5, maxLength: 80 }),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ shapes: chosen, historyLimit, watcherBuffer, steps }) => {
      await using pods = await cachedPods({ historyLimit, watcherBuffer });
      const model = new Model();
      const clients = chosen.map((shape) => new Client(pods.cache, model, shapeOf(shape)));
      for (const client of clients) await client.connect();
      for (const action of steps) {
        const client = 'watcher' in action ? (clients[action.watcher] as Client) : undefined;
        if (action.do === 'put' || action.do === 'delete') await apply(pods.store, model, action as Write);
        else if (action.do === 'other') await writeOther(pods.store, model);
        else if (action.do === 'turn') await nextTurn();
        else if (action.do === 'compact') await pods.store.compact(Math.max(1, model.last - action.back));
        else if (action.do === 'read') await client?.read();
        else if (action.do === 'reconnect') await client?.connect();
        else client?.bookmark();
      }
      expect(pods.cache.revision).toBe(model.last);
      for (const client of clients) await client.finish();
      expect(pods.cache.watchers).toBe(0);
    }),
    { numRuns: 600 },
  );
});

test('a watch from any revision is told the rest of history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(put, remove), { minLength: 1, maxLength: 40 }), fc.nat(40), fc.constantFrom(...shapes), async (writes, back, shape) => {
      await using pods = await cachedPods();
      const model = new Model();
      for (const action of writes) await apply(pods.store, model, action as Write);
      const { selection, selects } = shapeOf(shape);
      const after = Math.max(1, model.last - back);
      const watcher = pods.watch({ ...selection, after });
      const expected = model.events(after, selects);
      const events: string[] = [];
      while (events.length < expected.length) events.push(...((await watcher.next()).value ?? []).map(toldBy));
      expect(events).toEqual(expected);
      watcher.close();
    }),
    { numRuns: 300 },
  );
});

test('the initial events of a watch are the state, and changes follow without gap', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(put, { maxLength: 15 }),
      fc.array(fc.oneof(put, remove), { maxLength: 15 }),
      fc.constantFrom(...shapes),
      async (before, after, shape) => {
        await using pods = await cachedPods({ watcherBuffer: 2 });
        const model = new Model();
        for (const action of before) await apply(pods.store, model, action as Write);
        const { selection, selects } = shapeOf(shape);
        const begun = model.last;
        const watcher = pods.watch({ ...selection, after: 'initial', markInitialEnd: true });
        for (const action of after) await apply(pods.store, model, action as Write);
        const state = [...selected(model.states.get(begun) as State, selects)].sort(([a], [b]) => (a < b ? -1 : 1));
        const expected = [...state.map(([, pod]) => told('ADDED', pod.revision, pod)), `end ${begun}`, ...model.events(begun, selects)];
        const events: string[] = [];
        while (events.length < expected.length) {
          events.push(...((await watcher.next()).value ?? []).map((event) => (event.initialEnd ? `end ${event.revision}` : toldBy(event))));
        }
        expect(events).toEqual(expected);
        watcher.close();
      },
    ),
    { numRuns: 300 },
  );
});

test('the pages of a list are together the list at the revision of the first, whatever is written or compacted in between', async () => {
  const world = fc.record({
    historyLimit: fc.constantFrom(2, 5, 1_000),
    limit: fc.integer({ min: 1, max: 3 }),
    before: fc.array(put, { minLength: 1, maxLength: 20 }),
    between: fc.array(fc.array(fc.oneof(put, remove, compact), { maxLength: 6 }), { maxLength: 8 }),
    shape: fc.constantFrom(...shapes),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ historyLimit, limit, before, between, shape }) => {
      await using pods = await cachedPods({ historyLimit });
      const model = new Model();
      for (const action of before) await apply(pods.store, model, action as Write);
      const { selection, selects } = shapeOf(shape);
      const at = model.last;
      let compacted = 0;
      const listed: string[] = [];
      let page = await pods.cache.list({ ...selection, limit });
      for (let round = 0; ; round++) {
        expect(page.revision).toBe(at);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        listed.push(...page.items.map((item) => told('', item.revision, podOf(item))));
        if (page.next === undefined) break;
        for (const action of between[round] ?? []) {
          if (action.do !== 'compact') await apply(pods.store, model, action as Write);
          else await pods.store.compact((compacted = Math.max(compacted, 1, model.last - action.back)));
        }
        const next = await pods.cache.listAt({ ...selection, limit, after: page.next }, at);
        if (next === 'compacted') {
          expect(at).toBeLessThan(Math.min(compacted, pods.cache.oldest));
          return;
        }
        page = next;
      }
      const state = [...selected(model.states.get(at) as State, selects)].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(listed).toEqual(state.map(([, pod]) => told('', pod.revision, pod)));
    }),
    { numRuns: 300 },
  );
});

test('a list at any revision is the state of then', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(put, remove), { minLength: 1, maxLength: 40 }),
      fc.constantFrom(4, 1_000),
      fc.constantFrom(...shapes),
      async (writes, historyLimit, shape) => {
        await using pods = await cachedPods({ historyLimit });
        const model = new Model();
        for (const action of writes) await apply(pods.store, model, action as Write);
        const { selection, selects } = shapeOf(shape);
        // Forth and back: a state may be found from a later one that was asked for before.
        for (const [revision, state] of [...model.states, ...[...model.states].reverse()]) {
          const result = await pods.cache.listAt(selection, revision);
          if (result === 'compacted') throw new Error('nothing was compacted');
          const expected = [...selected(state, selects)].sort(([a], [b]) => (a < b ? -1 : 1));
          expect(result.items.map((item) => told('', item.revision, podOf(item)))).toEqual(expected.map(([, pod]) => told('', pod.revision, pod)));
        }
      },
    ),
    { numRuns: 50 },
  );
});
