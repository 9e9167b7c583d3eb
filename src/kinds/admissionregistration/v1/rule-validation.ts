// The rules of what admission webhooks and policies look at.
import type { FieldErrors } from '#api/field-error.ts';
import { pathSegmentProblems } from '#base/formats.ts';
import type { MatchResources, NamedRuleWithOperations } from '#kinds/admissionregistration/v1/match-resources.ts';
import type { RuleWithOperations } from '#kinds/admissionregistration/v1/rule-with-operations.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateChoice } from '#kinds/rules/values.ts';

export const matchPolicies: readonly string[] = ['Equivalent', 'Exact'];
const allOperations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const mutatingOperations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const scopes: readonly string[] = ['*', 'Cluster', 'Namespaced'];

export function validateMatchResources(match: MatchResources | undefined, path: string, errors: FieldErrors): void {
  if (match === undefined) return;
  const { matchPolicy, namespaceSelector, objectSelector } = match;
  if (matchPolicy === undefined) errors.required(`${path}.matchPolicy`);
  else if (!matchPolicies.includes(matchPolicy)) errors.notSupported(`${path}.matchPolicy`, matchPolicy, matchPolicies);
  if (namespaceSelector === undefined) errors.required(`${path}.namespaceSelector`);
  validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, errors);
  if (objectSelector === undefined) errors.required(`${path}.objectSelector`);
  validateLabelSelector(objectSelector, `${path}.objectSelector`, errors);
  match.resourceRules?.forEach((rule, index) => validateNamedRule(rule, `${path}.resourceRules[${index}]`, errors));
  match.excludeResourceRules?.forEach((rule, index) => validateNamedRule(rule, `${path}.excludeResourceRules[${index}]`, errors));
}

/** Mutation cannot act on deletes; reported without the index of the rule. */
export function validateMutatingOperations(match: MatchResources | undefined, path: string, errors: FieldErrors): void {
  for (const { operations } of match?.resourceRules ?? []) {
    for (const operation of operations ?? []) {
      if (!mutatingOperations.includes(operation)) errors.notSupported(`${path}.resourceRules.operations`, operation, mutatingOperations);
    }
  }
}

function validateNamedRule(rule: NamedRuleWithOperations, path: string, errors: FieldErrors): void {
  const seen = new Set<string>();
  rule.resourceNames?.forEach((name, index) => {
    const at = `${path}.resourceNames[${index}]`;
    errors.invalidEach(at, name, pathSegmentProblems(name));
    if (seen.has(name)) errors.duplicate(at, name);
    seen.add(name);
  });
  validateRule(rule, path, errors);
}

export function validateRule(rule: RuleWithOperations, path: string, errors: FieldErrors): void {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  validateAlone(operations, 'operations', `${path}.operations`, errors);
  operations.forEach((operation, index) => {
    if (!allOperations.includes(operation)) errors.notSupported(`${path}.operations[${index}]`, operation, allOperations);
  });
  validateAlone(apiGroups, 'API groups', `${path}.apiGroups`, errors);
  validateAlone(apiVersions, 'API versions', `${path}.apiVersions`, errors);
  apiVersions.forEach((version, index) => {
    if (version === '') errors.required(`${path}.apiVersions[${index}]`);
  });
  validateResources(resources, `${path}.resources`, errors);
  if (scope !== undefined && !scopes.includes(scope)) errors.notSupported(`${path}.scope`, scope, scopes);
}

function validateAlone(values: readonly string[], what: string, path: string, errors: FieldErrors): void {
  if (values.length === 0) errors.required(path);
  if (values.length > 1 && values.includes('*')) errors.invalid(path, values, `if '*' is present, must not specify other ${what}`);
}

function validateResources(resources: readonly string[], path: string, errors: FieldErrors): void {
  if (resources.length === 0) errors.required(path);
  const covered = { resources: new Set<string>(), subresources: new Set<string>() };
  // Only the last plain resource counts, as upstream has it.
  let plain = false;
  resources.forEach((resource, index) => {
    if (resource === '') return errors.required(`${path}[${index}]`);
    if (!resource.includes('/')) plain = resource !== '*';
    else validateSubresource(resource, covered, `${path}[${index}]`, errors);
  });
  if (resources.length > 1 && resources.includes('*/*')) errors.invalid(path, resources, "if '*/*' is present, must not specify other resources");
  if (plain && resources.includes('*')) errors.invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
}

/** After `pods/*` no `pods/status`, after `*\/scale` no `deployments/scale`. */
function validateSubresource(text: string, covered: { resources: Set<string>; subresources: Set<string> }, path: string, errors: FieldErrors): void {
  const slash = text.indexOf('/');
  const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
  if (covered.resources.has(resource)) errors.invalid(path, text, `if '${resource}/*' is present, must not specify ${text}`);
  if (covered.subresources.has(subresource)) errors.invalid(path, text, `if '*/${subresource}' is present, must not specify ${text}`);
  if (subresource === '*') covered.resources.add(resource);
  if (resource === '*') covered.subresources.add(subresource);
}

/** Required, and one of the known; the fields that are pointers tell missing from empty. */
export function validateFailurePolicy(policy: string | undefined, path: string, errors: FieldErrors): void {
  if (policy === undefined) errors.required(path);
  else if (!['Fail', 'Ignore'].includes(policy)) errors.notSupported(path, policy, ['Fail', 'Ignore']);
}

export function validateReinvocationPolicy(policy: string | undefined, path: string, errors: FieldErrors): void {
  validateChoice(policy, ['IfNeeded', 'Never'], path, errors);
}
