// metadata.generation: which state of the wish a status speaks of.
import type { ObjectMeta } from '#api/object.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';

export function startGeneration(metadata: ObjectMeta): void {
  metadata.generation = 1;
}

/** One more when what is wished for has changed. */
export function countGeneration(metadata: ObjectMeta, old: ObjectMeta, wish: unknown, oldWish: unknown): void {
  if (!semanticEqual(wish, oldWish)) metadata.generation = (old.generation ?? 0) + 1;
}
