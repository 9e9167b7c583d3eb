import { type ApiError, expired, unclassified } from '#api/api-error.ts';
import type { CacheEvent, CacheWatcher, WatchCache } from '#cache/watch-cache.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { Call } from '#verbs/call.ts';
import { badResourceVersion, type ListOptions, parseListOptions, parseResourceVersion, tooLargeResourceVersion } from '#verbs/options.ts';
import { selectionOf } from '#verbs/selection.ts';

export type { CacheEvent };
export type WatchEvent = CacheEvent | { readonly type: 'ERROR'; readonly error: ApiError };

export interface WatchStream {
  readonly definition: ResourceDefinition;
  readonly timeoutSeconds: number | undefined;
  /** Tells everything to `take` until it wants no more, `signal` aborts, or there was an ERROR; `timeoutMs` says when that will be at the latest. */
  follow(take: Take, signal: AbortSignal, timeoutMs: number): Promise<void>;
}

/** Says whether it wants more; is given no more before it has said so. */
export type Take = (events: readonly WatchEvent[]) => boolean | Promise<boolean>;

export async function watch(call: Call): Promise<WatchStream> {
  const options = parseListOptions(call.query, true);
  const selection = selectionOf(call, options);
  const asked = parseResourceVersion(options.resourceVersion);
  if (asked === undefined) throw unclassified(badResourceVersion(options.resourceVersion));
  const cache = await call.world.caches.ready(call.hub);
  // Nothing is answered, not even that there is a watch, before it is known whether it can begin.
  const reached =
    options.sendInitialEvents !== true || (await (options.resourceVersion === '' ? cache.isLatest(call.asker) : cache.waitFor(asked, call.asker)));
  return {
    definition: call.definition,
    timeoutSeconds: options.timeoutSeconds,
    follow: (take, signal, timeoutMs) =>
      follow(cache, { ...selection, bookmarks: options.allowWatchBookmarks, timeoutMs }, { options, asked, reached, signal }, take),
  };
}

interface Start {
  readonly options: ListOptions;
  readonly asked: number;
  /** Else it is further on than anything that has been written. */
  readonly reached: boolean;
  readonly signal: AbortSignal;
}

type Query = Omit<Parameters<WatchCache['watch']>[0], 'after' | 'signal'>;

async function follow(cache: WatchCache, query: Query, start: Start, take: Take): Promise<void> {
  if (!start.reached) {
    await take([{ type: 'ERROR', error: tooLargeResourceVersion(start.options.resourceVersion, cache.revision) }]);
    return;
  }
  const watcher = begin(cache, query, start);
  if (watcher === 'too-old') await take([{ type: 'ERROR', error: expired(`too old resource version: ${start.asked} (${cache.oldest})`) }]);
  else await watcher.follow(take);
}

function begin(cache: WatchCache, query: Query, { options, asked, signal }: Start): CacheWatcher | 'too-old' {
  return cache.watch({
    ...query,
    after: startOf(options, asked),
    markInitialEnd: startsWithAll(options, asked) && options.allowWatchBookmarks,
    signal,
  });
}

function startOf({ sendInitialEvents }: ListOptions, asked: number): number | 'initial' | 'now' {
  if (startsWithAll({ sendInitialEvents }, asked)) return 'initial';
  return asked > 0 ? asked : 'now';
}

/** Who names no version begins with what is there, unless they say otherwise. */
function startsWithAll({ sendInitialEvents }: Pick<ListOptions, 'sendInitialEvents'>, asked: number): boolean {
  return sendInitialEvents ?? asked === 0;
}
