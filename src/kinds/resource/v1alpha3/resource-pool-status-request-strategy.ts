// How requests for the status of resource pools are written.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123SubdomainCaselessProblems, dns1123SubdomainProblems, nameIsSubdomain } from '#api/formats.ts';
import type { ResourcePoolStatusRequest, ResourcePoolStatusRequestSpec } from '#kinds/resource/v1alpha3/resource-pool-status-request.ts';
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
