// How revisions of daemon sets and stateful sets are written: once.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { formatGroupKind, parseApiVersion } from '#api/names.ts';
import type { ControllerRevision } from '#kinds/apps/v1/controller-revision.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqualWithRawJson } from '#kinds/rules/semantic-equal.ts';
import type { Column } from '#resource/column.ts';
import { validateNonNegative } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';
import { rawExtension } from '#schema/build.ts';

export const controllerRevisionStrategy: Strategy<ControllerRevision> = {
  validate(revision, errors) {
    validateRevision(revision, errors);
    const data: unknown = revision.data;
    if (data === undefined || data === null) errors.required('data', 'data is mandatory');
    else if (typeof data !== 'object' || Array.isArray(data)) errors.required('data', 'data must be a valid JSON object');
  },
  validateUpdate(revision, old, errors) {
    validateObjectMetaUpdate(revision.metadata, old.metadata, errors);
    validateRevision(revision, errors);
    if (!semanticEqualWithRawJson(rawExtension, revision.data, old.data)) errors.invalid('data', revision.data, 'field is immutable');
  },
};

function validateRevision({ metadata, revision }: ControllerRevision, errors: FieldErrors): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validateNonNegative(revision, 'revision', errors);
}

export const controllerRevisionColumns: readonly Column<ControllerRevision>[] = [
  nameColumn(),
  { name: 'Controller', type: 'string', read: controllerCell },
  { name: 'Revision', type: 'string', read: ({ revision }) => revision },
  ageColumn(),
];

/** `statefulset.apps/web`. */
function controllerCell({ metadata }: ControllerRevision): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const group = parseApiVersion(owner.apiVersion)?.group ?? '';
  return `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
}
