import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FaultyWire } from '../../test/support/faulty-transport.ts';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import type { KubernetesObject } from '#api/object.ts';
import { Informer, type InformerOptions } from '#client/informer.ts';
import { keyOf, ObjectStore } from '#client/object-store.ts';
import { type ResourceAddress, RestClient } from '#client/rest-client.ts';

const configMaps: ResourceAddress = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };

let server: ServerInTest;
let client: RestClient;
let wire: FaultyWire;
beforeAll(async () => {
  server = await ServerInTest.start();
  client = new RestClient(server.server.api.transport, 'test');
});
afterAll(() => server[Symbol.asyncDispose]());

let count = 0;

async function informerInTest(options: Partial<InformerOptions<KubernetesObject>> = {}) {
  const namespace = `informed-${++count}`;
  await client.create({ group: '', version: 'v1', resource: 'namespaces', namespaced: false }, '', { metadata: { name: namespace } });
  wire = new FaultyWire(server.server.api.transport);
  const timers = new ManualTimers();
  const informer = new Informer({ client: new RestClient(wire.send, 'informer'), resource: configMaps, namespace, random: () => 0, timers, ...options });
  const heard = new Heard();
  informer.addHandler(heard.handler, { resyncMs: 1000 });
  const stop = new AbortController();
  const make = (name: string, data = '') => client.create(configMaps, namespace, { metadata: { name, labels: { data } }, data: { data } });
  let running: Promise<void> | undefined;
  return {
    informer,
    heard,
    timers,
    namespace,
    make,
    start: () => (running = informer.run(stop.signal)),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

class Heard {
  readonly events: string[] = [];
  #changed: () => void = () => {};
  readonly handler = {
    added: ({ metadata }: KubernetesObject) => this.#note(`added ${metadata.name}`),
    updated: (before: KubernetesObject, { metadata }: KubernetesObject) =>
      this.#note(`${before.metadata.resourceVersion === metadata.resourceVersion ? 'resynced' : 'updated'} ${metadata.name}`),
    removed: ({ metadata }: KubernetesObject, final: string) => this.#note(`removed ${metadata.name} ${final}`),
  };

  #note(event: string): void {
    this.events.push(event);
    this.#changed();
  }

  async until(event: string): Promise<void> {
    while (!this.events.includes(event)) await new Promise<void>((resolve) => (this.#changed = resolve));
  }
}

describe('an informer', () => {
  test('tells what is there, then every change', async () => {
    await using one = await informerInTest();
    const made = await one.make('a');
    one.start();
    await one.informer.synced;
    expect([one.informer.hasSynced, one.informer.store.get(`${one.namespace}/a`)?.metadata.name]).toEqual([true, 'a']);
    await client.update(configMaps, { ...(made as KubernetesObject), data: { x: 'y' } });
    await client.delete(configMaps, one.namespace, 'a');
    await one.heard.until('removed a known');
    expect(one.heard.events).toEqual(['added a', 'updated a', 'removed a known']);
    expect(one.informer.store.size).toBe(0);
  });

  test('a handler that comes late is told all that is there first', async () => {
    await using one = await informerInTest();
    await one.make('a');
    one.start();
    await one.informer.synced;
    const late = new Heard();
    const leave = one.informer.addHandler(late.handler);
    expect(late.events).toEqual(['added a']);
    leave();
    await one.make('b');
    await one.heard.until('added b');
    expect(late.events).toEqual(['added a']);
  });

  test('what went while nobody watched is told with its last known state', async () => {
    await using one = await informerInTest();
    await one.make('kept');
    await one.make('gone');
    one.start();
    await one.informer.synced;
    wire.schedule(Array.from({ length: 1000 }, () => ({ is: 'lost' as const })));
    wire.breakOff();
    await client.delete(configMaps, one.namespace, 'gone');
    wire.schedule([{ is: 'expired' }]);
    await one.heard.until('removed gone unknown');
    await one.make('next');
    await one.heard.until('added next');
    expect(one.heard.events).toEqual(['added gone', 'added kept', 'removed gone unknown', 'added next']);
  });

  test('a list that says the same again is no news; a resync tells everything again', async () => {
    await using one = await informerInTest();
    await one.make('a');
    one.start();
    await one.informer.synced;
    one.timers.advance(1000);
    one.timers.advance(1000);
    expect(one.heard.events).toEqual(['added a', 'resynced a', 'resynced a']);
  });

  test('a handler that throws keeps nobody from the news', async () => {
    await using one = await informerInTest();
    one.informer.addHandler({
      added() {
        throw new Error('broken');
      },
    });
    const after = new Heard();
    one.informer.addHandler(after.handler);
    one.start();
    await one.make('a');
    await after.until('added a');
    expect(one.informer.store.size).toBe(1);
  });

  test('indexes follow every change, and a transform makes objects smaller', async () => {
    const indexers = { data: ({ metadata }: KubernetesObject) => Object.values(metadata.labels ?? {}) };
    const transform = ({ metadata: { name, namespace, labels, resourceVersion, uid } }: KubernetesObject) => ({
      metadata: { name, namespace, labels, resourceVersion, uid },
    });
    await using one = await informerInTest({ indexers, transform });
    const a = (await one.make('a', 'x')) as KubernetesObject;
    await one.make('b', 'x');
    one.start();
    await one.informer.synced;
    const { store } = one.informer;
    const names = (value: string) => store.byIndex('data', value).map(({ metadata }) => metadata.name);
    expect([names('x'), names('y')]).toEqual([['a', 'b'], []]);
    await client.update(configMaps, { ...a, metadata: { ...a.metadata, labels: { data: 'y' } } });
    await one.heard.until('updated a');
    expect([names('x'), names('y'), store.byIndex('namespace', one.namespace).length]).toEqual([['b'], ['a'], 2]);
    expect(store.list().some((object) => 'data' in object)).toBe(false);
  });
});

test('an index nobody has is an error', () => {
  expect(() => new ObjectStore().byIndex('absent', 'x')).toThrow('there is no index "absent"');
  expect(keyOf({ metadata: { name: 'n' } })).toBe('/n');
});
