// The verbs over a store in memory, with plugins and definitions of the test: nothing of HTTP, no access control.
import { AdmissionChain, type AdmissionPlugin } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import { loopbackUser } from '#api/user.ts';
import { liveLister } from '#verbs/live-lister.ts';
import { systemClock } from '#base/clock.ts';
import { CacheSet } from '#cache/cache-set.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import type { Store } from '#store/store.ts';
import type { Body } from '#verbs/body.ts';
import type { Call, World } from '#verbs/call.ts';

export interface VerbWorld {
  readonly world: World;
  readonly warnings: string[];
  call(resource: string, name?: string, query?: string): Call;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface VerbWorldOptions {
  readonly plugins?: readonly AdmissionPlugin[];
  /** In place of built-in ones with the same names, or beside them. */
  readonly definitions?: readonly ResourceDefinition[];
  readonly store?: Store;
}

export function verbWorld({ plugins = [], definitions = [], store = openMemoryStore() }: VerbWorldOptions = {}): VerbWorld {
  const catalog = new ResourceCatalog([...builtinResources, ...definitions]);
  const caches = new CacheSet({ store });
  const unused = () => Promise.reject(new Error('this test writes nothing else'));
  const world: World = {
    storeOf: () => store,
    store,
    caches,
    catalog,
    admission: new AdmissionChain(plugins),
    clock: systemClock,
    gate: () => true,
    lister: liveLister(catalog, caches),
    writer: { create: unused, update: unused, delete: unused },
    authorize: async () => {},
    accessOf: async () => ({ allowed: true, reason: '' }),
  };
  const warnings: string[] = [];
  return {
    world,
    warnings,
    call: (resource, name = '', query = '') => callOf(world, { resource, name, query, warnings }),
    [Symbol.asyncDispose]: async () => {
      await caches.stop();
      await store.close();
    },
  };
}

function callOf(world: World, { resource, name, query, warnings }: { resource: string; name: string; query: string; warnings: string[] }): Call {
  const definition = world.catalog.byName(resource);
  if (definition === undefined) throw new Error(`no resource ${resource}`);
  return {
    world,
    definition,
    hub: world.catalog.hubOf(definition),
    subresource: '',
    namespace: definition.namespaced ? 'default' : '',
    name,
    user: loopbackUser,
    query: new URLSearchParams(query),
    pathBehind: '',
    userAgent: 'test',
    asker: { gone: false, signal: new AbortController().signal, onGone: () => () => {} },
    warn: (text) => void warnings.push(text),
    annotate: () => {},
  };
}

export function bodyOf(object: object): Body {
  return { mediaType: 'json', bytes: Buffer.from(JSON.stringify(object)) };
}

/** Of an answer that is an item. */
export function objectIn(answer: { readonly is: string; readonly item?: { readonly object: KubernetesObject } }): KubernetesObject {
  if (answer.item === undefined) throw new Error(`the answer is ${answer.is}`);
  return answer.item.object;
}
