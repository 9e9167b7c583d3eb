// What writes through a subresource leave as it was.
import type { ObjectMeta } from '#api/object.ts';
import type { SubresourceStrategy } from '#resource/strategy.ts';

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

interface WithSpec {
  readonly metadata: ObjectMeta;
  spec: unknown;
}

/** The usual status subresource: the spec stays as it is stored. `keep` names what stays of metadata. */
export function statusStrategy<T extends WithSpec>(
  rules: Pick<SubresourceStrategy<T>, 'validateUpdate' | 'warnOnUpdate' | 'resetFields'> & {
    readonly keep?: readonly (keyof ObjectMeta)[];
    readonly prepare?: SubresourceStrategy<T>['prepareForUpdate'];
  },
): SubresourceStrategy<T> {
  const { keep = [], prepare, ...rest } = rules;
  return {
    ...rest,
    prepareForUpdate(object, old, context) {
      object.spec = old.spec;
      keepMetadata(object.metadata, old.metadata, keep);
      prepare?.(object, old, context);
    },
  };
}
