// How bindings of admission policies are written, judged and shown.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain, pathSegmentProblems } from '#base/formats.ts';
import type { LabelSelectorObject } from '#api/label-selector.ts';
import type { ObjectMeta } from '#api/object.ts';
import { repeatedAt } from '#base/repeated.ts';
import type { MatchResources } from '#kinds/admissionregistration/v1/match-resources.ts';
import type { MutatingAdmissionPolicyBinding } from '#kinds/admissionregistration/v1/mutating-admission-policy-binding.ts';
import type { ParamRef } from '#kinds/admissionregistration/v1/param-ref.ts';
import { validateMatchResources, validateMutatingOperations } from '#kinds/admissionregistration/v1/rule-validation.ts';
import type { ValidatingAdmissionPolicyBinding } from '#kinds/admissionregistration/v1/validating-admission-policy-binding.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import type { Column } from '#resource/column.ts';
import { validateMetadata } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

interface Binding {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly policyName?: string | undefined; readonly paramRef?: ParamRef | undefined; readonly matchResources?: MatchResources | undefined };
}

export const validatingBindingStrategy: Strategy<ValidatingAdmissionPolicyBinding> = strategy(({ spec }, errors) =>
  validateActions(spec.validationActions ?? [], errors),
);

export const mutatingBindingStrategy: Strategy<MutatingAdmissionPolicyBinding> = strategy(({ spec }, errors) =>
  validateMutatingOperations(spec.matchResources, 'spec.matchResources', errors),
);

function strategy<T extends Binding>(validateOwn: (binding: T, errors: FieldErrors) => void): Strategy<T> {
  const validate = (binding: T, errors: FieldErrors) => {
    validateBinding(binding, errors);
    validateOwn(binding, errors);
  };
  return {
    allowUnconditionalUpdate: false,
    prepareForCreate: ({ metadata }) => startGeneration(metadata),
    validate,
    prepareForUpdate: ({ metadata, spec }, old) => countGeneration(metadata, old.metadata, spec, old.spec),
    validateUpdate: (binding, _old, errors) => validate(binding, errors),
  };
}

function validateBinding({ metadata, spec }: Binding, errors: FieldErrors): void {
  const { policyName = '', paramRef, matchResources } = spec;
  validateMetadata(metadata, { namespaced: false, name: nameIsSubdomain }, 'metadata', errors);
  if (policyName === '') errors.required('spec.policyName');
  else errors.invalidEach('spec.policyName', policyName, nameIsSubdomain(policyName, false));
  if (paramRef !== undefined) validateParamRef(paramRef, 'spec.paramRef', errors);
  validateMatchResources(matchResources, 'spec.matchResources', errors);
}

function validateParamRef({ name = '', selector, parameterNotFoundAction: action }: ParamRef, path: string, errors: FieldErrors): void {
  const both = name !== '' && selector !== undefined;
  if (name !== '') errors.invalidEach(`${path}.name`, name, pathSegmentProblems(name));
  if (both) errors.forbidden(`${path}.name`, 'name and selector are mutually exclusive');
  validateLabelSelector(selector, `${path}.selector`, errors);
  if (both) errors.forbidden(`${path}.selector`, 'name and selector are mutually exclusive');
  if (name === '' && selector === undefined) errors.required(path, 'one of name or selector must be specified');
  if (!action) errors.required(`${path}.parameterNotFoundAction`);
  else if (!['Deny', 'Allow'].includes(action)) errors.notSupported(`${path}.parameterNotFoundAction`, action, ['Deny', 'Allow']);
}

function validateActions(actions: readonly string[], errors: FieldErrors): void {
  const path = 'spec.validationActions';
  const known = ['Audit', 'Deny', 'Warn'];
  const repeated = repeatedAt(actions);
  actions.forEach((action, index) => {
    if (!known.includes(action)) errors.notSupported(`${path}[${index}]`, action, known);
    if (repeated[index]) errors.duplicate(`${path}[${index}]`, asJson(action));
  });
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    errors.invalid(path, actions, `must not contain both Deny and Warn (${why})`);
  }
  if (actions.length === 0) errors.required(path, 'at least one validation action is required');
}

export const bindingColumns: readonly Column<Binding>[] = [
  nameColumn(),
  { name: 'PolicyName', type: 'string', read: ({ spec }) => spec.policyName ?? '' },
  { name: 'ParamRef', type: 'string', read: ({ spec }) => paramRefCell(spec.paramRef) },
  ageColumn(),
];

function paramRefCell(ref: ParamRef | undefined): string {
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector === undefined ? '<unset>' : goSelector(ref.selector);
}

/** A selector the way Go prints the struct. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string {
  const labels = Object.entries(matchLabels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shownLabels = labels.map(([key, value]) => `${key}: ${value},`).join('');
  const shownExpressions = matchExpressions.map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${shownLabels}},MatchExpressions:[]LabelSelectorRequirement{${shownExpressions.join('')}},}`;
}
