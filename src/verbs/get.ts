import { badRequest, notFound, unclassified } from '#api/api-error.ts';
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
  const cache = call.world.caches.get(call.hub);
  const item = asked === 0 ? await cache.read(call.namespace, call.name) : await fresh(call, asked);
  if (item === undefined) throw notFound(resourceOf(call), call.name);
  return { is: 'item', code: 200, definition: call.definition, item };
}

async function fresh(call: Call, revision: number): Promise<Item | undefined> {
  const cache = await call.world.caches.ready(call.hub);
  await freshAs(cache, revision, call.asker.signal);
  return cache.get(call.namespace, call.name);
}

/** Waits until the cache has seen `revision`; a revision that does not come is the client's mistake. */
export async function freshAs(cache: WatchCache, revision: number, signal: AbortSignal): Promise<void> {
  if (revision <= cache.revision) return;
  if (!(await cache.waitFor(revision, signal))) throw tooLargeResourceVersion(revision, cache.revision);
}
