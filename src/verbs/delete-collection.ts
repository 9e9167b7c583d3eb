import { ApiError } from '#api/api-error.ts';
import { inParallel } from '#base/in-parallel.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import type { Call } from '#verbs/call.ts';
import { remove, warnOfOrphans } from '#verbs/delete.ts';
import type { DeleteOptions } from '#verbs/delete-options.ts';
import { selectFrom } from '#verbs/list.ts';
import { parseFlag, parseListOptions } from '#verbs/options.ts';
import { selectionOf } from '#verbs/selection.ts';

/**
 * What is to be deleted is judged before how. Lists, then deletes one by one, or several at a time (--delete-collection-workers); answers what
 * it listed. Another client that deletes the same objects is no error.
 */
export async function deleteCollection(call: Call, parseOptions: () => MaybePromise<DeleteOptions>): Promise<Answer> {
  const listOptions = parseListOptions(call.query, parseFlag(call.query, 'watch'));
  const selection = selectionOf(call, listOptions);
  const options = await parseOptions();
  warnOfOrphans(call, options);
  // The original reads in pages of 10,000 where the client names no limit: a resourceVersion is then the state to read, not the least one.
  const { result, metadata } = await selectFrom(call, listOptions, selection, listOptions.limit >= 0);
  await inParallel(result.items, call.world.deleteCollectionWorkers ?? 1, (item) => removeListed(call, item, options));
  return { is: 'list', definition: call.definition, items: result.items, metadata };
}

async function removeListed(call: Call, { object: { metadata } }: Item, options: DeleteOptions): Promise<void> {
  try {
    await remove({ ...call, namespace: metadata.namespace ?? '', name: metadata.name ?? '' }, options, { name: '' });
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
  }
}
