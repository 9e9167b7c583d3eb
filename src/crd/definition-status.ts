// What a CustomResourceDefinition's status must say, given what other definitions of its group have been promised: the verdicts of
// upstream's naming, establishing, non-structural-schema and API-approval controllers, as pure functions.
import { approvalKey, approvalOf, isProtectedGroup } from '#kinds/apiextensions/v1/api-approval.ts';
import { goQuote } from '#base/go-text.ts';
import { isBadBundle } from '#kinds/apiextensions/v1/conversion-validation.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
} from '#kinds/apiextensions/v1/custom-resource-definition.ts';

type Condition = Pick<CustomResourceDefinitionCondition, 'type' | 'status' | 'reason' | 'message'>;
type Status = CustomResourceDefinition['status'];

/** The names that other definitions of the group have been given. */
export interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

export function usedNames(others: Iterable<CustomResourceDefinition>): UsedNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of others) {
    const { plural, singular, shortNames = [], kind, listKind } = status.acceptedNames;
    for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  return { resources, kinds };
}

/** The status that the definition should have; the same object when it has it already. `now` is written where a condition changes sides. */
export function settledStatus(definition: CustomResourceDefinition, used: UsedNames, now: string): Status {
  const { status } = definition;
  const { names, accepted } = acceptNames(definition, used);
  const verdicts = [accepted, establishedAfter(definition, accepted), nonStructural(definition), approvalCondition(definition)].filter(
    (verdict) => verdict !== undefined,
  );
  const conditions = verdicts.reduce((present, verdict) => withCondition(present, verdict, now), outdatedRemoved(definition));
  if (conditions === status.conditions && sameNames(names, status.acceptedNames)) return status;
  return { ...status, acceptedNames: names, conditions };
}

export function isEstablished({ conditions }: Status): boolean {
  return conditionOf(conditions, 'Established')?.status === 'True';
}

export function isTerminating({ conditions }: Status): boolean {
  return conditionOf(conditions, 'Terminating')?.status === 'True';
}

/** Replaces the condition of that type, or puts it last; its time changes only with its status. The same list when it says so already. */
export function withCondition(conditions: readonly CustomResourceDefinitionCondition[], verdict: Condition, now: string): CustomResourceDefinitionCondition[] {
  const present = conditionOf(conditions, verdict.type);
  if (present === undefined) return [...conditions, { ...verdict, lastTransitionTime: now }];
  if (present.status === verdict.status && present.reason === verdict.reason && present.message === verdict.message)
    return conditions as CustomResourceDefinitionCondition[];
  const time = present.status === verdict.status ? present.lastTransitionTime : now;
  return conditions.map((each) => (each === present ? { ...verdict, ...(time !== undefined && { lastTransitionTime: time }) } : each));
}

function conditionOf(conditions: readonly CustomResourceDefinitionCondition[] | undefined, wanted: string): CustomResourceDefinitionCondition | undefined {
  return conditions?.find(({ type }) => type === wanted);
}

interface Naming {
  readonly names: CustomResourceDefinitionNames;
  readonly accepted: Condition;
}

/** Names that are free, or the definition's own already, are accepted one by one: the last conflict is the one that is told. */
function acceptNames({ spec, status }: CustomResourceDefinition, { resources, kinds }: UsedNames): Naming {
  const asked = spec.names;
  const had = status.acceptedNames;
  const names: CustomResourceDefinitionNames = { ...had };
  let conflict: Pick<Condition, 'reason' | 'message'> | undefined;
  const settle = (field: 'plural' | 'singular' | 'kind' | 'listKind', taken: ReadonlySet<string>, reason: string) => {
    const name = asked[field] ?? '';
    if (name !== (had[field] ?? '') && taken.has(name)) conflict = { reason, message: `${goQuote(name)} is already in use` };
    else if (asked[field] !== undefined) names[field] = name;
    else if (field === 'singular' || field === 'listKind') delete names[field];
  };
  settle('plural', resources, 'PluralConflict');
  settle('singular', resources, 'SingularConflict');
  const shortConflict = shortNameConflict(asked.shortNames ?? [], had.shortNames ?? [], resources);
  if (shortConflict !== undefined) conflict = { reason: 'ShortNamesConflict', message: shortConflict };
  else setList(names, 'shortNames', asked.shortNames);
  settle('kind', kinds, 'KindConflict');
  settle('listKind', kinds, 'ListKindConflict');
  setList(names, 'categories', asked.categories);
  const verdict = conflict ?? { reason: 'NoConflicts', message: 'no conflicts found' };
  return { names, accepted: { type: 'NamesAccepted', status: conflict === undefined ? 'True' : 'False', ...verdict } };
}

function setList(names: CustomResourceDefinitionNames, field: 'shortNames' | 'categories', list: string[] | undefined): void {
  if (list === undefined) delete names[field];
  else names[field] = list;
}

function shortNameConflict(asked: readonly string[], had: readonly string[], taken: ReadonlySet<string>): string | undefined {
  const problems = asked.filter((name) => !had.includes(name) && taken.has(name)).map((name) => `${goQuote(name)} is already in use`);
  const distinct = [...new Set(problems)];
  if (distinct.length === 0) return undefined;
  return distinct.length === 1 ? distinct[0] : `[${distinct.join(', ')}]`;
}

/** Once established a definition stays so, whatever becomes of its names. */
function establishedAfter({ spec, status }: CustomResourceDefinition, accepted: Condition): Condition {
  const present = conditionOf(status.conditions, 'Established');
  if (present?.status === 'True') return present;
  if (accepted.status === 'True' && isBadBundle(spec.conversion?.webhook?.clientConfig?.caBundle))
    return { type: 'Established', status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' };
  if (accepted.status === 'True')
    return { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' };
  return present ?? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

/** Schemas that are not structural are refused; what is left of the time before is that unknown fields are preserved. */
function nonStructural({ spec }: CustomResourceDefinition): Condition | undefined {
  if (spec.preserveUnknownFields !== true) return undefined;
  return { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message: 'spec.preserveUnknownFields: Invalid value: true: must be false' };
}

/** The condition goes with its reason. */
function outdatedRemoved({ spec, status }: CustomResourceDefinition): CustomResourceDefinitionCondition[] {
  const conditions = status.conditions ?? [];
  const isOutdated = spec.preserveUnknownFields !== true && conditionOf(conditions, 'NonStructuralSchema') !== undefined;
  return isOutdated ? conditions.filter(({ type }) => type !== 'NonStructuralSchema') : conditions;
}

const approvalPolicy = 'https://github.com/kubernetes/enhancements/pull/1111';

function approvalCondition(definition: CustomResourceDefinition): Condition | undefined {
  if (!isProtectedGroup(definition.spec.group)) return undefined;
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const annotation = definition.metadata.annotations?.[approvalKey] ?? '';
  const demand = `protected groups must have approval annotation ${goQuote(approvalKey)}`;
  switch (approvalOf(definition)) {
    case 'missing':
      return { type, status: 'False', reason: 'MissingAnnotation', message: `${demand}, see ${approvalPolicy}` };
    case 'bypassed':
      return { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${goQuote(annotation)}` };
    case 'approved':
      return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${annotation}` };
    case 'invalid': {
      const message = `${demand} with either a URL or a reason starting with "unapproved", see ${approvalPolicy}`;
      return { type, status: 'False', reason: 'InvalidAnnotation', message };
    }
  }
}

function sameNames(a: CustomResourceDefinitionNames, b: CustomResourceDefinitionNames): boolean {
  return (
    (['plural', 'singular', 'kind', 'listKind'] as const).every((field) => (a[field] ?? '') === (b[field] ?? '')) &&
    sameTexts(a.shortNames, b.shortNames) &&
    sameTexts(a.categories, b.categories)
  );
}

function sameTexts(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a === b || (a.length === b.length && a.every((text, index) => text === b[index]));
}
