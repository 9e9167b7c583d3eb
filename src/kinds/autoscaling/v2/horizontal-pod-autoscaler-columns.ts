// Autoscalers as `kubectl get` shows them.
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

export const autoscalerColumns: readonly Column<HorizontalPodAutoscaler>[] = [
  nameColumn(),
  { name: 'Reference', type: 'string', read: ({ spec: { scaleTargetRef } }) => `${scaleTargetRef.kind}/${scaleTargetRef.name}` },
  { name: 'Targets', type: 'string', read: ({ spec, status }) => targetsCell(spec.metrics ?? [], status.currentMetrics ?? []) },
  { name: 'MinPods', type: 'string', read: ({ spec }) => (spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas)) },
  { name: 'MaxPods', type: 'string', read: ({ spec }) => spec.maxReplicas },
  { name: 'Replicas', type: 'string', read: ({ status }) => status.currentReplicas ?? 0 },
  ageColumn(),
];

function targetsCell(metrics: readonly MetricSpec[], current: readonly MetricStatus[]): string {
  if (metrics.length === 0) return '<none>';
  const shown = metrics.map((metric, index) => metricText(metric, current[index]));
  return shown.length > 2 ? `${shown.slice(0, 2).join(', ')} + ${shown.length - 2} more...` : shown.join(', ');
}

function metricText(metric: MetricSpec, current: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, current?.external?.current);
    case 'Object':
      return valueText(metric.object?.target, current?.object?.current);
    case 'Pods':
      return `${current?.pods?.current.averageValue ?? '<unknown>'}/${metric.pods?.target.averageValue ?? '<nil>'}`;
    case 'Resource':
      return `${metric.resource?.name}: ${resourceText(metric.resource?.target, current?.resource?.current)}`;
    case 'ContainerResource':
      return `${metric.containerResource?.name}: ${resourceText(metric.containerResource?.target, current?.containerResource?.current)}`;
    default:
      return '<unknown type>';
  }
}

function valueText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`;
  return `${current?.value ?? '<unknown>'}/${target?.value ?? '<nil>'}`;
}

function resourceText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? '<unknown>'}/${target.averageValue}`;
  const used = current?.averageUtilization === undefined ? '<unknown>' : `${current.averageUtilization}%`;
  return `${used}/${target?.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`}`;
}
