// How claims are written and shown.
import { nameIsSubdomain } from '#base/formats.ts';
import { refuseAdminRequests, refuseAdminResults } from '#kinds/resource/v1/admin-access.ts';
import { dropGatedClaimFields } from '#kinds/resource/v1/device-claim-gates.ts';
import { validateDeviceClaim } from '#kinds/resource/v1/device-claim-validation.ts';
import type { ResourceClaim } from '#kinds/resource/v1/resource-claim.ts';
import { ResourceClaimSpec } from '#kinds/resource/v1/resource-claim-spec.ts';
import { deviceIdentity, validateClaimStatusUpdate } from '#kinds/resource/v1/resource-claim-status-validation.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { internalForm, type SchemaSource } from '#kinds/rules/internal-form.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqualWithRawJson } from '#kinds/rules/semantic-equal.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

/** `allocation` is the table of an allocation, for messages that show it. */
export const resourceClaimStrategy = (allocation: SchemaSource): Strategy<ResourceClaim> => ({
  returnsDeleted: true,
  prepareForCreate(claim, { gate }) {
    claim.status = {};
    dropGatedClaimFields(claim.spec, undefined, gate);
  },
  validate({ metadata, spec }, errors, context) {
    refuseAdminRequests(spec.devices?.requests, metadata.namespace, errors, context);
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    validateDeviceClaim(spec.devices, 'spec.devices', errors, context);
  },
  prepareForUpdate(claim, old, { gate }) {
    claim.status = old.status;
    dropGatedClaimFields(claim.spec, old.spec, gate);
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    if (!semanticEqualWithRawJson(ResourceClaimSpec, spec, old.spec)) errors.invalid('spec', internalForm(ResourceClaimSpec, spec), 'field is immutable');
  },
  subresources: {
    status: {
      resetFields: [['metadata'], ['spec']],
      prepareForUpdate(claim, old, { gate }) {
        claim.spec = old.spec;
        keepMetadataForStatus(claim.metadata, old.metadata);
        dropGatedStatusFields(claim, old, gate);
        dropDeallocatedDevices(claim, old);
      },
      validateUpdate(claim, old, errors, context) {
        refuseAdminResults(claim, old, errors, context);
        validateClaimStatusUpdate(claim, old, allocation, errors);
      },
    },
  },
});

function dropGatedStatusFields({ status }: ResourceClaim, old: ResourceClaim, gate: (name: string) => boolean): void {
  if (!gate('DRAResourceClaimDeviceStatus') && !old.status.devices?.length) delete status.devices;
  const bound = (old.status.allocation?.devices.results ?? []).some((result) => result.bindingConditions ?? result.bindingFailureConditions);
  const binding = gate('DRADeviceBindingConditions') && gate('DRAResourceClaimDeviceStatus');
  for (const result of status.allocation?.devices.results ?? []) {
    if (binding || bound) break;
    delete result.bindingConditions;
    delete result.bindingFailureConditions;
  }
}

/** What a driver said about a device goes with its allocation. */
function dropDeallocatedDevices({ status }: ResourceClaim, old: ResourceClaim): void {
  const gone = new Set((old.status.allocation?.devices.results ?? []).map(deviceIdentity));
  for (const result of status.allocation?.devices.results ?? []) gone.delete(deviceIdentity(result));
  const devices = (status.devices ?? []).filter((device) => !gone.has(deviceIdentity(device)));
  if (devices.length > 0) status.devices = devices;
  else delete status.devices;
}

export const resourceClaimColumns: readonly Column<ResourceClaim>[] = [nameColumn(), { name: 'State', type: 'string', read: stateCell }, ageColumn()];

function stateCell({ metadata, status }: ResourceClaim): string {
  const states: string[] = [];
  const deleted = metadata.deletionTimestamp !== undefined;
  if (deleted) states.push('deleted');
  if (status.allocation !== undefined) states.push('allocated', ...(status.reservedFor?.length ? ['reserved'] : []));
  else if (!deleted) states.push('pending');
  return states.join(',');
}
