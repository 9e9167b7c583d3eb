// The rules of what a driver publishes. Single devices have a file of their own.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { validateNodeSelector } from '#kinds/core/v1/container/affinity-validation.ts';
import { NodeSelectorTerm } from '#kinds/core/v1/node-selector.ts';
import { validateSet } from '#kinds/resource/v1/collection-validation.ts';
import { validateDeviceLabel, validateDriverName, validatePoolName } from '#kinds/resource/v1/device-names-validation.ts';
import { validateCounters, validateDevice } from '#kinds/resource/v1/device-validation.ts';
import type { CounterSet, Device, ResourcePool, ResourceSliceSpec } from '#kinds/resource/v1/resource-slice.ts';
import { internalForm } from '#kinds/rules/internal-form.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

const maxDevices = 128;
const maxDemandingDevices = 64;
const maxCounterSets = 8;

function isGiven(spec: ResourceSliceSpec, field: 'sharedCounters' | 'devices'): boolean {
  return spec[field] !== undefined || wasGivenEmpty(spec, field);
}

export function validateSliceSpec(spec: ResourceSliceSpec, old: ResourceSliceSpec | undefined, errors: FieldErrors): void {
  validateDriverName(spec.driver, 'spec.driver', errors);
  validatePool(spec.pool, 'spec.pool', errors);
  if (old !== undefined) {
    validateImmutable(spec.pool.name, old.pool.name, 'spec.pool.name', errors);
    validateImmutable(spec.driver, old.driver, 'spec.driver', errors);
    validateImmutable(spec.nodeName ?? null, old.nodeName ?? null, 'spec.nodeName', errors);
  }
  validateNodes(spec, errors);
  // A list that was sent empty counts.
  if (isGiven(spec, 'sharedCounters') && isGiven(spec, 'devices')) {
    errors.invalid('spec', '', 'only one of `sharedCounters` or `devices` is allowed');
  }
  const devices = spec.devices ?? [];
  const rule = (device: Device, path: string) => validateDevice(device, storedDevice(old, device.name), spec.perDeviceNodeSelection === true, path, errors);
  validateSet(devices, devices.some(isDemanding) ? maxDemandingDevices : maxDevices, rule, ({ name }) => name, 'spec.devices', errors);
  validateSet(spec.sharedCounters, maxCounterSets, validateCounterSet, ({ name }) => name, 'spec.sharedCounters', errors);
}

function storedDevice(old: ResourceSliceSpec | undefined, name: string): Device | undefined {
  return (old?.devices ?? []).find((device) => device.name === name);
}

function isDemanding({ taints, consumesCounters, attributes }: Device): boolean {
  const lists = Object.values(attributes ?? {}).some(({ ints, bools, strings, versions }) => ints ?? bools ?? strings ?? versions);
  return Boolean(taints?.length) || Boolean(consumesCounters?.length) || lists;
}

function validatePool({ name, resourceSliceCount, generation }: ResourcePool, path: string, errors: FieldErrors): void {
  validatePoolName(name, `${path}.name`, errors);
  if (resourceSliceCount <= 0) errors.invalid(`${path}.resourceSliceCount`, resourceSliceCount, 'must be greater than zero');
  if (generation < 0) errors.invalid(`${path}.generation`, generation, 'must be greater than or equal to zero');
}

/** Exactly one way to say which nodes reach the devices. */
function validateNodes({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: ResourceSliceSpec, errors: FieldErrors): void {
  const set: string[] = [];
  if (nodeName) {
    set.push('`nodeName`');
    errors.invalidEach('spec.nodeName', nodeName, nameIsSubdomain(nodeName, false));
  } else if (nodeName !== undefined) errors.invalid('spec.nodeName', nodeName, 'must be either unset or set to a non-empty string');
  if (nodeSelector !== undefined) {
    set.push('`nodeSelector`');
    validateNodeSelector(nodeSelector, 'spec.nodeSelector', errors, { anyValue: false });
    const terms = nodeSelector.nodeSelectorTerms ?? [];
    const none = wasGivenEmpty(nodeSelector, 'nodeSelectorTerms') ? [] : null;
    const shown = terms.length === 0 ? none : terms.map((term) => internalForm(NodeSelectorTerm, term));
    if (terms.length !== 1) errors.invalid('spec.nodeSelector.nodeSelectorTerms', shown, 'must have exactly one node selector term');
  }
  if (isTrue(allNodes, 'spec.allNodes', errors)) set.push('`allNodes`');
  if (isTrue(perDeviceNodeSelection, 'spec.perDeviceNodeSelection', errors)) set.push('`perDeviceNodeSelection`');
  const choice = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (set.length === 0) errors.required('spec', choice);
  if (set.length > 1) errors.invalid('spec', `{${set.join(', ')}}`, `${choice}, but multiple fields are set`);
}

function isTrue(value: boolean | undefined, path: string, errors: FieldErrors): boolean {
  if (value === false) errors.invalid(path, value, 'must be either unset or set to true');
  return value === true;
}

function validateCounterSet({ name, counters }: CounterSet, path: string, errors: FieldErrors): void {
  if (name === '') errors.required(`${path}.name`);
  else validateDeviceLabel(name, `${path}.name`, errors);
  validateCounters(counters, `${path}.counters`, errors);
}
