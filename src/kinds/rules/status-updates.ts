// What writes through a subresource leave as it was.
import type { ObjectMeta } from '#api/object.ts';

/** Takes these fields of metadata from the stored object. */
export function keepMetadata(metadata: ObjectMeta, old: ObjectMeta, fields: readonly (keyof ObjectMeta)[]): void {
  const target = metadata as Record<string, unknown>;
  for (const field of fields) {
    if (old[field] === undefined) delete target[field];
    else target[field] = old[field];
  }
}

/** For kinds whose status writers may touch nothing of metadata but managedFields. */
export function keepMetadataForStatus(metadata: ObjectMeta, old: ObjectMeta): void {
  keepMetadata(metadata, old, ['deletionTimestamp', 'generation', 'labels', 'annotations', 'finalizers', 'ownerReferences']);
}
