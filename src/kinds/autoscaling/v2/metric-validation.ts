// The rules of the metrics an autoscaler follows.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, pathSegmentProblems } from '#base/formats.ts';
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { quantitySign } from '#kinds/rules/quantities.ts';
import { validateContainerResourceName } from '#kinds/rules/resource-names.ts';

export interface ReferenceRules {
  /** The apiVersion is not looked at. */
  readonly anyVersion: boolean;
  readonly coreGroup: boolean;
}

export function validateObjectReference(
  { kind, name, apiVersion = '' }: CrossVersionObjectReference,
  path: string,
  errors: FieldErrors,
  { anyVersion, coreGroup }: ReferenceRules,
): void {
  validateSegment(kind, `${path}.kind`, errors);
  validateSegment(name, `${path}.name`, errors);
  const problem = anyVersion ? undefined : apiVersionProblem(apiVersion, coreGroup);
  if (problem !== undefined) errors.invalid(`${path}.apiVersion`, apiVersion, problem);
}

function validateSegment(value: string, path: string, errors: FieldErrors, missing = ''): void {
  if (value === '') errors.required(path, missing);
  else errors.invalidEach(path, value, pathSegmentProblems(value));
}

export function apiVersionProblem(apiVersion: string, coreGroup: boolean): string | undefined {
  const slashes = apiVersion === '/' ? 0 : apiVersion.split('/').length - 1;
  if (slashes > 1) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = slashes === 1 ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return group === '' && !coreGroup ? 'apiVersion must specify API group' : undefined;
}

const sources = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
} as const satisfies Readonly<Record<string, keyof MetricSpec>>;
const types = Object.keys(sources).toSorted();

export function validateMetrics(metrics: readonly MetricSpec[], minReplicas: number | undefined, path: string, errors: FieldErrors, anyVersion: boolean): void {
  metrics.forEach((metric, index) => validateMetric(metric, `${path}[${index}]`, errors, anyVersion));
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    errors.forbidden(path, 'must specify at least one Object or External metric to support scaling to zero replicas');
  }
}

function validateMetric(metric: MetricSpec, path: string, errors: FieldErrors, anyVersion: boolean): void {
  const { type } = metric;
  if (type === '') errors.required(`${path}.type`, 'must specify a metric source type');
  if (!types.includes(type)) errors.notSupported(`${path}.type`, type, types);
  const present = Object.values(sources).filter((source) => metric[source] !== undefined);
  if (present[0] !== undefined) validateSource(metric, present[0], `${path}.${present[0]}`, errors, anyVersion);
  const expected = (sources as Readonly<Record<string, keyof typeof metric>>)[type];
  if (expected === undefined) errors.notSupported(`${path}.type`, type, types);
  else if (metric[expected] === undefined) errors.required(`${path}.${expected}`, 'must populate information for the given metric source');
  if (present.length === 1) return;
  for (const other of present) if (other !== expected) errors.forbidden(`${path}.${other}`, 'must populate the given metric source only');
}

type Source = (typeof sources)[keyof typeof sources];

function validateSource(metric: MetricSpec, source: Source, path: string, errors: FieldErrors, anyVersion: boolean): void {
  const { object, external, pods, resource, containerResource } = metric;
  if (source === 'object' && object) validateObjectSource(object, path, errors, anyVersion);
  if (source === 'external' && external) validateExternalSource(external, path, errors);
  if (source === 'pods' && pods) validatePodsSource(pods, path, errors);
  if (source === 'resource' && resource) validateResourceSource(resource, path, errors);
  if (source === 'containerResource' && containerResource) validateContainerResourceSource(containerResource, path, errors);
}

function validateObjectSource({ describedObject, metric, target }: ObjectMetricSource, path: string, errors: FieldErrors, anyVersion: boolean): void {
  validateObjectReference(describedObject, `${path}.describedObject`, errors, { anyVersion, coreGroup: true });
  validateIdentifier(metric, `${path}.metric`, errors);
  validateTarget(target, `${path}.target`, errors);
  if (target.value === undefined && target.averageValue === undefined) {
    errors.required(`${path}.target.averageValue`, 'must set either a target value or averageValue');
  }
}

function validateExternalSource({ metric, target }: ExternalMetricSource, path: string, errors: FieldErrors): void {
  validateIdentifier(metric, `${path}.metric`, errors);
  validateTarget(target, `${path}.target`, errors);
  const { value, averageValue } = target;
  if (value === undefined && averageValue === undefined) {
    errors.required(`${path}.target.averageValue`, 'must set either a target value for metric or a per-pod target');
  }
  if (value !== undefined && averageValue !== undefined) {
    errors.forbidden(`${path}.target.value`, 'may not set both a target value for metric and a per-pod target');
  }
}

function validatePodsSource({ metric, target }: PodsMetricSource, path: string, errors: FieldErrors): void {
  validateIdentifier(metric, `${path}.metric`, errors);
  validateTarget(target, `${path}.target`, errors);
  if (target.averageValue === undefined) errors.required(`${path}.target.averageValue`, 'must specify a positive target averageValue');
}

function validateContainerResourceSource({ name, container, target }: ContainerResourceMetricSource, path: string, errors: FieldErrors): void {
  if (name === '') errors.required(`${path}.name`, 'must specify a resource name');
  else validateContainerResourceName(name, `${path}.name`, errors);
  if (container === '') errors.required(`${path}.container`, 'must specify a container');
  else errors.invalidEach(`${path}.container`, container, dns1123LabelProblems(container));
  validateResourceTarget(target, `${path}.target`, errors);
}

function validateResourceSource({ name, target }: ResourceMetricSource, path: string, errors: FieldErrors): void {
  if (name === '') errors.required(`${path}.name`, 'must specify a resource name');
  validateResourceTarget(target, `${path}.target`, errors);
}

function validateResourceTarget(target: MetricTarget, path: string, errors: FieldErrors): void {
  validateTarget(target, path, errors);
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined) {
    errors.required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization');
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    errors.forbidden(`${path}.averageValue`, 'may not set both a target raw value and a target utilization');
  }
}

function validateTarget({ type, value, averageValue, averageUtilization }: MetricTarget, path: string, errors: FieldErrors): void {
  if (type === '') errors.required(`${path}.type`, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) errors.invalid(`${path}.type`, asJson(type), 'must be either Utilization, Value, or AverageValue');
  if (value !== undefined && quantitySign(value) <= 0) errors.invalid(`${path}.value`, value, 'must be positive');
  if (averageValue !== undefined && quantitySign(averageValue) <= 0) errors.invalid(`${path}.averageValue`, averageValue, 'must be positive');
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0');
  }
}

function validateIdentifier({ name }: MetricIdentifier, path: string, errors: FieldErrors): void {
  validateSegment(name, `${path}.name`, errors, 'must specify a metric name');
}
