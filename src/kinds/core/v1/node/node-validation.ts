import type { FieldErrors } from '#api/field-error.ts';
import { FieldError } from '#api/field-error.ts';
import { byteLength, configKeyProblems, dns1123LabelProblems, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import { goQuote } from '#base/go-text.ts';
import { parseCidrSloppy } from '#base/ip-address.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import { repeatedAt } from '#base/repeated.ts';
import type { ConfigMapNodeConfigSource, Node, NodeConfigSource, NodeStatus, Taint } from '#kinds/core/v1/node/node.ts';
import { validateTaintEffect } from '#kinds/core/v1/container/toleration-validation.ts';
import { validateLegacyCidr } from '#kinds/rules/addresses.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { validateResourceQuantity } from '#kinds/rules/resource-names.ts';
import { validatePositive } from '#kinds/rules/values.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';
import { JsonSyntaxError, parseJson } from '#schema/json/parse-json.ts';

export function validateNode({ metadata, spec, status }: Node, errors: FieldErrors, { gate }: StrategyContext): void {
  validateObjectMeta(metadata, false, nameIsSubdomain, errors);
  validateAnnotations(metadata.annotations, 'metadata.annotations', errors);
  // The original places taints and swap below metadata.
  validateTaints(spec.taints ?? [], 'metadata.taints', errors);
  validateAmounts(status, errors);
  const swap = status.nodeInfo.swap?.capacity;
  if (swap !== undefined) validatePositive(swap, 'metadata.nodeSwapStatus.capacity', errors);
  validateFeatures(status.declaredFeatures ?? [], 'status.declaredFeatures', errors);
  validatePodCidrs(spec.podCIDRs ?? [], 'spec.podCIDRs', errors, gate('StrictIPCIDRValidation'));
}

/** The checks of a changed node that come on top of those of any node; for a status, all there are. */
export function validateNodeUpdate(node: Node, old: Node, errors: FieldErrors): void {
  const { metadata, spec, status } = node;
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateAnnotations(metadata.annotations, 'metadata.annotations', errors);
  validateAmounts(status, errors);
  validateFeatures(status.declaredFeatures ?? [], 'status.declaredFeatures', errors);
  validateAddresses(status, 'status.addresses', errors);
  validateFixedFields(node, old, errors);
  if (spec.configSource !== undefined) validateConfigSource(spec.configSource, 'spec.configSource', errors, validateSpecReference);
  for (const field of ['assigned', 'active', 'lastKnownGood'] as const) {
    const source = status.config?.[field];
    if (source !== undefined) validateConfigSource(source, `status.config.${field}`, errors, validateStatusReference);
  }
  validateTaints(spec.taints ?? [], 'metadata.taints', errors);
  if (spec.externalID !== old.spec.externalID) errors.forbidden('spec.externalID', 'may not be updated');
}

function validateFixedFields({ spec }: Node, { spec: old }: Node, errors: FieldErrors): void {
  const detail = (field: string) => `node updates may not change ${field} except from "" to valid`;
  const { podCIDRs = [] } = spec;
  const { podCIDRs: before = [] } = old;
  if (before.length > 0) {
    const changes = before.length === podCIDRs.length ? before.filter((cidr, index) => cidr !== podCIDRs[index]).length : 1;
    for (let change = 0; change < changes; change++) errors.forbidden('spec.podCIDRs', detail('podCIDR'));
  }
  if (old.providerID && old.providerID !== spec.providerID) errors.forbidden('spec.providerID', detail('providerID'));
}

function validateTaints(taints: readonly Taint[], path: string, errors: FieldErrors): void {
  const seen = new Set<string>();
  taints.forEach((taint, index) => {
    const { key, value = '', effect, timeAdded = null } = taint;
    const at = `${path}[${index}]`;
    validateLabelKey(key, `${at}.key`, errors);
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.invalid(`${at}.value`, value, problems.join(';'));
    if (effect === '') errors.required(`${at}.effect`);
    else validateTaintEffect(effect, `${at}.effect`, errors);
    if (seen.has(`${effect} ${key}`)) {
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded };
      errors.add(new FieldError('FieldValueDuplicate', at, shown, 'taints must be unique by key and effect pair'));
    }
    seen.add(`${effect} ${key}`);
  });
}

function validateAmounts(status: NodeStatus, errors: FieldErrors): void {
  for (const list of ['capacity', 'allocatable'] as const) {
    const amounts = status[list];
    for (const name in amounts) validateResourceQuantity(name, amounts[name] ?? '0', `status.${list}.${name}`, errors);
  }
}

function validateFeatures(features: readonly string[], path: string, errors: FieldErrors): void {
  features.forEach((feature, index) => {
    const problem = featureProblem(feature);
    if (problem !== undefined) errors.invalid(`${path}[${index}]`, feature, `invalid feature name ${goQuote(feature)}: ${problem}`);
    const next = features[index + 1];
    if (next === undefined) return;
    if (feature === next) errors.duplicate(`${path}[${index + 1}]`, next);
    else if (feature > next) errors.invalid(`${path}[${index + 1}]`, next, 'list must be sorted alphabetically');
  });
}

function featureProblem(feature: string): string | undefined {
  if (byteLength(feature) > 253) return 'must be no more than 253 characters';
  if (/^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/.test(feature)) return undefined;
  return "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
}

function validatePodCidrs(cidrs: readonly string[], path: string, errors: FieldErrors, strict: boolean): void {
  cidrs.forEach((cidr, index) => validateLegacyCidr(cidr, `${path}[${index}]`, errors, strict));
  if (cidrs.length < 2) return;
  const families = cidrs.map((cidr) => parseCidrSloppy(cidr)?.address.family);
  const bad = families.indexOf(undefined);
  if (bad >= 0) {
    const why = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${cidrs[bad]})`;
    errors.internal(path, `invalid PodCIDRs. failed to check with dual stack with error:${why}`);
  }
  if (bad >= 0 || new Set(families).size < 2 || cidrs.length > 2) errors.invalid(path, cidrs, 'may specify no more than one CIDR for each IP family');
}

function validateAddresses({ addresses = [] }: NodeStatus, path: string, errors: FieldErrors): void {
  const repeated = repeatedAt(addresses.map(({ type, address }) => JSON.stringify([type, address])));
  addresses.forEach(({ type, address }, index) => {
    if (repeated[index]) errors.duplicate(`${path}[${index}]`, { Type: type, Address: address });
  });
}

type ReferenceRule = (source: ConfigMapNodeConfigSource, path: string, errors: FieldErrors) => void;

function validateConfigSource({ configMap }: NodeConfigSource, path: string, errors: FieldErrors, rule: ReferenceRule): void {
  if (configMap === undefined) return errors.invalid(path, { ConfigMap: null }, 'exactly one reference subfield must be non-nil');
  rule(configMap, `${path}.configMap`, errors);
  validateReferenceName(configMap.namespace, dns1123LabelProblems, `${path}.configMap.namespace`, errors);
  validateReferenceName(configMap.name, dns1123SubdomainProblems, `${path}.configMap.name`, errors);
  validateReferenceName(configMap.kubeletConfigKey, configKeyProblems, `${path}.configMap.kubeletConfigKey`, errors);
}

function validateReferenceName(value: string, problems: (value: string) => readonly string[], path: string, errors: FieldErrors): void {
  if (value === '') errors.required(path);
  else errors.invalidEach(path, value, problems(value));
}

function validateSpecReference({ uid, resourceVersion }: ConfigMapNodeConfigSource, path: string, errors: FieldErrors): void {
  if (uid) errors.forbidden(`${path}.uid`, 'uid must not be set in spec');
  if (resourceVersion) errors.forbidden(`${path}.resourceVersion`, 'resourceVersion must not be set in spec');
}

function validateStatusReference({ uid, resourceVersion }: ConfigMapNodeConfigSource, path: string, errors: FieldErrors): void {
  if (!uid) errors.required(`${path}.uid`);
  if (!resourceVersion) errors.required(`${path}.resourceVersion`);
}

const taintsAnnotation = 'scheduler.alpha.kubernetes.io/taints';
const avoidPodsAnnotation = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

/** Annotations from before there were fields. */
function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: string, errors: FieldErrors): void {
  const taints = parseAnnotation(annotations?.[taintsAnnotation], taintsAnnotation, path, errors);
  if (Array.isArray(taints)) validateTaints(taints.map(taintFrom), `${path}.${taintsAnnotation}`, errors);
  const avoid = parseAnnotation(annotations?.[avoidPodsAnnotation], avoidPodsAnnotation, `${path}.AvoidPods`, errors);
  const entries = (avoid as { preferAvoidPods?: readonly AvoidEntry[] } | undefined)?.preferAvoidPods ?? [];
  entries.forEach(({ podSignature }, index) => {
    const at = `${path}.${avoidPodsAnnotation}[${index}].PodSignature`;
    const controller = podSignature?.podController;
    if (controller === undefined || controller === null) errors.required(at);
    else if (controller.controller !== true) errors.invalid(`${at}.PodController.Controller`, false, 'must point to a controller');
  });
}

interface AvoidEntry {
  readonly podSignature?: { readonly podController?: { readonly controller?: boolean } | null };
}

function taintFrom(value: unknown): Taint {
  const { key = '', value: text, effect = '' } = (value ?? {}) as Partial<Taint>;
  return { key, effect, ...(text !== undefined && { value: text }) };
}

function parseAnnotation(text: string | undefined, key: string, path: string, errors: FieldErrors): unknown {
  if (!text) return undefined;
  try {
    return parseJson(Buffer.from(text)).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    errors.invalid(path, key, error.message);
    return undefined;
  }
}
