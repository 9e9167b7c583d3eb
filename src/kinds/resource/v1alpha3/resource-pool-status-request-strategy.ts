// How requests for the status of resource pools are written.
import { nameIsSubdomain } from '#api/formats.ts';
import type { ResourcePoolStatusRequest, ResourcePoolStatusRequestSpec } from '#kinds/resource/v1alpha3/resource-pool-status-request.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultStatusRequestSpec(spec: ResourcePoolStatusRequestSpec): void {
  spec.limit ??= 100;
}

export const statusRequestStrategy: Strategy<ResourcePoolStatusRequest> = {
  allowUnconditionalUpdate: false,
  returnsDeleted: true,
  prepareForCreate(request) {
    delete request.status;
  },
  validate: ({ metadata }, errors) => validateObjectMeta(metadata, false, nameIsSubdomain, errors),
  prepareForUpdate(request, old) {
    request.status = old.status;
  },
  validateUpdate: ({ metadata }, old, errors) => validateObjectMetaUpdate(metadata, old.metadata, errors),
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
