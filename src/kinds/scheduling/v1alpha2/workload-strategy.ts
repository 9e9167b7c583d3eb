// How workloads and pod groups are written and shown.
import { nameIsSubdomain } from '#base/formats.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { PodGroup } from '#kinds/scheduling/v1alpha2/pod-group.ts';
import {
  validatePodGroupChanges,
  validatePodGroupSpec,
  validateWorkloadChanges,
  validateWorkloadSpec,
} from '#kinds/scheduling/v1alpha2/workload-validation.ts';
import type { PodGroupTemplate, Workload } from '#kinds/scheduling/v1alpha2/workload.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';
import type { StructSchema } from '#schema/build.ts';
import { firstBy } from '#kinds/rules/first-by.ts';

/** `template`: the table of templates, for the values that messages show. */
export function workloadStrategy(template: () => StructSchema): Strategy<Workload> {
  return {
    prepareForCreate: ({ spec }, { gate }) => dropFromTemplates(spec.podGroupTemplates, undefined, gate),
    validate({ metadata, spec }, errors) {
      validateObjectMeta(metadata, true, nameIsSubdomain, errors);
      validateWorkloadSpec(spec, template(), errors);
    },
    prepareForUpdate: ({ spec }, old, { gate }) => dropFromTemplates(spec.podGroupTemplates, old.spec.podGroupTemplates, gate),
    validateUpdate({ metadata, spec }, old, errors) {
      validateObjectMetaUpdate(metadata, old.metadata, errors);
      if (!semanticEqual(spec, old.spec)) validateWorkloadSpec(spec, template(), errors);
      validateWorkloadChanges(spec, old.spec, errors);
    },
  };
}

function dropFromTemplates(templates: readonly PodGroupTemplate[] | undefined, old: readonly PodGroupTemplate[] | undefined, gate: Gate): void {
  const stored = firstBy(old, ({ name }) => name);
  for (const template of templates ?? []) dropGated(template, stored.get(template.name), gate);
}

type Gate = (name: string) => boolean;
type Gated = Pick<PodGroupTemplate, 'schedulingConstraints' | 'resourceClaims' | 'disruptionMode' | 'priorityClassName' | 'priority'>;

const gatedFields: Readonly<Record<string, readonly (keyof Gated)[]>> = {
  TopologyAwareWorkloadScheduling: ['schedulingConstraints'],
  WorkloadAwarePreemption: ['disruptionMode', 'priorityClassName', 'priority'],
  DRAWorkloadResourceClaims: ['resourceClaims'],
};

/** Behind a gate that is off, unless the stored object has it already. */
function dropGated(scheduling: Gated, old: Gated | undefined, gate: Gate): void {
  for (const [name, fields] of Object.entries(gatedFields)) {
    if (gate(name)) continue;
    for (const field of fields) if (old?.[field] === undefined) delete scheduling[field];
  }
}

function closedFields(gate: Gate): readonly string[] {
  return Object.entries(gatedFields).flatMap(([name, fields]) => (gate(name) ? [] : fields));
}

/** The default of the mode is there whatever the gate says. */
function dropFromGroup({ spec }: PodGroup, old: PodGroup | undefined, gate: Gate): void {
  dropGated(spec, old?.spec, gate);
  spec.disruptionMode ??= 'Pod';
}

export const podGroupStrategy: Strategy<PodGroup> = {
  prepareForCreate(group, { gate }) {
    group.status = {};
    dropFromGroup(group, undefined, gate);
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    validatePodGroupSpec(spec, errors);
  },
  prepareForUpdate(group, old, { gate }) {
    group.status = old.status;
    dropFromGroup(group, old, gate);
  },
  validateUpdate({ metadata, spec }, old, errors, { gate }) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    if (!semanticEqual(spec, old.spec)) validatePodGroupSpec(spec, errors);
    validatePodGroupChanges(spec, old.spec, closedFields(gate), errors);
  },
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
        const claims = new Set(spec.resourceClaims?.map(({ name }) => name));
        status.resourceClaimStatuses?.forEach(({ name }, index) => {
          if (claims.has(name)) return;
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
