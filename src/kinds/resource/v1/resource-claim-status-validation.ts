// The rules of a claim's status: what was allocated, for whom, and what drivers say about it.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength } from '#base/formats.ts';
import { validateNodeSelector } from '#kinds/core/v1/container/affinity-validation.ts';
import { validateList, validateSet } from '#kinds/resource/v1/collection-validation.ts';
import { validateBindingConditions } from '#kinds/resource/v1/binding-conditions-validation.ts';
import {
  type RequestNames,
  requestNames,
  validateClaimConfiguration,
  validateParameters,
  validateRequestReference,
} from '#kinds/resource/v1/device-claim-validation.ts';
import { validateDeviceLabel, validateDriverName, validatePoolName, validateShareId } from '#kinds/resource/v1/device-names-validation.ts';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '#kinds/resource/v1/resource-claim.ts';
import { validateInterfaceAddress } from '#kinds/rules/interface-addresses.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { internalForm, type SchemaSource } from '#kinds/rules/internal-form.ts';
import { validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual, semanticEqualWithRawJson } from '#kinds/rules/semantic-equal.ts';
import { validateChoice } from '#kinds/rules/values.ts';

const maxConsumers = 256;
const maxResults = 32;
const maxConfigurations = 64;
const unlimited = Number.POSITIVE_INFINITY;

/** `table` is that of an allocation, for messages that show it. */
export function validateClaimStatusUpdate(claim: ResourceClaim, old: ResourceClaim, table: SchemaSource, errors: FieldErrors): void {
  const { metadata, spec, status } = claim;
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateSet(status.reservedFor, maxConsumers, validateConsumer, ({ uid }) => uid, 'status.reservedFor', errors);
  const allocated = new Set((status.allocation?.devices.results ?? []).map(deviceIdentity));
  validateSet(status.devices, unlimited, (device, path) => validateDeviceStatus(device, allocated, path, errors), shownDevice, 'status.devices', errors);
  validateReservations(claim, old, errors);
  const { allocation } = status;
  if (allocation === undefined) return;
  if (old.status.allocation === undefined) validateAllocation(allocation, requestNames(spec.devices), errors);
  else if (!semanticEqualWithRawJson(table(), allocation, old.status.allocation))
    errors.invalid('status.allocation', internalForm(table(), allocation), 'field is immutable');
}

interface DeviceReference {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly shareID?: string | undefined;
}

export function deviceIdentity(device: DeviceReference): string {
  return JSON.stringify(shownDevice(device));
}

function shownDevice({ driver, pool, device, shareID = '' }: DeviceReference): object {
  return { Driver: driver, Pool: pool, Device: device, ShareID: shareID };
}

function validateConsumer({ resource, name, uid }: ResourceClaimConsumerReference, path: string, errors: FieldErrors): void {
  if (resource === '') errors.required(`${path}.resource`);
  if (name === '') errors.required(`${path}.name`);
  if (uid === '') errors.required(`${path}.uid`);
}

function validateReservations({ metadata, status }: ResourceClaim, old: ResourceClaim, errors: FieldErrors): void {
  if (!status.reservedFor?.length) return;
  if (status.allocation === undefined) return errors.forbidden('status.reservedFor', 'may not be specified when `allocated` is not set');
  const isNew = (consumer: ResourceClaimConsumerReference) => !(old.status.reservedFor ?? []).some((stored) => semanticEqual(stored, consumer));
  if (metadata.deletionTimestamp !== undefined && status.reservedFor.some(isNew)) {
    errors.forbidden('status.reservedFor', 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set');
  }
}

function validateAllocation(allocation: AllocationResult, names: RequestNames, errors: FieldErrors): void {
  const path = 'status.allocation';
  const { results, config } = allocation.devices;
  validateList(results, maxResults, (item, at) => validateResult(item, names, at, errors), `${path}.devices.results`, errors);
  validateList(config, maxConfigurations, (item, at) => validateAllocationConfiguration(item, names, at, errors), `${path}.devices.config`, errors);
  if (allocation.nodeSelector !== undefined) validateNodeSelector(allocation.nodeSelector, `${path}.nodeSelector`, errors, { anyValue: false });
}

function validateResult(result: DeviceRequestAllocationResult, names: RequestNames, path: string, errors: FieldErrors): void {
  validateRequestReference(result.request, names, `${path}.request`, errors);
  validateDriverName(result.driver, `${path}.driver`, errors);
  validatePoolName(result.pool, `${path}.pool`, errors);
  validateDeviceLabel(result.device, `${path}.device`, errors);
  validateBindingConditions(result, path, errors);
  if (result.shareID !== undefined) validateShareId(result.shareID, `${path}.shareID`, errors);
}

function validateAllocationConfiguration(configuration: DeviceAllocationConfiguration, names: RequestNames, path: string, errors: FieldErrors): void {
  validateChoice(configuration.source, ['FromClaim', 'FromClass'], `${path}.source`, errors);
  validateClaimConfiguration(configuration, names, path, errors);
}

const maxConditions = 8;

function validateDeviceStatus(status: AllocatedDeviceStatus, allocated: ReadonlySet<string>, path: string, errors: FieldErrors): void {
  const { driver, pool, device, shareID, conditions, data, networkData } = status;
  validateDriverName(driver, `${path}.driver`, errors);
  validatePoolName(pool, `${path}.pool`, errors);
  validateDeviceLabel(device, `${path}.device`, errors);
  if (shareID !== undefined) validateShareId(shareID, `${path}.shareID`, errors);
  if (!allocated.has(deviceIdentity(status))) errors.invalid(path, shownDevice(status), 'must be an allocated device in the claim');
  if ((conditions?.length ?? 0) > maxConditions) errors.tooMany(`${path}.conditions`, conditions?.length ?? 0, maxConditions);
  validateConditions(conditions, `${path}.conditions`, errors);
  if (data !== undefined) validateParameters(data, `${path}.data`, errors);
  if (networkData !== undefined) validateNetworkData(networkData, `${path}.networkData`, errors);
}

function validateNetworkData({ interfaceName = '', hardwareAddress = '', ips }: NetworkDeviceData, path: string, errors: FieldErrors): void {
  if (byteLength(interfaceName) > 256) errors.tooLong(`${path}.interfaceName`, 256);
  if (byteLength(hardwareAddress) > 128) errors.tooLong(`${path}.hardwareAddress`, 128);
  validateSet(ips, 16, validateInterfaceAddress, (address) => address, `${path}.ips`, errors);
}
