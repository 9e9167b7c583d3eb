// The rules of a published device.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { byteLength, nameIsSubdomain } from '#base/formats.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import { validateNodeSelector } from '#kinds/core/v1/container/affinity-validation.ts';
import { validateBindingConditions } from '#kinds/resource/v1/binding-conditions-validation.ts';
import { validateRequestPolicy } from '#kinds/resource/v1/capacity-policy-validation.ts';
import { validateList, validateSet } from '#kinds/resource/v1/collection-validation.ts';
import { taintEffects } from '#kinds/resource/v1/device-claim-validation.ts';
import { validateAttributeName, validateDeviceLabel } from '#kinds/resource/v1/device-names-validation.ts';
import type { Counter, Device, DeviceAttribute, DeviceCounterConsumption, DeviceTaint } from '#kinds/resource/v1/resource-slice.ts';
import { quantitySign } from '#kinds/rules/quantities.ts';
import { isNativeResource } from '#kinds/rules/resource-names.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { parseSemanticVersion } from '#base/versions/semantic-versions.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';

const maxAttributesAndCapacities = 32;
const maxAttributeValues = 48;
const maxKey = 63 + 1 + 32;
const maxTaints = 16;
const maxCounters = 32;
const maxConsumptions = 2;
const maxValueBytes = 64;

export function validateDevice(device: Device, old: Device | undefined, ownNodes: boolean, path: string, errors: FieldErrors): void {
  const { attributes = {}, capacity = {} } = device;
  validateDeviceLabel(device.name, `${path}.name`, errors);
  validateAmounts(attributes, Object.keys(attributes).length + Object.keys(capacity).length, path, errors);
  for (const [key, attribute] of Object.entries(attributes)) {
    validateAttributeName(key, `${path}.attributes`, errors);
    validateAttribute(attribute, `${path}.attributes[${shortened(key, maxKey)}]`, errors);
  }
  for (const [key, amount] of Object.entries(capacity)) {
    validateAttributeName(key, `${path}.capacity`, errors);
    const at = `${path}.capacity[${shortened(key, maxKey)}].requestPolicy`;
    if (amount.requestPolicy === undefined) continue;
    if (device.allowMultipleAllocations) validateRequestPolicy(amount.requestPolicy, amount.value, at, errors);
    else errors.forbidden(at, 'allowMultipleAllocations must be true');
  }
  if (old === undefined || !semanticEqual(device.taints, old.taints)) {
    validateList(device.taints, maxTaints, (taint, at) => validateTaint(taint, at, errors), `${path}.taints`, errors);
  }
  validateSet(device.consumesCounters, maxConsumptions, validateConsumption, ({ counterSet }) => counterSet, `${path}.consumesCounters`, errors);
  validateDeviceNodes(device, ownNodes, path, errors);
  validateBindingConditions(device, path, errors);
  validateMappings(device, `${path}.nodeAllocatableResourceMappings`, errors);
}

function validateAmounts(attributes: Readonly<Record<string, DeviceAttribute>>, entries: number, path: string, errors: FieldErrors): void {
  if (entries > maxAttributesAndCapacities) {
    errors.invalid(path, entries, `the total number of attributes and capacities must not exceed ${maxAttributesAndCapacities}`);
  }
  const values = Object.values(attributes).reduce((sum, attribute) => sum + (listedValues(attribute) || 1), 0);
  if (values > maxAttributeValues) errors.invalid(path, values, `the total number of attribute values must not exceed ${maxAttributeValues}`);
}

function listedValues({ ints, bools, strings, versions }: DeviceAttribute): number {
  return [ints, bools, strings, versions].reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

/** Long keys are cut in the middle, so that paths stay readable. */
function shortened(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const remaining = maximum - 3;
  return `${text.slice(0, Math.floor((remaining + 1) / 2))}...${text.slice(text.length - Math.floor(remaining / 2))}`;
}

const attributeFields = [
  ['IntValue', 'int'],
  ['BoolValue', 'bool'],
  ['StringValue', 'string'],
  ['VersionValue', 'version'],
  ['IntValues', 'ints'],
  ['BoolValues', 'bools'],
  ['StringValues', 'strings'],
  ['VersionValues', 'versions'],
] as const;

function validateAttribute(attribute: DeviceAttribute, path: string, errors: FieldErrors): void {
  const { string, version, strings, versions } = attribute;
  if (string !== undefined) validateText(string, `${path}.string`, errors);
  if (version !== undefined) validateVersion(version, `${path}.version`, errors);
  strings?.forEach((value, index) => validateText(value, `${path}.strings[${index}]`, errors));
  versions?.forEach((value, index) => validateVersion(value, `${path}.versions[${index}]`, errors));
  const set = attributeFields.filter(([, field]) => attribute[field] !== undefined).length;
  if (set === 1) return;
  const shown = set === 0 ? '' : Object.fromEntries(attributeFields.map(([name, field]) => [name, attribute[field] ?? null]));
  errors.invalid(path, shown, 'exactly one value must be specified');
}

function validateText(value: string, path: string, errors: FieldErrors): void {
  if (byteLength(value) > maxValueBytes) errors.tooLong(path, maxValueBytes);
}

function validateVersion(value: string, path: string, errors: FieldErrors): void {
  if (parseSemanticVersion(value) === undefined) errors.invalid(path, value, 'must be a string compatible with semver.org spec 2.0.0');
  validateText(value, path, errors);
}

export function validateTaint({ key, value = '', effect }: DeviceTaint, path: string, errors: FieldErrors, old?: DeviceTaint): void {
  validateLabelKey(key, `${path}.key`, errors);
  if (value !== '') errors.invalidEach(`${path}.value`, value, labelValueProblems(value));
  if (old?.effect === effect) return;
  if (effect === '') errors.required(`${path}.effect`);
  else if (!taintEffects.includes(effect)) errors.notSupported(`${path}.effect`, effect, taintEffects);
}

function validateConsumption({ counterSet, counters }: DeviceCounterConsumption, path: string, errors: FieldErrors): void {
  if (counterSet === '') errors.required(`${path}.counterSet`);
  else validateDeviceLabel(counterSet, `${path}.counterSet`, errors);
  validateCounters(counters, `${path}.counters`, errors);
}

/** Bad keys are reported at the map. */
export function validateCounters(counters: Readonly<Record<string, Counter>> | undefined, path: string, errors: FieldErrors): void {
  const names = Object.keys(counters ?? {});
  if (names.length === 0) return errors.required(path);
  if (names.length > maxCounters) return errors.tooMany(path, names.length, maxCounters);
  for (const name of names) validateDeviceLabel(name, path, errors);
}

function validateDeviceNodes({ nodeName, nodeSelector, allNodes }: Device, ownNodes: boolean, path: string, errors: FieldErrors): void {
  if (!ownNodes) {
    if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return;
    const text = '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return errors.invalid(path, null, text);
  }
  const set: string[] = [];
  if (nodeName) {
    set.push('`nodeName`');
    errors.invalidEach(`${path}.nodeName`, nodeName, nameIsSubdomain(nodeName, false));
  } else if (nodeName !== undefined) errors.invalid(`${path}.nodeName`, nodeName, 'must not be empty');
  if (nodeSelector !== undefined) {
    set.push('`nodeSelector`');
    validateNodeSelector(nodeSelector, `${path}.nodeSelector`, errors, { anyValue: false });
  }
  if (allNodes) set.push('`allNodes`');
  else if (allNodes !== undefined) errors.invalid(`${path}.allNodes`, allNodes, 'must be either unset or set to true');
  const when = 'is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  const choice = `exactly one of \`nodeName\`, \`nodeSelector\`, or \`allNodes\` ${when}`;
  if (set.length === 0) errors.required(path, choice);
  if (set.length > 1) errors.invalid(path, `{${set.join(', ')}}`, choice);
}

function validateMappings({ nodeAllocatableResourceMappings: mappings = {}, capacity = {} }: Device, path: string, errors: FieldErrors): void {
  for (const [name, { allocationMultiplier, capacityKey }] of Object.entries(mappings)) {
    const at = `${path}[${name}]`;
    if (!isNativeResource(name)) errors.invalid(at, asJson(name), 'must be a node allocatable resource name');
    if (allocationMultiplier === undefined && capacityKey === undefined) {
      errors.invalid(at, '', 'at least one of allocationMultiplier or capacityKey must be set');
    }
    if (allocationMultiplier !== undefined && quantitySign(allocationMultiplier) <= 0) {
      errors.invalid(`${at}.allocationMultiplier`, allocationMultiplier, 'must be positive');
    }
    if (capacityKey === '') errors.invalid(`${at}.capacityKey`, '', 'capacityKey must not be an empty string');
    else if (capacityKey !== undefined && capacity[capacityKey] === undefined) errors.notFound(`${at}.capacityKey`, asJson(capacityKey));
  }
}
