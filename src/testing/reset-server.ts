// A running server back at the state in which its test got it.
import type { ApiServer } from '#app/api-server.ts';
import type { KubernetesObject } from '#api/object.ts';
import { systemTimers } from '#base/timers.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { definitionsAmong, restoreState, type StoredState } from '#testing/stored-state.ts';

const services: ResourceAddress = { group: '', version: 'v1', resource: 'services', namespaced: true };

interface Service extends KubernetesObject {
  readonly spec: { readonly healthCheckNodePort?: number; readonly ports?: readonly { readonly nodePort?: number }[] };
}

export async function resetServer({ client, world }: ApiServer, start: StoredState): Promise<void> {
  const before = await nodePortsIn(client);
  const touched = await restoreState(world.store, start);
  // A list of now: all of the server has heard of what was put back, too.
  const after = await nodePortsIn(client);
  // Node ports are the one thing that is counted in memory and not in the store.
  world.services?.nodePorts.free([...before].filter((port) => !after.has(port)));
  await kindsFollow(world.catalog, touched, start);
}

async function nodePortsIn(client: RestClient): Promise<ReadonlySet<number>> {
  const { items } = await client.list<Service>(services);
  return new Set(
    items.flatMap(({ spec }) => [...(spec.ports ?? []).map(({ nodePort = 0 }) => nodePort), spec.healthCheckNodePort ?? 0]).filter((port) => port > 0),
  );
}

/** Longer than the loop of definitions ever takes. */
const patienceMs = 10_000;

/** Resolves when the kinds of definitions that went are no longer served, and those that came back are. */
async function kindsFollow(catalog: ResourceCatalog, touched: ReadonlySet<string>, start: StoredState): Promise<void> {
  const names = definitionsAmong(touched);
  if (names.length === 0) return;
  const wanted = new Set(definitionsAmong(start.keys()));
  const isServed = (name: string) => {
    const dot = name.indexOf('.');
    return catalog.versionsOf(name.slice(dot + 1), name.slice(0, dot)).length > 0;
  };
  const until = performance.now() + patienceMs;
  do {
    if (performance.now() > until) throw new Error(`the kinds of ${names.join(', ')} did not follow the reset`);
    // At least once: the loop judges in a turn of its own what it has heard, and what is served before that says nothing.
    await new Promise<void>((resolve) => systemTimers.after(1, resolve));
  } while (!names.every((name) => isServed(name) === wanted.has(name)));
}
