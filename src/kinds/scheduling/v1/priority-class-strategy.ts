// How priority classes are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { startGeneration } from '#kinds/rules/generation.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { PriorityClass } from '#kinds/scheduling/v1/priority-class.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

const highestUserPriority = 1_000_000_000;
const systemClasses: Readonly<Record<string, number>> = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 };

export function defaultPriorityClass(priorityClass: PriorityClass): void {
  priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
}

export const priorityClassStrategy: Strategy<PriorityClass> = {
  prepareForCreate: ({ metadata }) => startGeneration(metadata),
  whyNotDeletable: (name) => (Object.hasOwn(systemClasses, name) ? 'this is a system priority class and cannot be deleted' : undefined),
  validate(priorityClass, errors) {
    const { metadata, value = 0, preemptionPolicy } = priorityClass;
    validateObjectMeta(metadata, false, nameIsSubdomain, errors);
    if (metadata.name?.startsWith('system-')) validateSystemClass(priorityClass, errors);
    else if (value > highestUserPriority) errors.forbidden('value', `maximum allowed value of a user defined priority is ${highestUserPriority}`);
    if (preemptionPolicy !== undefined) validatePreemptionPolicy(preemptionPolicy, errors);
  },
  validateUpdate({ metadata, value = 0, preemptionPolicy }, old, errors) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    if (value !== (old.value ?? 0)) errors.forbidden('value', 'may not be changed in an update.');
    validateImmutable(preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy', errors);
  },
};

function validateSystemClass(priorityClass: PriorityClass, errors: FieldErrors): void {
  const problem = systemClassProblem(priorityClass);
  if (problem === undefined) return;
  errors.forbidden('metadata.name', `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`);
}

function systemClassProblem({ metadata: { name = '' }, value = 0, globalDefault = false }: PriorityClass): string | undefined {
  const fixed = systemClasses[name];
  if (fixed === undefined) return `${name} is not a known system priority class`;
  if (value !== fixed) return `value of ${name} PriorityClass must be ${fixed}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePreemptionPolicy(policy: string, errors: FieldErrors): void {
  if (policy === '') errors.required('preemptionPolicy');
  else if (!['PreemptLowerPriority', 'Never'].includes(policy)) errors.notSupported('preemptionPolicy', policy, ['PreemptLowerPriority', 'Never']);
}

export const priorityClassColumns: readonly Column<PriorityClass>[] = [
  nameColumn(),
  { name: 'Value', type: 'integer', read: ({ value }) => value ?? 0 },
  { name: 'Global-Default', type: 'boolean', read: ({ globalDefault }) => globalDefault ?? false },
  ageColumn(),
  { name: 'PreemptionPolicy', type: 'string', read: ({ preemptionPolicy }) => preemptionPolicy ?? '' },
];
