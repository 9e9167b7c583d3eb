import type { ResourceDefinition } from '#resource/definition.ts';
import { isCustom } from '#schema/struct-plan.ts';

/** The internal type of the original, whose package is called after the group; its errors name it. */
export function goTypeOf({ group, kind, schema }: ResourceDefinition): string {
  if (isCustom(schema)) return '*unstructured.Unstructured';
  return `*${group === '' ? 'core' : group.split('.', 1)[0]}.${kind}`;
}
