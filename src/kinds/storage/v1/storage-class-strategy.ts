import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { repeatedAt } from '#base/repeated.ts';
import { deprecatedNodeLabel } from '#kinds/core/v1/pod/pod-warnings.ts';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '#kinds/core/v1/volume/topology-selector-term.ts';
import { ageColumn } from '#kinds/rules/cells.ts';
import { shownMapOf } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import { validateParameters, validateProvisioner } from '#kinds/storage/v1/class-rules.ts';
import type { StorageClass } from '#kinds/storage/v1/storage-class.ts';
import type { Column } from '#resource/column.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultStorageClass(storageClass: StorageClass): void {
  storageClass.reclaimPolicy ??= 'Delete';
  storageClass.volumeBindingMode ??= 'Immediate';
}

export const storageClassStrategy: Strategy<StorageClass> = {
  returnsDeleted: true,
  validate: validateStorageClass,
  validateUpdate(storageClass, old, errors) {
    validateStorageClass(storageClass, errors);
    validateObjectMetaUpdate(storageClass.metadata, old.metadata, errors);
    if (!semanticEqual(storageClass.parameters, old.parameters)) errors.invalid('parameters', shownMapOf(storageClass, 'parameters'), 'field is immutable');
    for (const field of ['provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const) validateImmutable(storageClass[field], old[field], field, errors);
  },
  warnOnCreate: topologyWarnings,
  warnOnUpdate: topologyWarnings,
};

function validateStorageClass(storageClass: StorageClass, errors: FieldErrors): void {
  const { reclaimPolicy, volumeBindingMode } = storageClass;
  validateObjectMeta(storageClass.metadata, false, nameIsSubdomain, errors);
  validateProvisioner(storageClass.provisioner, 'provisioner', errors);
  validateParameters(storageClass.parameters, 'parameters', errors);
  if (reclaimPolicy && !['Delete', 'Retain'].includes(reclaimPolicy)) errors.notSupported('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']);
  const modes = ['Immediate', 'WaitForFirstConsumer'];
  if (volumeBindingMode === undefined) errors.required('volumeBindingMode');
  else if (!modes.includes(volumeBindingMode)) errors.notSupported('volumeBindingMode', volumeBindingMode, modes);
  validateAllowedTopologies(storageClass.allowedTopologies ?? [], 'allowedTopologies', errors);
}

/** What a term asks for, without regard to order. */
type Meaning = ReadonlyMap<string, ReadonlySet<string>>;

function validateAllowedTopologies(terms: readonly TopologySelectorTerm[], path: string, errors: FieldErrors): void {
  // Upstream begins with one empty entry per term: an empty term repeats all of them.
  const seen: Meaning[] = terms.map(() => new Map());
  terms.forEach((term, index) => {
    const at = `${path}[${index}].matchLabelExpressions`;
    const meaning = validateTerm(term, at, errors);
    for (const other of seen) if (sameMeaning(meaning, other)) errors.duplicate(at, '');
    seen.push(meaning);
  });
}

function validateTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: string, errors: FieldErrors): Meaning {
  const meaning = new Map<string, ReadonlySet<string>>();
  matchLabelExpressions.forEach((requirement, index) => {
    const at = `${path}[${index}]`;
    validateRequirement(requirement, at, errors);
    if (meaning.has(requirement.key)) errors.duplicate(`${at}.key`, requirement.key);
    meaning.set(requirement.key, new Set(requirement.values));
  });
  return meaning;
}

function validateRequirement({ key, values = [] }: TopologySelectorLabelRequirement, path: string, errors: FieldErrors): void {
  if (values.length === 0) errors.required(`${path}.values`);
  const repeated = repeatedAt(values);
  values.forEach((value, index) => {
    if (repeated[index]) errors.duplicate(`${path}.values[${index}]`, value);
  });
  validateLabelKey(key, `${path}.key`, errors);
}

function sameMeaning(a: Meaning, b: Meaning): boolean {
  return a.size === b.size && [...a].every(([key, values]) => sameSet(values, b.get(key)));
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string> | undefined): boolean {
  return b !== undefined && a.size === b.size && [...a].every((value) => b.has(value));
}

function topologyWarnings({ allowedTopologies = [] }: StorageClass): readonly string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, term) =>
    matchLabelExpressions.flatMap(({ key }, index) => {
      const message = deprecatedNodeLabel(key);
      return message === undefined ? [] : [`allowedTopologies[${term}].matchLabelExpressions[${index}].key: ${message}`];
    }),
  );
}

const defaultMarks = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

export const storageClassColumns: readonly Column<StorageClass>[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    read: ({ metadata }) => `${metadata.name}${defaultMarks.some((mark) => metadata.annotations?.[mark] === 'true') ? ' (default)' : ''}`,
  },
  { name: 'Provisioner', type: 'string', read: ({ provisioner }) => provisioner },
  { name: 'ReclaimPolicy', type: 'string', read: ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete' },
  { name: 'VolumeBindingMode', type: 'string', read: ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate' },
  { name: 'AllowVolumeExpansion', type: 'string', read: ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false },
  ageColumn(),
];
