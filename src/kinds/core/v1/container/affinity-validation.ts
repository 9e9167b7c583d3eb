// The rules of affinity, and of node selectors wherever they stand.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '#base/formats.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import type { LabelSelectorObject } from '#api/label-selector.ts';
import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm } from '#kinds/core/v1/container/affinity.ts';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '#kinds/core/v1/node-selector.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';

export function validateAffinity(affinity: Affinity | undefined, path: string, errors: FieldErrors, rules: PodRules): void {
  if (affinity === undefined) return;
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity !== undefined) validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`, errors, rules);
  if (podAffinity !== undefined) validatePodAffinity(podAffinity, `${path}.podAffinity`, errors, rules);
  if (podAntiAffinity !== undefined) validatePodAffinity(podAntiAffinity, `${path}.podAntiAffinity`, errors, rules);
}

function validateNodeAffinity(affinity: NodeAffinity, path: string, errors: FieldErrors, rules: PodRules): void {
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  if (required !== undefined) {
    validateNodeSelector(required, `${path}.requiredDuringSchedulingIgnoredDuringExecution`, errors, { anyValue: rules.anyNodeAffinityValue });
  }
  affinity.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ weight, preference }, index) => {
    const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
    validateWeight(weight, at, errors);
    validateNodeSelectorTerm(preference, `${at}.preference`, errors, { anyValue: true });
  });
}

function validateWeight(weight: number, path: string, errors: FieldErrors): void {
  if (weight <= 0 || weight > 100) errors.invalid(`${path}.weight`, weight, 'must be in the range 1-100');
}

interface NodeSelectorRules {
  /** Values that are no label values are taken. */
  readonly anyValue: boolean;
}

export function validateNodeSelector({ nodeSelectorTerms = [] }: NodeSelector, path: string, errors: FieldErrors, rules: NodeSelectorRules): void {
  if (nodeSelectorTerms.length === 0) errors.required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term');
  nodeSelectorTerms.forEach((term, index) => validateNodeSelectorTerm(term, `${path}.nodeSelectorTerms[${index}]`, errors, rules));
}

export function validateNodeSelectorTerm(term: NodeSelectorTerm, path: string, errors: FieldErrors, rules: NodeSelectorRules): void {
  term.matchExpressions?.forEach((requirement, index) => validateExpression(requirement, `${path}.matchExpressions[${index}]`, errors, rules));
  term.matchFields?.forEach((requirement, index) => validateFieldRequirement(requirement, `${path}.matchFields[${index}]`, errors));
}

function validateExpression({ key, operator, values = [] }: NodeSelectorRequirement, path: string, errors: FieldErrors, rules: NodeSelectorRules): void {
  validateExpressionValues(operator, values.length, path, errors);
  validateLabelKey(key, `${path}.key`, errors);
  if (!rules.anyValue) values.forEach((value, index) => errors.invalidEach(`${path}.values[${index}]`, value, labelValueProblems(value)));
}

function validateExpressionValues(operator: string, count: number, path: string, errors: FieldErrors): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (count === 0) errors.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (count > 0) errors.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    case 'Gt':
    case 'Lt':
      if (count !== 1) errors.required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      break;
    default:
      errors.invalid(`${path}.operator`, asJson(operator), 'not a valid selector operator');
  }
}

function validateFieldRequirement({ key, operator, values = [] }: NodeSelectorRequirement, path: string, errors: FieldErrors): void {
  if (operator !== 'In' && operator !== 'NotIn') errors.invalid(`${path}.operator`, asJson(operator), 'not a valid selector operator');
  else if (values.length !== 1) {
    errors.required(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  if (key !== 'metadata.name') return errors.invalid(`${path}.key`, key, 'not a valid field selector key');
  values.forEach((value, index) => errors.invalidEach(`${path}.values[${index}]`, value, dns1123SubdomainProblems(value)));
}

function validatePodAffinity(affinity: PodAffinity, path: string, errors: FieldErrors, rules: PodRules): void {
  affinity.requiredDuringSchedulingIgnoredDuringExecution?.forEach((term, index) => {
    validatePodAffinityTerm(term, `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`, errors, rules);
  });
  affinity.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ weight, podAffinityTerm }, index) => {
    const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
    validateWeight(weight, at, errors);
    validatePodAffinityTerm(podAffinityTerm, `${at}.podAffinityTerm`, errors, rules);
  });
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: string, errors: FieldErrors, rules: PodRules): void {
  validateLabelSelector(term.labelSelector, `${path}.labelSelector`, errors, { anyValue: rules.anyAffinityValue });
  validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`, errors, { anyValue: rules.anyAffinityValue });
  for (const name of term.namespaces ?? []) errors.invalidEach(`${path}.namespace`, name, dns1123LabelProblems(name));
  validateLabelKeys(term, path, errors);
  if (term.topologyKey === '') errors.required(`${path}.topologyKey`, 'can not be empty');
  validateLabelKey(term.topologyKey, `${path}.topologyKey`, errors);
}

export interface LabelKeys {
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly labelSelector?: LabelSelectorObject | undefined;
}

/** Keys whose values the pod itself brings; they may not be asked for in another way as well. */
export function validateLabelKeys({ matchLabelKeys = [], mismatchLabelKeys = [], labelSelector }: LabelKeys, path: string, errors: FieldErrors): void {
  validateKeyList(matchLabelKeys, labelSelector, `${path}.matchLabelKeys`, errors);
  validateKeyList(mismatchLabelKeys, labelSelector, `${path}.mismatchLabelKeys`, errors);
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  const places = new Map(matchLabelKeys.map((key, index) => [key, index]));
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const index = places.get(key);
    if (index !== undefined && selected.has(key)) errors.invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector');
    selected.add(key);
  }
  const unwanted = new Set(mismatchLabelKeys);
  matchLabelKeys.forEach((key, index) => {
    if (unwanted.has(key)) errors.invalid(`${path}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  });
}

function validateKeyList(keys: readonly string[], selector: LabelSelectorObject | undefined, path: string, errors: FieldErrors): void {
  if (keys.length === 0) return;
  if (selector === undefined) return errors.forbidden(path, 'must not be specified when labelSelector is not set');
  keys.forEach((key, index) => validateLabelKey(key, `${path}[${index}]`, errors));
}
