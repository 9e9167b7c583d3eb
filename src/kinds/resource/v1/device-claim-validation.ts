// The rules of what a claim asks for.
import { selectorProblem } from '#kinds/resource/v1/device-selector-expression.ts';
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123SubdomainProblems } from '#base/formats.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import { validateList, validateSet } from '#kinds/resource/v1/collection-validation.ts';
import type { DeviceConfiguration } from '#kinds/resource/v1/device-configuration.ts';
import { validateDeviceLabel, validateDriverName, validateFullAttributeName } from '#kinds/resource/v1/device-names-validation.ts';
import type { DeviceSelector } from '#kinds/resource/v1/device-selector.ts';
import type { DeviceToleration } from '#kinds/resource/v1/device-toleration.ts';
import type { DeviceClaim, DeviceConstraint, DeviceRequest, ExactDeviceRequest } from '#kinds/resource/v1/resource-claim-spec.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';

const maxRequests = 32;
const maxAlternatives = 8;
const maxEntries = 32;
const maxParameterBytes = 10 * 1024;

export const taintEffects: readonly string[] = ['NoExecute', 'NoSchedule', 'None'];

export function validateDeviceClaim(claim: DeviceClaim, path: string, errors: FieldErrors, { gate }: StrategyContext): void {
  const names = requestNames(claim);
  validateSet(claim.requests, maxRequests, validateDeviceRequest, ({ name }) => name, `${path}.requests`, errors);
  const consumable = gate('DRAConsumableCapacity');
  validateList(claim.constraints, maxEntries, (item, at) => validateConstraint(item, names, at, errors, consumable), `${path}.constraints`, errors);
  validateList(claim.config, maxEntries, (item, at) => validateClaimConfiguration(item, names, at, errors), `${path}.config`, errors);
}

/** Requests by name, with the names of their alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export function requestNames({ requests }: DeviceClaim): RequestNames {
  return new Map((requests ?? []).map(({ name, firstAvailable }) => [name, new Set((firstAvailable ?? []).map((alternative) => alternative.name))]));
}

export function validateRequestReference(name: string, names: RequestNames, path: string, errors: FieldErrors): void {
  const unknown = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const parts = name.split('/');
  if (parts.length > 2) return errors.invalid(path, name, unknown);
  for (const part of parts) validateDeviceLabel(part, path, errors);
  const [request = '', alternative] = parts;
  const known = alternative === undefined ? names.has(request) : names.get(request)?.has(alternative);
  if (!known) errors.invalid(path, name, unknown);
}

function validateDeviceRequest({ name, exactly, firstAvailable }: DeviceRequest, path: string, errors: FieldErrors): void {
  validateDeviceLabel(name, `${path}.name`, errors);
  const choice = 'exactly one of `exactly` or `firstAvailable` is required';
  const alternatives = firstAvailable ?? [];
  if (exactly === undefined && alternatives.length === 0) errors.required(path, choice);
  else if (exactly !== undefined && alternatives.length > 0) errors.invalid(path, null, `${choice}, but multiple fields are set`);
  else if (exactly !== undefined) validateRequestedDevice(exactly, `${path}.exactly`, errors);
  else validateSet(alternatives, maxAlternatives, validateAlternative, (alternative) => alternative.name, `${path}.firstAvailable`, errors);
}

type RequestedDevice = Omit<ExactDeviceRequest, 'adminAccess'>;

function validateAlternative(request: RequestedDevice & { readonly name: string }, path: string, errors: FieldErrors): void {
  validateDeviceLabel(request.name, `${path}.name`, errors);
  validateRequestedDevice(request, path, errors);
}

function validateRequestedDevice(request: RequestedDevice, path: string, errors: FieldErrors): void {
  const { deviceClassName, selectors, tolerations } = request;
  if (deviceClassName === '') errors.required(`${path}.deviceClassName`);
  else errors.invalidEach(`${path}.deviceClassName`, deviceClassName, dns1123SubdomainProblems(deviceClassName));
  validateList(selectors, maxEntries, validateSelector, `${path}.selectors`, errors);
  validateAllocationMode(request, path, errors);
  tolerations?.forEach((toleration, index) => validateToleration(toleration, `${path}.tolerations[${index}]`, errors));
}

function validateAllocationMode({ allocationMode = '', count = 0 }: RequestedDevice, path: string, errors: FieldErrors): void {
  if (allocationMode === 'All') {
    if (count !== 0) errors.invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'");
  } else if (allocationMode === 'ExactCount') {
    if (count <= 0) errors.invalid(`${path}.count`, count, 'must be greater than zero');
  } else errors.notSupported(`${path}.allocationMode`, allocationMode, ['All', 'ExactCount']);
}

export function validateSelector({ cel }: DeviceSelector, path: string, errors: FieldErrors): void {
  if (cel === undefined) errors.required(`${path}.cel`);
  else if (byteLength(cel.expression) > maxParameterBytes) errors.tooLong(`${path}.cel.expression`, maxParameterBytes);
  else errors.later((found) => reportSelector(cel.expression, `${path}.cel.expression`, found));
}

function reportSelector(expression: string, path: string, errors: FieldErrors): void {
  const problem = selectorProblem(expression);
  if (problem?.is === 'forbidden') errors.forbidden(path, problem.text);
  else if (problem !== undefined) errors.invalid(path, expression, problem.text);
}

function validateToleration({ key = '', operator = '', value = '', effect = '' }: DeviceToleration, path: string, errors: FieldErrors): void {
  if (key !== '') validateLabelKey(key, `${path}.key`, errors);
  if (operator === 'Exists') {
    if (value !== '') errors.invalid(`${path}.value`, value, 'must be empty for operator `Exists`');
  } else if (operator === 'Equal') errors.invalidEach(`${path}.value`, value, labelValueProblems(value));
  else if (operator === '') errors.required(`${path}.operator`);
  else errors.notSupported(`${path}.operator`, operator, ['Equal', 'Exists']);
  if (effect !== '' && !taintEffects.includes(effect)) errors.notSupported(`${path}.effect`, effect, taintEffects);
}

function validateConstraint(constraint: DeviceConstraint, names: RequestNames, path: string, errors: FieldErrors, consumable: boolean): void {
  const { requests, matchAttribute, distinctAttribute } = constraint;
  validateRequestReferences(requests, names, `${path}.requests`, errors);
  if (matchAttribute !== undefined) validateFullAttributeName(matchAttribute, `${path}.matchAttribute`, errors);
  else if (distinctAttribute !== undefined) validateFullAttributeName(distinctAttribute, `${path}.distinctAttribute`, errors);
  // The text is upstream's, though none is set.
  else if (consumable) errors.required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set');
  else errors.required(`${path}.matchAttribute`);
}

export function validateRequestReferences(requests: readonly string[] | undefined, names: RequestNames, path: string, errors: FieldErrors): void {
  const rule = (name: string, at: string) => validateRequestReference(name, names, at, errors);
  validateSet(requests, maxRequests, rule, (name) => name, path, errors);
}

type ClaimConfiguration = DeviceConfiguration & { readonly requests?: readonly string[] | undefined };

export function validateClaimConfiguration(configuration: ClaimConfiguration, names: RequestNames, path: string, errors: FieldErrors): void {
  validateRequestReferences(configuration.requests, names, `${path}.requests`, errors);
  validateConfiguration(configuration, path, errors);
}

/** `stored`: unchanged, so that a later limit on its size does not count. */
export function validateConfiguration({ opaque }: DeviceConfiguration, path: string, errors: FieldErrors, stored = false): void {
  if (opaque === undefined) return errors.required(`${path}.opaque`);
  validateDriverName(opaque.driver, `${path}.opaque.driver`, errors);
  validateParameters(opaque.parameters, `${path}.opaque.parameters`, errors, stored);
}

export function validateParameters(parameters: unknown, path: string, errors: FieldErrors, stored = false): void {
  if (parameters === undefined || parameters === null) errors.required(path);
  else if (!stored && byteLength(JSON.stringify(parameters)) > maxParameterBytes) errors.tooLong(path, maxParameterBytes);
  else if (typeof parameters !== 'object' || Array.isArray(parameters)) errors.invalid(path, '<value omitted>', 'must be a valid JSON object');
}

export function validateDeviceSelectors(selectors: readonly DeviceSelector[] | undefined, path: string, errors: FieldErrors): void {
  validateList(selectors, maxEntries, validateSelector, path, errors);
}

export function validateConfigurations(configurations: readonly DeviceConfiguration[] | undefined, path: string, errors: FieldErrors, stored: boolean): void {
  validateList(configurations, maxEntries, (item, at) => validateConfiguration(item, at, errors, stored), path, errors);
}
