import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, FaultyWire } from '../../test/support/faulty-transport.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { Reflector, type ReflectorOptions, type ReflectorState } from '#client/reflector.ts';
import { type ResourceAddress, RestClient } from '#client/rest-client.ts';

const configMaps: ResourceAddress = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };
const impatient = { wait: async () => {}, reset: () => {} };

let server: ServerInTest;
let client: RestClient;
let namespaces = 0;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers='] });
  client = new RestClient(server.server.api.transport, 'test');
});
afterAll(() => server[Symbol.asyncDispose]());

async function freshNamespace(): Promise<string> {
  const name = `reflected-${++namespaces}`;
  await client.create({ group: '', version: 'v1', resource: 'namespaces', namespaced: false }, '', { metadata: { name } });
  return name;
}

function put(namespace: string, name: string, data: string): Promise<unknown> {
  return client.apply(
    configMaps,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { k: data } },
    { fieldManager: 'test', force: true },
  );
}

async function drop(namespace: string, name: string): Promise<void> {
  await client.delete(configMaps, namespace, name).catch((error) => {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  });
}

/** What the reflector told, and whoever waits for it. */
class Picture {
  readonly versions = new Map<string, string>();
  replaced = 0;
  /** Objects that went back in time. */
  readonly backwards: string[] = [];
  #changed: () => void = () => {};

  readonly sink = {
    replace: (objects: readonly KubernetesObject[]) => {
      this.replaced++;
      this.versions.clear();
      for (const object of objects) this.#put(object);
      this.#changed();
    },
    upsert: (object: KubernetesObject) => this.#put(object),
    remove: ({ metadata }: KubernetesObject) => {
      this.versions.delete(metadata.name ?? '');
      this.#changed();
    },
  };

  #put({ metadata: { name = '', resourceVersion = '' } }: KubernetesObject): void {
    const before = this.versions.get(name);
    if (before !== undefined && Number(before) >= Number(resourceVersion)) this.backwards.push(name);
    this.versions.set(name, resourceVersion);
    this.#changed();
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.#changed = resolve));
  }
}

interface Running extends AsyncDisposable {
  readonly picture: Picture;
  readonly wire: FaultyWire;
  readonly states: ReflectorState[];
}

function reflect(namespace: string, options: Partial<ReflectorOptions<KubernetesObject>> = {}, faults: readonly Fault[] = []): Running {
  const wire = new FaultyWire(server.server.api.transport);
  wire.schedule(faults);
  const picture = new Picture();
  const states: ReflectorState[] = [];
  const onState = (state: ReflectorState) => void states.push(state);
  const base = { client: new RestClient(wire.send, 'reflector'), resource: configMaps, namespace, sink: picture.sink, backoff: impatient, onState };
  const stop = new AbortController();
  const running = new Reflector({ ...base, ...options }).run(stop.signal);
  return {
    picture,
    wire,
    states,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function listed(namespace: string): Promise<Map<string, string>> {
  const { items } = await client.list(configMaps, namespace);
  return new Map(items.map(({ metadata }) => [metadata.name ?? '', metadata.resourceVersion ?? '']));
}

const isOf = ({ is }: ReflectorState) => is;

describe('a reflector', () => {
  test('lists by the head of a watch, then follows it', async () => {
    const namespace = await freshNamespace();
    await put(namespace, 'a', '1');
    await using reflector = reflect(namespace);
    await reflector.picture.until(() => reflector.picture.versions.has('a'));
    await put(namespace, 'b', '1');
    await reflector.picture.until(() => reflector.picture.versions.has('b'));
    await drop(namespace, 'a');
    await reflector.picture.until(() => !reflector.picture.versions.has('a'));
    expect(reflector.wire.asked).toHaveLength(1);
    expect(reflector.wire.asked[0]).toContain('sendInitialEvents=true');
    expect(reflector.states.map(isOf)).toEqual(['watching']);
  });

  test.each([400, 422])('lists in pages when the server refuses WatchList with %i', async (code) => {
    const namespace = await freshNamespace();
    await put(namespace, 'a', '1');
    await using reflector = reflect(namespace, {}, [{ is: 'refused', code }]);
    await reflector.picture.until(() => reflector.picture.versions.has('a'));
    await put(namespace, 'b', '1');
    await reflector.picture.until(() => reflector.picture.versions.has('b'));
    expect(reflector.wire.asked.slice(1).some((path) => path.includes('sendInitialEvents'))).toBe(false);
    expect(reflector.states.map(isOf)).toEqual(['waiting', 'listing', 'watching']);
  });

  test('goes on from the last event when a connection breaks, without listing again', async () => {
    const namespace = await freshNamespace();
    await using reflector = reflect(namespace, {}, [{ is: 'cut', after: 3000 }]);
    for (let i = 0; i < 10; i++) await put(namespace, `map-${i}`, '1');
    await reflector.picture.until(() => reflector.picture.versions.size === 10);
    expect(reflector.picture.replaced).toBe(1);
    expect(reflector.wire.asked).toHaveLength(2);
    expect(reflector.wire.asked[1]).toMatch(/[?&]resourceVersion=\d+/);
    expect(reflector.picture.backwards).toEqual([]);
  });

  test('lists again when the server has forgotten where it was (410)', async () => {
    const namespace = await freshNamespace();
    await using reflector = reflect(namespace, {}, [{ is: 'cut', after: 2500 }, { is: 'expired' }]);
    for (let i = 0; i < 10; i++) await put(namespace, `map-${i}`, '1');
    await reflector.picture.until(() => reflector.picture.versions.size === 10);
    await reflector.picture.until(() => reflector.picture.replaced === 2);
    expect(reflector.wire.asked[2]).toContain('sendInitialEvents=true');
    expect(reflector.states.map(isOf)).toEqual(['watching', 'waiting', 'watching', 'waiting', 'listing', 'watching']);
  });

  test('waits after a failure, and forgets its failures with the next progress', async () => {
    const namespace = await freshNamespace();
    const waits: string[] = [];
    const backoff = { wait: async () => void waits.push('wait'), reset: () => void waits.push('reset') };
    await using reflector = reflect(namespace, { backoff }, [{ is: 'lost' }, { is: 'refused', code: 503 }]);
    await reflector.picture.until(() => reflector.picture.replaced === 1);
    await put(namespace, 'a', '1');
    await reflector.picture.until(() => reflector.picture.versions.has('a'));
    expect(waits.slice(0, 3)).toEqual(['wait', 'wait', 'reset']);
  });

  test('a server that ends every watch at once is not asked in a circle', async () => {
    const namespace = await freshNamespace();
    let waits = 0;
    const backoff = { wait: async () => void waits++, reset: () => {} };
    const ends = Array.from({ length: 5 }, (): Fault => ({ is: 'ended', after: 0 }));
    await using reflector = reflect(namespace, { backoff, by: 'pages' }, [{ is: 'none' }, ...ends]);
    await put(namespace, 'a', '1');
    await reflector.picture.until(() => reflector.picture.versions.has('a'));
    expect(waits).toBeGreaterThanOrEqual(1);
    expect(reflector.wire.asked.length).toBeLessThanOrEqual(waits + 2);
  });
});

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constant<Fault>({ is: 'none' }),
  fc.constant<Fault>({ is: 'lost' }),
  fc.constant<Fault>({ is: 'expired' }),
  fc.record({ is: fc.constant('cut' as const), after: fc.nat(6000) }),
  fc.record({ is: fc.constant('ended' as const), after: fc.nat(6000) }),
  fc.record({ is: fc.constant('refused' as const), code: fc.constantFrom(429, 500, 503) }),
);
const step = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'é'), gone: fc.boolean() });

describe('whatever breaks, and wherever', () => {
  test.each(['watch', 'pages'] as const)(
    'a reflector that lists by %s ends up with what the server has, and never goes back in time',
    async (by) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fault, { maxLength: 12 }), fc.array(step, { minLength: 1, maxLength: 25 }), async (faults, steps) => {
          const namespace = await freshNamespace();
          await using reflector = reflect(namespace, { by }, faults);
          for (const [i, { name, gone }] of steps.entries())
            await (gone ? drop(namespace, name === 'é' ? 'e' : name) : put(namespace, name === 'é' ? 'e' : name, `${name}${i}`));
          reflector.wire.calm();
          await put(namespace, 'last', 'x');
          const wanted = await listed(namespace);
          await reflector.picture.until(() => reflector.picture.versions.get('last') === wanted.get('last'));
          expect(new Map([...reflector.picture.versions].toSorted())).toEqual(new Map([...wanted].toSorted()));
          expect(reflector.picture.backwards).toEqual([]);
        }),
        { numRuns: 80, endOnFailure: true },
      );
    },
    120_000,
  );
});
