import type { KubernetesObject } from '#api/object.ts';
import type { Scale } from '#kinds/autoscaling/v1/scale.ts';
import { ageColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

export const scaleColumns: readonly Column<Scale & KubernetesObject>[] = [
  { name: 'Name', type: 'string', read: ({ metadata }) => metadata.name ?? '' },
  { name: 'Desired', type: 'integer', read: ({ spec }) => spec.replicas ?? 0 },
  { name: 'Available', type: 'integer', read: ({ status }) => status.replicas },
  ageColumn(),
];
