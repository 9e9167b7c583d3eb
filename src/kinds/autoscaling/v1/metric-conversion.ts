// Metrics of autoscalers in the form v1 knew them (it keeps them in annotations) and in that of v2.
import { parseQuantity, signOfQuantity } from '#base/quantity.ts';
import type * as v1 from '#kinds/autoscaling/v1/metrics.ts';
import type * as v2 from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';

export function metricToHub(metric: v1.MetricSpec): v2.MetricSpec {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && objectToHub(object),
    pods: pods && { metric: { name: pods.metricName, selector: pods.selector }, target: { type: 'AverageValue', averageValue: pods.targetAverageValue } },
    resource: resource && { name: resource.name, target: resourceTarget(resource) },
    containerResource: containerResource && { name: containerResource.name, container: containerResource.container, target: resourceTarget(containerResource) },
    external: external && externalToHub(external),
  };
}

/** v1 cannot leave out the value: zero beside an average means that there is none. */
function objectToHub({ target, metricName, selector, targetValue, averageValue }: v1.ObjectMetricSource): v2.ObjectMetricSource {
  const hasValue = averageValue === undefined || signOfQuantity(parseQuantity(targetValue)) !== 0;
  return {
    describedObject: target,
    metric: { name: metricName, selector },
    target: { type: averageValue === undefined ? 'Value' : 'AverageValue', value: hasValue ? targetValue : undefined, averageValue },
  };
}

function externalToHub({ metricName, metricSelector, targetValue, targetAverageValue }: v1.ExternalMetricSource): v2.ExternalMetricSource {
  const type = targetValue === undefined ? 'AverageValue' : 'Value';
  return { metric: { name: metricName, selector: metricSelector }, target: { type, value: targetValue, averageValue: targetAverageValue } };
}

function resourceTarget({
  targetAverageUtilization,
  targetAverageValue,
}: Pick<v1.ResourceMetricSource, 'targetAverageUtilization' | 'targetAverageValue'>): v2.MetricTarget {
  const type = targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization';
  return { type, averageValue: targetAverageValue, averageUtilization: targetAverageUtilization };
}

/** What v1 always has and v2 may lack is filled in by the caller. */
export function metricFromHub(metric: v2.MetricSpec): object {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && { target: object.describedObject, ...named(object), targetValue: object.target.value, averageValue: object.target.averageValue },
    pods: pods && { ...named(pods), targetAverageValue: pods.target.averageValue },
    resource: resource && { name: resource.name, ...targets(resource.target) },
    containerResource: containerResource && { name: containerResource.name, container: containerResource.container, ...targets(containerResource.target) },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  };
}

function named({ metric }: { readonly metric: v2.MetricIdentifier }): object {
  return { metricName: metric.name, selector: metric.selector };
}

function targets({ averageUtilization, averageValue }: v2.MetricTarget): object {
  return { targetAverageUtilization: averageUtilization, targetAverageValue: averageValue };
}

export function currentToHub(metric: v1.MetricStatus): v2.MetricStatus {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && {
      describedObject: object.target,
      metric: { name: object.metricName, selector: object.selector },
      current: { value: object.currentValue, averageValue: object.averageValue },
    },
    pods: pods && { metric: { name: pods.metricName, selector: pods.selector }, current: { averageValue: pods.currentAverageValue } },
    resource: resource && { name: resource.name, current: resourceCurrent(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      current: resourceCurrent(containerResource),
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      current: { value: external.currentValue, averageValue: external.currentAverageValue },
    },
  };
}

function resourceCurrent({
  currentAverageUtilization,
  currentAverageValue,
}: Pick<v1.ResourceMetricStatus, 'currentAverageUtilization' | 'currentAverageValue'>): v2.MetricValueStatus {
  return { averageValue: currentAverageValue, averageUtilization: currentAverageUtilization };
}

export function currentFromHub(metric: v2.MetricStatus): object {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && { target: object.describedObject, ...named(object), currentValue: object.current.value, averageValue: object.current.averageValue },
    pods: pods && { ...named(pods), currentAverageValue: pods.current.averageValue },
    resource: resource && { name: resource.name, ...currents(resource.current) },
    containerResource: containerResource && { name: containerResource.name, container: containerResource.container, ...currents(containerResource.current) },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value,
      currentAverageValue: external.current.averageValue,
    },
  };
}

function currents({ averageUtilization, averageValue }: v2.MetricValueStatus): object {
  return { currentAverageUtilization: averageUtilization, currentAverageValue: averageValue };
}
