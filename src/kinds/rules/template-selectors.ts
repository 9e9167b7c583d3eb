// What the selector of a workload and the template of its pods owe each other.
import type { FieldErrors } from '#api/field-error.ts';
import type { LabelSelector, LabelSelectorObject } from '#api/label-selector.ts';
import type { ObjectMeta } from '#api/object.ts';
import { isEmptySelector, shownMapOf, shownSelector, validateLabelSelector } from '#kinds/rules/label-selectors.ts';

/** `kind` is the word that upstream's message uses, which is not always the kind. */
export function validateRequiredSelector(selector: LabelSelectorObject | undefined, kind: string, path: string, errors: FieldErrors): void {
  if (selector === undefined) return errors.required(path);
  validateLabelSelector(selector, path, errors);
  if (isEmptySelector(selector)) errors.invalid(path, shownSelector(selector), `empty selector is invalid for ${kind}`);
}

export function validateSelectsTemplate(selector: LabelSelector, metadata: Pick<ObjectMeta, 'labels'>, path: string, errors: FieldErrors): void {
  if (selector.text === '' || selector.matches(metadata.labels)) return;
  errors.invalid(`${path}.metadata.labels`, shownMapOf(metadata, 'labels'), '`selector` does not match template `labels`');
}
