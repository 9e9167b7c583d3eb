// metadata.generation: which state of the wish a status speaks of.
import type { ObjectMeta } from '#api/object.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { holdsGivenEmpty, wasGivenEmpty } from '#schema/given-empty.ts';

export function startGeneration(metadata: ObjectMeta): void {
  metadata.generation = 1;
}

/** One more when what is wished for has changed. */
export function countGeneration(metadata: ObjectMeta, old: ObjectMeta, wish: unknown, oldWish: unknown): void {
  if (!semanticEqual(wish, oldWish)) metadata.generation = (old.generation ?? 0) + 1;
}

/** For the kinds that the original compares bit by bit: what is sent empty differs from what was not sent, which is how it is stored. */
export function countGenerationExactly<T extends { readonly metadata: ObjectMeta }>(object: T, old: T, field: keyof T & string): void {
  const { metadata } = object;
  if (wasGivenEmpty(object, field) || holdsGivenEmpty(object[field])) metadata.generation = (old.metadata.generation ?? 0) + 1;
  else countGeneration(metadata, old.metadata, object[field], old[field]);
}
