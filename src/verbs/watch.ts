import { type ApiError, expired, unclassified } from '#api/api-error.ts';
import type { CacheEvent, WatchCache } from '#cache/watch-cache.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { Call } from '#verbs/call.ts';
import { badResourceVersion, type ListOptions, parseListOptions, parseResourceVersion, tooLargeResourceVersion } from '#verbs/options.ts';
import { selectionOf } from '#verbs/selection.ts';

export type { CacheEvent };
export type WatchEvent = CacheEvent | { readonly type: 'ERROR'; readonly error: ApiError };

export interface WatchStream {
  readonly definition: ResourceDefinition;
  readonly timeoutSeconds: number | undefined;
  /** Ends when `signal` aborts, or after an ERROR; `timeoutMs` says when that will be at the latest. */
  events(signal: AbortSignal, timeoutMs: number): AsyncIterable<readonly WatchEvent[]>;
}

export async function watch(call: Call): Promise<WatchStream> {
  const options = parseListOptions(call.query, true);
  const selection = selectionOf(call, options);
  const asked = parseResourceVersion(options.resourceVersion);
  if (asked === undefined) throw unclassified(badResourceVersion(options.resourceVersion));
  const cache = await call.world.caches.ready(call.hub);
  return {
    definition: call.definition,
    timeoutSeconds: options.timeoutSeconds,
    events: (signal, timeoutMs) => eventsOf(cache, { ...selection, bookmarks: options.allowWatchBookmarks, timeoutMs }, { options, asked, signal }),
  };
}

interface Start {
  readonly options: ListOptions;
  readonly asked: number;
  readonly signal: AbortSignal;
}

type Query = Omit<Parameters<WatchCache['watch']>[0], 'after' | 'signal'>;

/** The watcher itself wherever nothing has to be waited for: a generator around it would cost each event of each watch. */
function eventsOf(cache: WatchCache, query: Query, start: Start): AsyncIterable<readonly WatchEvent[]> {
  return isAhead(cache, start) ? caughtUp(cache, query, start) : begun(cache, query, start);
}

function isAhead(cache: WatchCache, { options, asked }: Start): boolean {
  return options.sendInitialEvents === true && asked > cache.revision;
}

async function* caughtUp(cache: WatchCache, query: Query, start: Start): AsyncGenerator<readonly WatchEvent[]> {
  if (await cache.waitFor(start.asked, start.signal)) yield* begun(cache, query, start);
  else yield* refusal(tooLargeResourceVersion(start.asked, cache.revision));
}

function begun(cache: WatchCache, query: Query, { options, asked, signal }: Start): AsyncIterable<readonly WatchEvent[]> {
  const watcher = cache.watch({
    ...query,
    after: startOf(options, asked),
    markInitialEnd: startsWithAll(options, asked) && options.allowWatchBookmarks,
    signal,
  });
  return watcher === 'too-old' ? refusal(expired(`too old resource version: ${asked} (${cache.oldest})`)) : watcher;
}

async function* refusal(error: ApiError): AsyncGenerator<readonly WatchEvent[]> {
  yield [{ type: 'ERROR', error }];
}

function startOf({ sendInitialEvents }: ListOptions, asked: number): number | 'initial' | 'now' {
  if (startsWithAll({ sendInitialEvents }, asked)) return 'initial';
  return asked > 0 ? asked : 'now';
}

/** Who names no version begins with what is there, unless they say otherwise. */
function startsWithAll({ sendInitialEvents }: Pick<ListOptions, 'sendInitialEvents'>, asked: number): boolean {
  return sendInitialEvents ?? asked === 0;
}
