// The kinds that subresources speak beside the resource's own; handed in because verbs do not know the tables of kinds.
import type { Status } from '#api/status.ts';
import type { Column } from '#resource/column.ts';
import type { StructSchema } from '#schema/build.ts';

export interface SubresourceSchemas {
  readonly status: StructSchema;
  readonly binding: StructSchema;
  readonly eviction: StructSchema;
  readonly scale: StructSchema;
  readonly scaleColumns: readonly Column[];
}

/** The answer of an action that makes no object. */
export function plainSuccess(code: number): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code };
}
