// What an access review asks for: its spec, the checks of it, and the question put to the authorizers.
import { invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import { fieldSelectorOf, type FieldRequirement, parseFieldSelector } from '#api/field-selector.ts';
import type { LabelRequirement } from '#api/label-match.ts';
import { labelSelectorFrom, type LabelSelectorExpression, labelSelectorOf, parseLabelSelector } from '#api/label-selector.ts';
import { labelKeyProblems, labelValueProblems } from '#base/label-syntax.ts';
import type { KubernetesObject } from '#api/object.ts';

/** In the terms of an authorizer. */
export interface ReviewedAccess {
  readonly isResource: boolean;
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

export interface AccessSpec {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
}

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly labelSelector?: SelectorAttributes;
  readonly fieldSelector?: SelectorAttributes;
}

interface SelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly LabelSelectorExpression[];
}

/** Selectors that cannot be understood are left out, which asks for more; the note says so. */
export function accessOf({ resourceAttributes: resource, nonResourceAttributes: url }: AccessSpec): { access: ReviewedAccess; note: string } {
  const fields = readSelector(resource?.fieldSelector, parseFieldSelector, fieldRequirement, fieldSelectorOf);
  const labels = readSelector(resource?.labelSelector, parseLabelSelector, labelRequirement, labelSelectorOf);
  const notes = [noteOn('fieldSelector', fields), noteOn('labelSelector', labels)].filter((note) => note !== '');
  const access = {
    isResource: resource !== undefined,
    verb: resource?.verb ?? url?.verb ?? '',
    path: url?.path ?? '',
    group: resource?.group ?? '',
    version: resource?.version || '*',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    namespace: resource?.namespace ?? '',
    name: resource?.name ?? '',
    labelSelector: labels.text,
    fieldSelector: fields.text,
  };
  return { access, note: notes.join('; ') };
}

interface ReadSelector {
  readonly text: string;
  readonly failed: boolean;
}

function readSelector<R>(
  selector: SelectorAttributes | undefined,
  parse: (text: string) => { readonly text: string },
  read: (requirement: LabelSelectorExpression) => R,
  combine: (requirements: readonly R[]) => { readonly text: string },
): ReadSelector {
  if (selector?.requirements?.length) {
    const known = selector.requirements.flatMap((requirement) => attempt(() => read(requirement)) ?? []);
    return { text: combine(known as R[]).text, failed: known.length < selector.requirements.length };
  }
  const parsed = attempt(() => parse(selector?.rawSelector ?? ''));
  return { text: parsed?.text ?? '', failed: parsed === undefined };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function labelRequirement(requirement: LabelSelectorExpression): LabelRequirement {
  return labelSelectorFrom({ matchExpressions: [requirement] }).requirements[0] as LabelRequirement;
}

function fieldRequirement({ key, operator, values = [] }: LabelSelectorExpression): FieldRequirement {
  const [value] = values;
  if (value === undefined || values.length > 1 || (operator !== 'In' && operator !== 'NotIn')) throw new Error('not a requirement of one field');
  return { field: key, operator: operator === 'In' ? '=' : '!=', value };
}

function noteOn(field: string, { text, failed }: ReadSelector): string {
  return failed ? `spec.resourceAttributes.${field} ${text === '' ? '' : 'partially '}ignored due to parse error` : '';
}

/** Upstream names no kind in these refusals. */
export function refuseBadReview(kind: string | undefined, spec: AccessSpec, { metadata }: KubernetesObject): void {
  const errors = new FieldErrors();
  checkSpec(spec, kind === 'SelfSubjectAccessReview', errors);
  const { managedFields: _, ...sent } = metadata;
  if (kind === 'LocalSubjectAccessReview') {
    const { namespace = '', ...others } = sent;
    if (Object.keys(others).length > 0) errors.invalid('metadata', metadata, 'must be empty except for namespace');
    checkLocal(spec, namespace, errors);
  } else if (Object.keys(sent).length > 0) errors.invalid('metadata', metadata, 'must be empty');
  if (!errors.empty) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors.list);
}

function checkSpec({ resourceAttributes: resource, nonResourceAttributes: url, user, groups }: AccessSpec, self: boolean, errors: FieldErrors): void {
  if (resource !== undefined && url !== undefined)
    errors.invalid('spec.nonResourceAttributes', internalUrl(url), 'cannot be specified in combination with resourceAttributes');
  if (resource === undefined && url === undefined)
    errors.invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified');
  if (!self && !user && !groups?.length) errors.invalid('spec.user', '', 'at least one of user or group must be specified');
  checkSelector(resource?.fieldSelector, 'spec.resourceAttributes.fieldSelector', checkFieldRequirement, errors);
  checkSelector(resource?.labelSelector, 'spec.resourceAttributes.labelSelector', checkLabelRequirement, errors);
}

function checkLocal({ resourceAttributes: resource, nonResourceAttributes: url }: AccessSpec, namespace: string, errors: FieldErrors): void {
  if (resource !== undefined && (resource.namespace ?? '') !== namespace)
    errors.invalid('spec.resourceAttributes.namespace', resource.namespace ?? '', 'must match metadata.namespace');
  if (url !== undefined) errors.invalid('spec.nonResourceAttributes', internalUrl(url), 'disallowed on this kind of request');
}

type CheckRequirement = (requirement: LabelSelectorExpression, path: string, errors: FieldErrors) => void;

function checkSelector(selector: SelectorAttributes | undefined, path: string, check: CheckRequirement, errors: FieldErrors): void {
  if (selector === undefined) return;
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '' && requirements.length > 0) errors.invalid(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements');
  if (rawSelector === '' && requirements.length === 0)
    errors.required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`);
  requirements.forEach((requirement, i) => check(requirement, `${path}.requirements[${i}]`, errors));
}

function checkFieldRequirement(requirement: LabelSelectorExpression, path: string, errors: FieldErrors): void {
  if (!requirement.key) errors.required(`${path}.key`, 'must be specified');
  checkValueCount(requirement, path, errors);
}

function checkLabelRequirement(requirement: LabelSelectorExpression, path: string, errors: FieldErrors): void {
  checkValueCount(requirement, path, errors);
  errors.invalidEach(`${path}.key`, requirement.key, labelKeyProblems(requirement.key));
  requirement.values?.forEach((value, i) => errors.invalidEach(`${path}.values[${i}]`, value, labelValueProblems(value)));
}

/** Operators of newer clients are let through. */
function checkValueCount({ operator, values = [] }: LabelSelectorExpression, path: string, errors: FieldErrors): void {
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    errors.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    errors.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
}

function internalUrl({ path = '', verb = '' }: { readonly path?: string; readonly verb?: string }): object {
  return { Path: path, Verb: verb };
}
