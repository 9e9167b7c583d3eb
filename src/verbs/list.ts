import { badRequest, expired } from '#api/api-error.ts';
import type { ListResult, WatchCache } from '#cache/watch-cache.ts';
import { prefixOf } from '#resource/keys.ts';
import type { Answer, ListMeta } from '#verbs/answer.ts';
import type { Call } from '#verbs/call.ts';
import { isComputed, listComputed } from '#verbs/computed.ts';
import { type ContinuePoint, decodeContinue, encodeContinue } from '#verbs/continue-token.ts';
import { freshAs, hasWatchCache } from '#verbs/get.ts';
import { badResourceVersion, type ListOptions, parseListOptions, parseResourceVersion } from '#verbs/options.ts';
import { selectionOf, selectsEverything, type Selection } from '#verbs/selection.ts';

export async function list(call: Call): Promise<Answer> {
  if (isComputed(call)) return listComputed(call);
  const options = parseListOptions(call.query, false);
  const { result, metadata } = await select(call, options);
  return { is: 'list', definition: call.definition, items: result.items, metadata };
}

/** What a list with these options holds; deletecollection works on the same. */
export async function select(call: Call, options: ListOptions): Promise<{ result: ListResult; metadata: ListMeta }> {
  return selectFrom(call, options, selectionOf(call, options));
}

/** `inPages`: whoever reads the list asks for all of it, but page by page. */
export async function selectFrom(
  call: Call,
  options: ListOptions,
  selection: Selection,
  inPages = options.limit > 0,
): Promise<{ result: ListResult; metadata: ListMeta }> {
  const from = options.continue === '' ? undefined : decodeContinue(options.continue);
  if (from && !['', '0'].includes(options.resourceVersion)) throw badRequest('specifying resource version is not allowed when using continue');
  const asked = parseResourceVersion(options.resourceVersion);
  if (asked === undefined) throw badRequest(`invalid resource version: ${badResourceVersion(options.resourceVersion)}`);
  const cache = await call.world.caches.ready(call.hub);
  const result = await read(call, cache, { options, selection, asked, from, inPages });
  return { result, metadata: metadataOf(call, result, selectsEverything(selection)) };
}

interface Reading {
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly asked: number;
  readonly from: ContinuePoint | undefined;
  readonly inPages: boolean;
}

async function read(call: Call, cache: WatchCache, reading: Reading): Promise<ListResult> {
  const { options, selection, from } = reading;
  const limit = options.resourceVersion === '0' && !from && hasWatchCache(call.hub) ? 0 : options.limit;
  const query = { ...selection, ...(limit > 0 && { limit }), ...(from && { after: prefixOf(call.hub, call.namespace) + from.start }) };
  const exactly = await revisionToRead(call, cache, reading);
  if (exactly === undefined) return cache.list(query);
  const result = await cache.listAt(query, exactly);
  if (result === 'compacted') throw tooOld(from);
  return result;
}

/** Waits until the cache is as fresh as it has to be. Undefined: what it has then is the answer, not the state at a certain revision. */
async function revisionToRead(call: Call, cache: WatchCache, { options, asked, from, inPages }: Reading): Promise<number | undefined> {
  if (from ? from.revision < 0 : options.resourceVersion === '') return latestRevision(call, cache);
  await freshAs(call, cache, from?.revision ?? asked, from?.revisionText ?? options.resourceVersion);
  return from?.revision ?? exactRevision(options, asked, inPages);
}

/** Where the cache lags behind, the store is read, as apiserver's consistent reads do. */
async function latestRevision(call: Call, cache: WatchCache): Promise<number | undefined> {
  const isLatest = cache.isLatest(call.asker);
  return isLatest === true || (await isLatest) ? undefined : call.world.storeOf(call.hub).revision();
}

function exactRevision({ resourceVersionMatch }: ListOptions, asked: number, inPages: boolean): number | undefined {
  if (asked === 0) return undefined;
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && inPages);
  return exact ? asked : undefined;
}

function metadataOf(call: Call, { revision, next, remaining }: ListResult, whole: boolean): ListMeta {
  const metadata: ListMeta = { resourceVersion: String(revision) };
  if (next === undefined) return metadata;
  metadata.continue = encodeContinue({ revision, start: next.slice(prefixOf(call.hub, call.namespace).length) });
  if (whole && remaining !== undefined && remaining > 0) metadata.remainingItemCount = remaining;
  return metadata;
}

function tooOld(from: ContinuePoint | undefined): Error {
  if (!from) return expired('The resourceVersion for the provided list is too old.');
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue({ revision: -1, start: from.start }),
  );
}
