import { badRequest, notFound, unclassified } from '#api/api-error.ts';
import type { Asker } from '#api/asker.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { WatchCache } from '#cache/watch-cache.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { getComputed, isComputed } from '#verbs/computed.ts';
import { badResourceVersion, parseFlag, parseResourceVersion, tooLargeResourceVersion } from '#verbs/options.ts';

export async function get(call: Call): Promise<Answer> {
  if (isComputed(call)) return getComputed(call);
  if (parseFlag(call.query, 'export')) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const text = call.query.get('resourceVersion') ?? '';
  const asked = parseResourceVersion(text);
  if (asked === undefined) throw unclassified(badResourceVersion(text));
  const item = await read(call, text === '' ? 'latest' : asked);
  if (item === undefined) throw notFound(resourceOf(call), call.name);
  return { is: 'item', code: 200, definition: call.definition, item };
}

/** 0: whatever the cache has. */
function read(call: Call, freshness: number | 'latest'): MaybePromise<Item | undefined> {
  const { caches } = call.world;
  if (freshness === 'latest') return caches.reader(call.hub).readLatest(call.namespace, call.name, call.asker);
  return freshness === 0 ? caches.reader(call.hub).read(call.namespace, call.name) : readFreshAs(call, freshness);
}

async function readFreshAs(call: Call, revision: number): Promise<Item | undefined> {
  const cache = await call.world.caches.ready(call.hub);
  await freshAs(cache, revision, call.query.get('resourceVersion') ?? '0', call.asker);
  return cache.get(call.namespace, call.name);
}

/** Waits until the cache has seen `revision`, which was given as `text`; a revision that does not come is the client's mistake. */
export async function freshAs(cache: WatchCache, revision: number, text: string, asker: Asker): Promise<void> {
  if (revision <= cache.revision) return;
  if (!(await cache.waitFor(revision, asker))) throw tooLargeResourceVersion(text, cache.revision);
}
