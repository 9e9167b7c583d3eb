// The difference of two values as refusals of updates show it: of their Go forms as JSON, line by line.
import { goJson } from '#base/go-text.ts';
import { unifiedDiff } from '#base/unified-diff.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import type { StructSchema } from '#schema/build.ts';

export function differenceOf(schema: StructSchema, old: object, value: object): string {
  return differenceOfForms(goForm(schema, old), goForm(schema, value));
}

export function differenceOfForms(before: unknown, after: unknown): string {
  return unifiedDiff(goJson(before, 1), goJson(after, 1));
}
