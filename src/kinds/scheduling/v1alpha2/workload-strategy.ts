// How workloads and pod groups are written and shown. Their fields are judged by markers upstream; here only metadata,
// the immutable parts and the status are.
import { nameIsSubdomain } from '#api/formats.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { PodGroup } from '#kinds/scheduling/v1alpha2/pod-group.ts';
import type { Workload } from '#kinds/scheduling/v1alpha2/workload.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const workloadStrategy: Strategy<Workload> = {
  validate: ({ metadata }, errors) => validateObjectMeta(metadata, true, nameIsSubdomain, errors),
  validateUpdate: ({ metadata }, old, errors) => validateObjectMetaUpdate(metadata, old.metadata, errors),
};

export const podGroupStrategy: Strategy<PodGroup> = {
  prepareForCreate(group) {
    group.status = {};
  },
  validate: ({ metadata }, errors) => validateObjectMeta(metadata, true, nameIsSubdomain, errors),
  prepareForUpdate(group, old) {
    group.status = old.status;
  },
  validateUpdate: ({ metadata }, old, errors) => validateObjectMetaUpdate(metadata, old.metadata, errors),
  subresources: {
    status: {
      resetFields: [['metadata'], ['spec']],
      prepareForUpdate(group, old) {
        group.spec = old.spec;
        keepMetadataForStatus(group.metadata, old.metadata);
      },
      validateUpdate({ metadata, spec, status }, old, errors) {
        validateObjectMetaUpdate(metadata, old.metadata, errors);
        validateConditions(status.conditions, 'status.conditions', errors);
        const claims = (spec.resourceClaims ?? []).map(({ name }) => name);
        status.resourceClaimStatuses?.forEach(({ name }, index) => {
          if (claims.includes(name)) return;
          errors.invalid(`status.resourceClaimStatuses[${index}].name`, name, 'must match the name of an entry in `spec.resourceClaims`');
        });
      },
    },
  },
};

export const workloadColumns: readonly Column<Workload>[] = [nameColumn(), ageColumn()];

export const podGroupColumns: readonly Column<PodGroup>[] = [
  nameColumn(),
  { name: 'Policy', type: 'string', read: ({ spec }) => (spec.schedulingPolicy.gang === undefined ? 'Basic' : 'Gang') },
  { name: 'Workload', type: 'string', read: ({ spec }) => spec.podGroupTemplateRef?.workload?.workloadName ?? '<none>' },
  { name: 'Status', type: 'string', read: ({ status }) => statusCell(status) },
  ageColumn(),
];

function statusCell({ conditions }: PodGroup['status']): string {
  const disrupted = conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (disrupted !== undefined) return disrupted.reason ?? '';
  const scheduled = conditions?.find(({ type }) => type === 'PodGroupScheduled');
  if (scheduled === undefined) return 'Pending';
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
}
