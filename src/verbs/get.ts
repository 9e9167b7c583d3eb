import { badRequest, notFound, unclassified } from '#api/api-error.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { WatchCache } from '#cache/watch-cache.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { getComputed, isComputed } from '#verbs/computed.ts';
import { badResourceVersion, parseFlag, parseResourceVersion, tooLargeResourceVersion } from '#verbs/options.ts';

export async function get(call: Call): Promise<Answer> {
  if (isComputed(call)) return getComputed(call);
  return { is: 'item', code: 200, definition: call.definition, item: await itemAsked(call) };
}

/** The object as the options of a get ask for it; a subresource that shows a part of it reads it so, too. */
export async function itemAsked(call: Call): Promise<Item> {
  if (parseFlag(call.query, 'export')) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const text = call.query.get('resourceVersion') ?? '';
  const asked = parseResourceVersion(text);
  if (asked === undefined) throw unclassified(badResourceVersion(text));
  const item = await read(call, text === '' ? 'latest' : asked);
  if (item === undefined) throw notFound(resourceOf(call), call.name);
  return item;
}

/** 0: whatever the cache has. */
function read(call: Call, freshness: number | 'latest'): MaybePromise<Item | undefined> {
  const { caches } = call.world;
  if (freshness === 'latest') return caches.reader(call.hub).readLatest(call.namespace, call.name, call.asker);
  return freshness === 0 ? caches.reader(call.hub).read(call.namespace, call.name) : readFreshAs(call, freshness);
}

async function readFreshAs(call: Call, revision: number): Promise<Item | undefined> {
  const cache = await call.world.caches.ready(call.hub);
  await freshAs(call, cache, revision, call.query.get('resourceVersion') ?? '0');
  return cache.get(call.namespace, call.name);
}

/** Waits until the cache has seen `revision`, which was given as `text`; a revision that does not come is the client's mistake. */
export async function freshAs(call: Call, cache: WatchCache, revision: number, text: string): Promise<void> {
  if (revision <= cache.revision) return;
  if (!hasWatchCache(call.hub)) await refuseFuture(call, revision, text);
  if (!(await cache.waitFor(revision, call.asker))) throw tooLargeResourceVersion(text, cache.revision);
}

/** The original asks its etcd, which says at once how far it is, and not when to come again. */
async function refuseFuture(call: Call, revision: number, text: string): Promise<void> {
  const current = await call.world.storeOf(call.hub).revision();
  if (revision > current) throw tooLargeResourceVersion(text, current, 0);
}

/** The original has a watch cache of everything but Events, of which there are many that hardly anybody reads. */
export function hasWatchCache({ group, plural }: ResourceDefinition): boolean {
  return plural !== 'events' || (group !== '' && group !== 'events.k8s.io');
}
