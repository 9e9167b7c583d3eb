// autoscaling/v1 to and from v2. v1 knows one metric, the use of CPU; everything else that v2 says travels in annotations.
import { behaviorFrom, behaviorText } from '#kinds/autoscaling/v1/behavior-annotation.ts';
import type { HorizontalPodAutoscaler } from '#kinds/autoscaling/v1/horizontal-pod-autoscaler.ts';
import { currentFromHub, currentToHub, metricFromHub, metricToHub } from '#kinds/autoscaling/v1/metric-conversion.ts';
import { HorizontalPodAutoscalerCondition, MetricSpec, MetricStatus } from '#kinds/autoscaling/v1/metrics.ts';
import type { HorizontalPodAutoscaler as Hub, MetricSpec as HubMetric } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import type { Conversion } from '#resource/definition.ts';
import type { StructSchema } from '#schema/build.ts';
import { canonical } from '#schema/json/canonical.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';

export const autoscalerConversion: Conversion = { toHub, fromHub };

const prefix = 'autoscaling.alpha.kubernetes.io/';
const annotation = {
  metrics: `${prefix}metrics`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
  behavior: `${prefix}behavior`,
};
const carriers = new Set<string>([...Object.values(annotation), `${prefix}scale-down-tolerance`, `${prefix}scale-up-tolerance`]);

type Annotations = Readonly<Record<string, string>>;

/** Without those that only carry what another version cannot say; the hub never has them. */
export function withoutCarriers(annotations: Annotations | undefined): Record<string, string> | undefined {
  return annotations && Object.fromEntries(Object.entries(annotations).filter(([name]) => !carriers.has(name)));
}

function fromHub(hub: Hub): unknown {
  const { metrics = [], behavior: _behavior, ...spec } = hub.spec;
  const { currentMetrics, conditions: _conditions, ...status } = hub.status;
  // Stored objects say null for the list that is always written.
  const current = currentMetrics ?? [];
  return {
    ...hub,
    metadata: { ...hub.metadata, annotations: { ...withoutCarriers(hub.metadata.annotations), ...carriedBy(hub) } },
    spec: { ...spec, targetCPUUtilizationPercentage: metrics.find(isCpuUse)?.resource?.target.averageUtilization },
    status: {
      ...status,
      currentCPUUtilizationPercentage: current.filter(isCpu).findLast(({ resource }) => resource?.current.averageUtilization !== undefined)?.resource?.current
        .averageUtilization,
    },
  };
}

function carriedBy({ spec, status }: Hub): Record<string, string> {
  const metrics = (spec.metrics ?? []).filter((metric) => !isCpuUse(metric)).map(metricFromHub);
  const current = (status.currentMetrics ?? []).map(currentFromHub);
  return {
    ...(metrics.length > 0 && { [annotation.metrics]: textOf(MetricSpec, metrics) }),
    ...(current.length > 0 && { [annotation.currentMetrics]: textOf(MetricStatus, current) }),
    ...(spec.behavior !== undefined && { [annotation.behavior]: behaviorText(spec.behavior) }),
    ...(status.conditions !== undefined &&
      status.conditions.length > 0 && { [annotation.conditions]: textOf(HorizontalPodAutoscalerCondition, status.conditions) }),
  };
}

function isCpu({ type, resource }: { readonly type: string; readonly resource?: { readonly name: string } | undefined }): boolean {
  return type === 'Resource' && resource?.name === 'cpu';
}

/** The metric that v1 has a field for. */
function isCpuUse(metric: HubMetric): boolean {
  return isCpu(metric) && metric.resource?.target.averageUtilization !== undefined;
}

function toHub(object: HorizontalPodAutoscaler): unknown {
  const { targetCPUUtilizationPercentage: target, ...spec } = object.spec;
  const { currentCPUUtilizationPercentage: current, ...status } = object.status;
  const annotations: Annotations = object.metadata.annotations ?? {};
  const metrics = [...(itemsIn(MetricSpec, annotations[annotation.metrics])?.map(metricToHub) ?? []), ...(target === undefined ? [] : [cpuUse(target)])];
  const behavior = annotations[annotation.behavior];
  return {
    ...object,
    metadata: { ...object.metadata, annotations: withoutCarriers(annotations) },
    spec: { ...spec, metrics: metrics.length > 0 ? metrics : [cpuUse(defaultCpuUse)], behavior: behavior === undefined ? undefined : behaviorFrom(behavior) },
    status: {
      ...status,
      currentMetrics:
        itemsIn(MetricStatus, annotations[annotation.currentMetrics])?.map(currentToHub) ?? (current === undefined ? undefined : [cpuStatus(current)]),
      conditions: itemsIn(HorizontalPodAutoscalerCondition, annotations[annotation.conditions]),
    },
  };
}

/** What an autoscaler without any metric follows. */
const defaultCpuUse = 80;

/** Said before conversion already, so that the writer owns what is filled in. */
export function defaultAutoscaler({ metadata, spec }: HorizontalPodAutoscaler): void {
  spec.minReplicas ??= 1;
  if (!itemsIn(MetricSpec, metadata.annotations?.[annotation.metrics])?.length) spec.targetCPUUtilizationPercentage ??= defaultCpuUse;
}

function cpuUse(averageUtilization: number): HubMetric {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function cpuStatus(averageUtilization: number): object {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function textOf(item: StructSchema, values: readonly object[]): string {
  const list = { is: 'list', item } as const;
  return encodeJson(list, canonical(list, values));
}

/** Undefined when there is no such text, or none that can be read. */
function itemsIn<T>(item: StructSchema & { readonly _type?: T }, text: string | undefined): T[] | undefined {
  if (text === undefined) return undefined;
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values.map((value) => decodeValue(item, value).object as unknown as T) : undefined;
  } catch {
    return undefined;
  }
}
