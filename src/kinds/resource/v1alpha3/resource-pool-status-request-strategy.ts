// How requests for the status of resource pools are written.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123SubdomainCaselessProblems, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestSpec,
  ResourcePoolStatusRequestStatus,
} from '#kinds/resource/v1alpha3/resource-pool-status-request.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';

const maxLimit = 1000;
const maxDriverBytes = 63;

export function defaultStatusRequestSpec(spec: ResourcePoolStatusRequestSpec): void {
  spec.limit ??= 100;
}

export const statusRequestStrategy: Strategy<ResourcePoolStatusRequest> = {
  allowUnconditionalUpdate: false,
  returnsDeleted: true,
  prepareForCreate(request) {
    delete request.status;
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, false, nameIsSubdomain, errors);
    validateSpec(spec, errors);
  },
  prepareForUpdate(request, old) {
    request.status = old.status;
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    if (!semanticEqual(spec, old.spec)) errors.invalid('spec', null, 'field is immutable');
  },
  subresources: {
    status: {
      resetFields: [['metadata'], ['spec']],
      prepareForUpdate(request, old) {
        request.spec = old.spec;
        keepMetadataForStatus(request.metadata, old.metadata);
      },
      validateUpdate({ metadata, status }, old, errors) {
        validateObjectMetaUpdate(metadata, old.metadata, errors);
        if (status !== undefined) validateStatus(status, errors);
      },
    },
  },
};

function validateSpec({ driver, poolName, limit }: ResourcePoolStatusRequestSpec, errors: FieldErrors): void {
  if (driver === '') errors.required('spec.driver');
  else if (byteLength(driver) > maxDriverBytes) errors.tooLong('spec.driver', maxDriverBytes);
  else errors.invalidEach('spec.driver', driver, dns1123SubdomainCaselessProblems(driver));
  if (poolName !== undefined) validatePoolSegments(poolName, errors);
  if (limit === undefined) return;
  if (limit < 1) errors.invalid('spec.limit', limit, 'must be greater than or equal to 1');
  if (limit > maxLimit) errors.invalid('spec.limit', limit, `must be less than or equal to ${maxLimit}`);
}

/** Told by markers here, which count the parts. */
function validatePoolSegments(name: string, errors: FieldErrors): void {
  name.split('/').forEach((segment, index) => {
    const problems = dns1123SubdomainProblems(segment).map((problem) => `segment ${index}: ${problem}`);
    errors.invalidEach('spec.poolName', segment, problems);
  });
}

const maxPools = 1000;
const maxConditions = 10;

function validateStatus({ poolCount, pools = [], conditions = [] }: ResourcePoolStatusRequestStatus, errors: FieldErrors): void {
  if (poolCount === undefined) errors.required('status.poolCount');
  else validateAtLeast(poolCount, 0, 'status.poolCount', errors);
  if (conditions.length > maxConditions) errors.tooMany('status.conditions', conditions.length, maxConditions);
  if (pools.length > maxPools) return errors.tooMany('status.pools', pools.length, maxPools);
  pools.forEach((pool, index) => validatePool(pool, `status.pools[${index}]`, errors));
}

function validatePool(pool: PoolStatus, path: string, errors: FieldErrors): void {
  if (!pool.driver) errors.required(`${path}.driver`);
  else errors.invalidEach(`${path}.driver`, pool.driver, dns1123SubdomainCaselessProblems(pool.driver));
  if (!pool.poolName) errors.required(`${path}.poolName`);
  validateAtLeast(pool.resourceSliceCount, 1, `${path}.resourceSliceCount`, errors);
  for (const field of ['totalDevices', 'allocatedDevices', 'availableDevices', 'unavailableDevices'] as const) {
    validateAtLeast(pool[field], 0, `${path}.${field}`, errors);
  }
  if (byteLength(pool.validationError ?? '') > 256) errors.tooLong(`${path}.validationError`, 256);
}

function validateAtLeast(value: number | undefined, minimum: number, path: string, errors: FieldErrors): void {
  if (value !== undefined && value < minimum) errors.invalid(path, value, `must be greater than or equal to ${minimum}`);
}
