import { horizontalpodautoscalers } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const scaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'one' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 5,
    metrics: [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      { type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '10' } } },
      {
        type: 'Object',
        object: { describedObject: { apiVersion: 'v1', kind: 'Service', name: 'web' }, metric: { name: 'hits' }, target: { type: 'Value', value: '10' } },
      },
      { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '10' } } },
      { type: 'ContainerResource', containerResource: { name: 'memory', container: 'c', target: { type: 'Utilization', averageUtilization: 50 } } },
    ],
    behavior: { scaleUp: { stabilizationWindowSeconds: 10, policies: [{ type: 'Pods', value: 1, periodSeconds: 10 }] } },
  },
};

describeRefusals('autoscalers with every kind of metric', horizontalpodautoscalers, scaler, [
  [
    'no maximum',
    { 'spec.maxReplicas': 0 },
    'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    'spec.maxReplicas: Required value: must be set and greater than 0',
  ],
  [
    'a maximum below zero',
    { 'spec.maxReplicas': -1 },
    'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1',
    'spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`',
  ],
  ['a maximum below the minimum', { 'spec.minReplicas': 6 }, 'spec.maxReplicas: Invalid value: 5: must be greater than or equal to `minReplicas`'],
  [
    'a target without kind and name',
    { 'spec.scaleTargetRef': { apiVersion: 'apps/v1', kind: '', name: '' } },
    'spec.scaleTargetRef.kind: Required value',
    'spec.scaleTargetRef.name: Required value',
  ],
  [
    'a target of an odd kind and name',
    { 'spec.scaleTargetRef': { apiVersion: 'apps/v1', kind: 'a/b', name: '..' } },
    'spec.scaleTargetRef.kind: Invalid value: "a/b": may not contain \'/\'',
    'spec.scaleTargetRef.name: Invalid value: "..": may not be \'..\'',
  ],
  [
    'a target in no version',
    { 'spec.scaleTargetRef.apiVersion': 'a/b/c' },
    'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ],
  [
    'a target without a group',
    { 'spec.scaleTargetRef.apiVersion': 'v1' },
    'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
  ],
  [
    'a metric without a type',
    { 'spec.metrics.0.type': '' },
    'spec.metrics[0].type: Required value: must specify a metric source type',
    'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
  ],
  [
    'a metric of an unknown type',
    { 'spec.metrics.0.type': 'Custom' },
    'spec.metrics[0].type: Unsupported value: "Custom": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
  ],
  [
    'a resource metric without a resource',
    { 'spec.metrics.0.resource': undefined },
    'spec.metrics[0].resource: Required value: must populate information for the given metric source',
  ],
  [
    'a pods metric without its source',
    { 'spec.metrics.1.pods': undefined },
    'spec.metrics[1].pods: Required value: must populate information for the given metric source',
  ],
  [
    'an object metric without its source',
    { 'spec.metrics.2.object': undefined },
    'spec.metrics[2].object: Required value: must populate information for the given metric source',
  ],
  [
    'an external metric without its source',
    { 'spec.metrics.3.external': undefined },
    'spec.metrics[3].external: Required value: must populate information for the given metric source',
  ],
  [
    'a container metric without its source',
    { 'spec.metrics.4.containerResource': undefined },
    'spec.metrics[4].containerResource: Required value: must populate information for the given metric source',
  ],
  [
    'a metric with two sources',
    { 'spec.metrics.0.pods': { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '10' } } },
    'spec.metrics[0].pods: Forbidden: must populate the given metric source only',
  ],
  [
    'an object without kind and name',
    { 'spec.metrics.2.object.describedObject': { apiVersion: 'v1', kind: '', name: '' } },
    'spec.metrics[2].object.describedObject.kind: Required value',
    'spec.metrics[2].object.describedObject.name: Required value',
  ],
  [
    'an object of an odd kind and name',
    { 'spec.metrics.2.object.describedObject': { apiVersion: 'v1', kind: 'a/b', name: '..' } },
    'spec.metrics[2].object.describedObject.kind: Invalid value: "a/b": may not contain \'/\'',
    'spec.metrics[2].object.describedObject.name: Invalid value: "..": may not be \'..\'',
  ],
  [
    'an object in no version',
    { 'spec.metrics.2.object.describedObject.apiVersion': 'a/b/c' },
    'spec.metrics[2].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ],
  [
    'metrics without names',
    { 'spec.metrics.1.pods.metric.name': '', 'spec.metrics.2.object.metric.name': '', 'spec.metrics.3.external.metric.name': '' },
    'spec.metrics[1].pods.metric.name: Required value: must specify a metric name',
    'spec.metrics[2].object.metric.name: Required value: must specify a metric name',
    'spec.metrics[3].external.metric.name: Required value: must specify a metric name',
  ],
  [
    'metrics with odd names',
    { 'spec.metrics.1.pods.metric.name': 'a/b', 'spec.metrics.2.object.metric.name': 'a/b', 'spec.metrics.3.external.metric.name': 'a/b' },
    'spec.metrics[1].pods.metric.name: Invalid value: "a/b": may not contain \'/\'',
    'spec.metrics[2].object.metric.name: Invalid value: "a/b": may not contain \'/\'',
    'spec.metrics[3].external.metric.name: Invalid value: "a/b": may not contain \'/\'',
  ],
  [
    'a target without a type',
    { 'spec.metrics.0.resource.target.type': '' },
    'spec.metrics[0].resource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
    'spec.metrics[0].resource.target.type: Required value: must specify a metric target type',
  ],
  [
    'a target of an unknown type',
    { 'spec.metrics.0.resource.target.type': 'Sum' },
    'spec.metrics[0].resource.target.type: Invalid value: "Sum": must be either Utilization, Value, or AverageValue',
  ],
  [
    'a target of nothing',
    { 'spec.metrics.2.object.target.value': '0', 'spec.metrics.1.pods.target.averageValue': '0' },
    'spec.metrics[1].pods.target.averageValue: Invalid value: "0": must be positive',
    'spec.metrics[2].object.target.value: Invalid value: "0": must be positive',
  ],
  [
    'a utilization of nothing',
    { 'spec.metrics.0.resource.target.averageUtilization': 0 },
    'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
  ],
  [
    'an object metric without a goal',
    { 'spec.metrics.2.object.target': { type: 'Value' } },
    'spec.metrics[2].object.target.averageValue: Required value: must set either a target value or averageValue',
  ],
  [
    'an external metric without a goal',
    { 'spec.metrics.3.external.target': { type: 'Value' } },
    'spec.metrics[3].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target',
  ],
  [
    'an external metric with two goals',
    { 'spec.metrics.3.external.target': { type: 'Value', value: '1', averageValue: '1' } },
    'spec.metrics[3].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target',
  ],
  [
    'a pods metric without a goal',
    { 'spec.metrics.1.pods.target': { type: 'AverageValue' } },
    'spec.metrics[1].pods.target.averageValue: Required value: must specify a positive target averageValue',
  ],
  [
    'resource metrics without a goal',
    { 'spec.metrics.0.resource.target': { type: 'Utilization' }, 'spec.metrics.4.containerResource.target': { type: 'Utilization' } },
    'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
    'spec.metrics[4].containerResource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
  ],
  [
    'resource metrics with two goals',
    { 'spec.metrics.0.resource.target.averageValue': '1', 'spec.metrics.4.containerResource.target.averageValue': '1' },
    'spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization',
    'spec.metrics[4].containerResource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization',
  ],
  [
    'resources without names',
    { 'spec.metrics.0.resource.name': '', 'spec.metrics.4.containerResource.name': '', 'spec.metrics.4.containerResource.container': '' },
    'spec.metrics[0].resource.name: Required value: must specify a resource name',
    'spec.metrics[4].containerResource.container: Required value: must specify a container',
    'spec.metrics[4].containerResource.name: Required value: must specify a resource name',
  ],
  [
    'resources of odd names',
    { 'spec.metrics.4.containerResource.name': 'odd', 'spec.metrics.4.containerResource.container': 'C' },
    "spec.metrics[4].containerResource.container: Invalid value: \"C\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    'spec.metrics[4].containerResource.name: Invalid value: "odd": must be a standard resource for containers',
    'spec.metrics[4].containerResource.name: Invalid value: "odd": must be a standard resource type or fully qualified',
  ],
  [
    'windows below zero',
    { 'spec.behavior.scaleUp.stabilizationWindowSeconds': -1, 'spec.behavior.scaleDown': { stabilizationWindowSeconds: -1 } },
    'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero',
    'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero',
  ],
  [
    'a window beyond an hour',
    { 'spec.behavior.scaleUp.stabilizationWindowSeconds': 3601 },
    'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
  ],
  [
    'an unknown choice of policies',
    { 'spec.behavior.scaleUp.selectPolicy': 'Any' },
    'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Any": supported values: "Disabled", "Max", "Min"',
  ],
  ['no policies', { 'spec.behavior.scaleUp.policies': [] }, 'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'],
  [
    'a policy of an unknown type',
    { 'spec.behavior.scaleUp.policies.0.type': 'Nodes' },
    'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods"',
  ],
  [
    'a policy of nothing',
    { 'spec.behavior.scaleUp.policies.0.value': 0, 'spec.behavior.scaleUp.policies.0.periodSeconds': 0 },
    'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero',
    'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
  ],
  [
    'a policy of a long period',
    { 'spec.behavior.scaleUp.policies.0.periodSeconds': 1801 },
    'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
  ],
  [
    'a tolerance below zero',
    { 'spec.behavior.scaleUp.tolerance': '-0.1' },
    'spec.behavior.scaleUp.tolerance: Invalid value: "-100m": must be greater than or equal to 0',
  ],
]);

describeUpdateRefusals(
  'status of autoscalers',
  horizontalpodautoscalers,
  scaler,
  [
    [
      'fewer than no replicas',
      { 'status.currentReplicas': -1, 'status.desiredReplicas': -1 },
      'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  'status',
);
