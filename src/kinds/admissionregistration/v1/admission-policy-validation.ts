// The rules of admission policies.
import { ExpressionChecks } from '#kinds/admissionregistration/v1/expression-validation.ts';
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1035LabelProblems, dns1123SubdomainProblems } from '#base/formats.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import type { MatchCondition } from '#kinds/admissionregistration/v1/match-condition.ts';
import { validateMatchConditions } from '#kinds/admissionregistration/v1/match-condition-validation.ts';
import type { MatchResources } from '#kinds/admissionregistration/v1/match-resources.ts';
import type { Mutation, MutatingAdmissionPolicySpec } from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';
import type { ParamKind } from '#kinds/admissionregistration/v1/param-kind.ts';
import {
  validateFailurePolicy,
  validateMatchResources,
  validateMutatingOperations,
  validateReinvocationPolicy,
} from '#kinds/admissionregistration/v1/rule-validation.ts';
import type { AuditAnnotation, ValidatingAdmissionPolicySpec, Validation } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';
import type { Variable } from '#kinds/admissionregistration/v1/variable.ts';

interface PolicySpec {
  readonly failurePolicy?: string | undefined;
  readonly paramKind?: ParamKind | undefined;
  readonly matchConstraints?: MatchResources | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly variables?: readonly Variable[] | undefined;
}

export interface PolicyRules {
  /** Not for an update that leaves conditions and parameters alone. */
  readonly conditions: boolean;
  /** The expressions that are stored already. */
  readonly stored: ReadonlySet<string>;
}

export function validateValidatingPolicySpec(spec: ValidatingAdmissionPolicySpec, policyName: string, rules: PolicyRules, errors: FieldErrors): void {
  const { validations = [], auditAnnotations = [], variables = [] } = spec;
  const checks = new ExpressionChecks({ hasParams: spec.paramKind !== undefined, stored: rules.stored, composed: variables.length > 0 });
  validateMatching(spec, errors);
  validateConditionsAndVariables(spec, rules, checks, errors);
  if (validations.length + auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.required('spec.validations', detail);
    errors.required('spec.auditAnnotations', detail);
  }
  validations.forEach((validation, index) => validateValidation(validation, checks, `spec.validations[${index}]`, errors));
  validateAuditAnnotations(auditAnnotations, policyName, checks, errors);
}

export function validateMutatingPolicySpec(spec: MutatingAdmissionPolicySpec, rules: PolicyRules, errors: FieldErrors): void {
  const checks = new ExpressionChecks({ hasParams: spec.paramKind !== undefined, stored: rules.stored, composed: true });
  validateMatching(spec, errors);
  validateMutatingOperations(spec.matchConstraints, 'spec.matchConstraints', errors);
  validateConditionsAndVariables(spec, rules, checks, errors);
  if (!spec.mutations?.length) errors.required('spec.mutations', 'mutations must contain at least one item');
  spec.mutations?.forEach((mutation, index) => validateMutation(mutation, checks, `spec.mutations[${index}]`, errors));
  validateReinvocationPolicy(spec.reinvocationPolicy, 'spec.reinvocationPolicy', errors);
}

function validateMatching({ failurePolicy, paramKind, matchConstraints }: PolicySpec, errors: FieldErrors): void {
  validateFailurePolicy(failurePolicy, 'spec.failurePolicy', errors);
  if (paramKind !== undefined) validateParamKind(paramKind, 'spec.paramKind', errors);
  if (matchConstraints === undefined) return errors.required('spec.matchConstraints');
  validateMatchResources(matchConstraints, 'spec.matchConstraints', errors);
  if (!matchConstraints.resourceRules?.length) errors.required('spec.matchConstraints.resourceRules');
}

function validateConditionsAndVariables(
  { matchConditions = [], variables = [] }: PolicySpec,
  rules: PolicyRules,
  checks: ExpressionChecks,
  errors: FieldErrors,
): void {
  if (rules.conditions) validateMatchConditions(matchConditions, checks, 'spec.matchConditions', errors);
  variables.forEach((variable, index) => validateVariable(variable, checks, `spec.variables[${index}]`, errors));
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: string, errors: FieldErrors): void {
  if (apiVersion === '') errors.required(`${path}.apiVersion`);
  else validateApiVersion(apiVersion, `${path}.apiVersion`, errors);
  if (kind === '') return errors.required(`${path}.kind`);
  const problems = dns1035LabelProblems(kind.toLowerCase());
  if (problems.length > 0) errors.invalid(`${path}.kind`, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`);
}

function validateApiVersion(apiVersion: string, path: string, errors: FieldErrors): void {
  const parts = apiVersion === '/' ? ['', ''] : apiVersion.split('/');
  if (parts.length > 2) return errors.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? (parts[0] ?? '') : '';
  const groupProblems = group === '' ? [] : dns1123SubdomainProblems(group);
  if (groupProblems.length > 0) errors.invalid(path, group, groupProblems.join(','));
  const versionProblems = dns1035LabelProblems(version);
  if (version === '') errors.invalid(path, apiVersion, 'version must be specified');
  else if (versionProblems.length > 0) errors.invalid(path, version, versionProblems.join(','));
}

const reservedWords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

function validateVariable({ name, expression }: Variable, checks: ExpressionChecks, path: string, errors: FieldErrors): void {
  if (name.trim() === '') errors.required(`${path}.name`, 'name is not specified');
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reservedWords.has(name)) errors.invalid(`${path}.name`, name, 'must be a valid CEL identifier');
  if (expression.trim() === '') errors.required(`${path}.expression`, 'expression is not specified');
  else checks.checkVariable(name, expression, `${path}.expression`, errors);
}

function validateValidation(validation: Validation, checks: ExpressionChecks, path: string, errors: FieldErrors): void {
  const { expression, message = '', messageExpression = '', reason } = validation;
  if (expression.trim() === '') errors.required(`${path}.expression`, 'expression is not specified');
  else checks.check('validation', expression, `${path}.expression`, errors);
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.invalid(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified');
  } else if (messageExpression !== '') checks.check('messageExpression', messageExpression, `${path}.messageExpression`, errors);
  if (message !== '' && message.trim() === '') errors.invalid(`${path}.message`, message, 'must be non-empty if specified');
  else if (/[\n\r]/.test(message.trim())) errors.invalid(`${path}.message`, message, 'must not contain line breaks');
  const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
  if (reason !== undefined && !reasons.includes(reason)) errors.notSupported(`${path}.reason`, reason, reasons);
}

const maxAuditAnnotations = 20;
const maxValueExpressionBytes = 5 * 1024;

function validateAuditAnnotations(annotations: readonly AuditAnnotation[], policyName: string, checks: ExpressionChecks, errors: FieldErrors): void {
  if (annotations.length > maxAuditAnnotations) {
    const shown = annotations.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression }));
    errors.invalid('spec.auditAnnotations', shown, `must not have more than ${maxAuditAnnotations} auditAnnotations`);
  }
  const keys = new Set<string>();
  annotations.forEach((annotation, index) => {
    const path = `spec.auditAnnotations[${index}]`;
    validateAuditAnnotation(annotation, policyName, checks, path, errors);
    if (keys.has(annotation.key)) errors.duplicate(`${path}.key`, annotation.key);
    keys.add(annotation.key);
  });
}

function validateAuditAnnotation(annotation: AuditAnnotation, policyName: string, checks: ExpressionChecks, path: string, errors: FieldErrors): void {
  const { key, valueExpression } = annotation;
  const qualified = `${policyName}/${key}`;
  if (policyName === '') errors.invalid(`${path}.key`, key, 'requires metadata.name be non-empty');
  else errors.invalidEach(`${path}.key`, qualified, labelKeyProblems(qualified));
  const expression = valueExpression.trim();
  if (expression === '') errors.required(`${path}.valueExpression`, 'valueExpression is not specified');
  else if (byteLength(expression) > maxValueExpressionBytes) {
    errors.required(`${path}.valueExpression`, `must not exceed ${maxValueExpressionBytes} bytes in length`);
  } else checks.check('auditAnnotation', expression, `${path}.valueExpression`, errors, valueExpression);
}

const patchMembers = { JSONPatch: ['jsonPatch', 'applyConfiguration'], ApplyConfiguration: ['applyConfiguration', 'jsonPatch'] } as const;

function validateMutation(mutation: Mutation, checks: ExpressionChecks, path: string, errors: FieldErrors): void {
  const { patchType } = mutation;
  if (patchType === '') return errors.required(`${path}.patchType`);
  const members = patchMembers[patchType as keyof typeof patchMembers];
  if (members === undefined) return errors.notSupported(`${path}.patchType`, patchType, ['ApplyConfiguration', 'JSONPatch']);
  const [own, other] = members;
  if (mutation[own] === undefined) errors.required(`${path}.${own}`, `must be specified when patchType is ${patchType}`);
  else {
    const expression = (mutation[own]?.expression ?? '').trim();
    if (expression === '') errors.required(`${path}.${own}.expression`);
    else checks.check(own, expression, `${path}.${own}.expression`, errors);
  }
  if (mutation[other] !== undefined) errors.invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`);
}
