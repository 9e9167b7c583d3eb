// What one metric of an autoscaler asks for: how many replicas, in which words, and what its status shows.
import { labelSelectorFrom, type LabelSelector, type LabelSelectorObject } from '#api/label-selector.ts';
import { labelSelectorText } from '#api/label-selector-text.ts';
import { messageOf } from '#base/message-of.ts';
import { formatQuantity, quantityOf } from '#base/quantity.ts';
import { byAverage, byRatio, byShare, byUtilization, type PodsAndMetrics, type Tolerance } from '#controllers/pod-autoscaler/count-replicas.ts';
import { type MetricsApis, milli } from '#controllers/pod-autoscaler/metrics-apis.ts';
import type { StoredPod } from '#controllers/workloads/pod-view.ts';
import type { CrossVersionObjectReference, MetricSpec, MetricTarget } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';

export interface MetricProposal {
  readonly replicas: number;
  /** In messages. */
  readonly name: string;
  readonly status: object;
}

/** Why a metric says nothing. `reason` and `message` become the condition and an Event, `cause` what the autoscaler as a whole tells. */
export interface MetricProblem {
  readonly reason: string;
  readonly message: string;
  readonly cause: string;
}

export interface MetricQuestion {
  readonly apis: MetricsApis;
  readonly namespace: string;
  readonly selector: LabelSelector;
  /** Those that the selector selects, as they are once the metrics are there. */
  readonly pods: () => readonly StoredPod[];
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly tolerance: Tolerance;
  readonly now: number;
}

/** Says what went wrong in two ways: as the metric tells it, and with what the metric's kind puts before. */
class Problem extends Error {
  readonly prefix: string;

  constructor(message: string, prefix = '') {
    super(message);
    this.prefix = prefix;
  }
}

type Ask = (question: MetricQuestion, spec: MetricSpec) => Promise<MetricProposal>;

const askFor: Readonly<Record<string, { readonly ask: Ask; readonly reason: string; readonly failed: (spec: MetricSpec) => string }>> = {
  Object: { ask: askObject, reason: 'FailedGetObjectMetric', failed: () => 'failed to get object metric value' },
  Pods: { ask: askPods, reason: 'FailedGetPodsMetric', failed: () => 'failed to get pods metric value' },
  Resource: { ask: askResource, reason: 'FailedGetResourceMetric', failed: ({ resource }) => `failed to get ${resource?.name} resource metric value` },
  ContainerResource: {
    ask: askContainer,
    reason: 'FailedGetContainerResourceMetric',
    failed: ({ containerResource }) => `failed to get ${containerResource?.container} container metric value`,
  },
  External: { ask: askExternal, reason: 'FailedGetExternalMetric', failed: ({ external }) => `failed to get ${external?.metric.name} external metric value` },
};

export async function askMetric(question: MetricQuestion, spec: MetricSpec): Promise<MetricProposal | MetricProblem> {
  const kind = Object.hasOwn(askFor, spec.type) ? askFor[spec.type] : undefined;
  if (kind === undefined) {
    const message = `unknown metric source type ${JSON.stringify(spec.type)}`;
    return { reason: 'InvalidMetricSourceType', message, cause: message };
  }
  try {
    return await kind.ask(question, spec);
  } catch (error) {
    const message = messageOf(error);
    const prefix = error instanceof Problem ? error.prefix : '';
    return { reason: kind.reason, message, cause: `${kind.failed(spec)}: ${prefix}${message}` };
  }
}

async function askResource(question: MetricQuestion, spec: MetricSpec): Promise<MetricProposal> {
  const { name = '', target } = spec.resource ?? {};
  const { current, ...proposal } = await resourceProposal(question, name, '', target);
  return { ...proposal, status: { type: 'Resource', resource: { name, current } } };
}

async function askContainer(question: MetricQuestion, spec: MetricSpec): Promise<MetricProposal> {
  const { name = '', container = '', target } = spec.containerResource ?? {};
  const { current, ...proposal } = await resourceProposal(question, name, container, target);
  return { ...proposal, status: { type: 'ContainerResource', containerResource: { name, container, current } } };
}

async function resourceProposal(question: MetricQuestion, resource: string, container: string, target: MetricTarget | undefined) {
  const { averageValue, averageUtilization } = target ?? {};
  if (averageValue !== undefined) {
    const given = await prefixed(`failed to get ${resource} usage: `, () => resourceMetrics(question, resource, container));
    const { replicas, usage } = await prefixed(`failed to get ${resource} usage: `, () => byAverage(given, milli(averageValue)));
    return { replicas, name: `${resource} resource`, current: { averageValue: amount(usage, resource) } };
  }
  if (averageUtilization === undefined) {
    throw new Problem('invalid resource metric source: neither an average utilization target nor an average value (usage) target was set');
  }
  const failed = `failed to get ${resource} utilization: `;
  const given = await prefixed(failed, () => resourceMetrics(question, resource, container));
  const { replicas, usage, utilization } = await prefixed(failed, () => byUtilization(given, averageUtilization, container));
  const name = `${resource} ${container === '' ? '' : 'container '}resource utilization (percentage of request)`;
  return { replicas, name, current: { averageUtilization: utilization, averageValue: amount(usage, resource) } };
}

async function resourceMetrics(question: MetricQuestion, resource: string, container: string): Promise<PodsAndMetrics> {
  const { apis, namespace, selector } = question;
  const metrics = await prefixed(`unable to get metrics for resource ${resource}: `, () => apis.ofResource(resource, namespace, selector, container));
  return podsAnd(question, metrics, resource);
}

function podsAnd({ pods, specReplicas, tolerance, now }: MetricQuestion, metrics: PodsAndMetrics['metrics'], resource: string): PodsAndMetrics {
  return { pods: pods(), metrics, resource, current: specReplicas, tolerance, now };
}

async function askPods(question: MetricQuestion, { pods }: MetricSpec): Promise<MetricProposal> {
  const { name = '', selector } = pods?.metric ?? {};
  const { apis, namespace } = question;
  const metrics = await prefixed(`unable to get metric ${name}: `, () => apis.ofPods(name, namespace, question.selector, metricSelector(selector)));
  const { replicas, usage } = byAverage(podsAnd(question, metrics, ''), milli(pods?.target.averageValue ?? '0'));
  const status = { type: 'Pods', pods: { metric: identifier(name, selector), current: { averageValue: amount(usage) } } };
  return { replicas, name: `pods metric ${name}`, status };
}

async function askObject(question: MetricQuestion, { object }: MetricSpec): Promise<MetricProposal> {
  const { name = '', selector } = object?.metric ?? {};
  const { type, value, averageValue } = object?.target ?? ({} as Partial<MetricTarget>);
  const described = object?.describedObject as CrossVersionObjectReference;
  const { specReplicas, statusReplicas, tolerance, pods } = question;
  const shown = (current: object) => ({ type: 'Object', object: { describedObject: described, metric: identifier(name, selector), current } });
  if (type === 'Value' && value !== undefined) {
    const usage = await objectMetric(question, name, described, selector);
    const replicas = byRatio(specReplicas, usage / milli(value), tolerance, pods());
    return { replicas, name: `${described.kind} metric ${name}`, status: shown({ value: amount(usage) }) };
  }
  if (type === 'AverageValue' && averageValue !== undefined) {
    const total = await withPrefix(`failed to get ${name} object metric: `, () => objectMetric(question, name, described, selector));
    const { replicas, usage } = byShare(statusReplicas, total, milli(averageValue), tolerance);
    return {
      replicas,
      name: `external metric ${name}(${labelSelectorText(selector as LabelSelectorObject | undefined)})`,
      status: shown({ averageValue: amount(usage) }),
    };
  }
  throw new Problem('invalid object metric source: neither a value target nor an average value target was set');
}

/** The original puts the words of this message in another order than it means to. */
async function objectMetric(
  { apis, namespace }: MetricQuestion,
  name: string,
  { apiVersion = '', kind, name: of }: CrossVersionObjectReference,
  selector: unknown,
): Promise<number> {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return prefixed(`unable to get metric ${name}: ${kind} on ${namespace} ${of}/`, () =>
    apis.ofObject(name, namespace, { group, kind, name: of }, metricSelector(selector)),
  );
}

async function askExternal(question: MetricQuestion, { external }: MetricSpec): Promise<MetricProposal> {
  const { name = '', selector } = external?.metric ?? {};
  const { value, averageValue } = external?.target ?? ({} as Partial<MetricTarget>);
  const { apis, namespace, specReplicas, statusReplicas, tolerance, pods } = question;
  const text = labelSelectorText(selector as LabelSelectorObject | undefined);
  const total = async () => {
    const values = await prefixed(`unable to get external metric ${namespace}/${name}/${text}: `, () =>
      apis.ofExternal(name, namespace, metricSelector(selector)),
    );
    return values.reduce((sum, one) => sum + one, 0);
  };
  const shown = (current: object) => ({ type: 'External', external: { metric: identifier(name, selector), current } });
  if (averageValue !== undefined) {
    const used = await withPrefix(`failed to get ${name} external metric: `, total);
    const { replicas, usage } = byShare(statusReplicas, used, milli(averageValue), tolerance);
    return { replicas, name: `external metric ${name}(${text})`, status: shown({ averageValue: amount(usage) }) };
  }
  if (value === undefined) throw new Problem('invalid external metric source: neither a value target nor an average value target was set');
  return withPrefix(`failed to get external metric ${name}: `, async () => {
    const usage = await total();
    const replicas = byRatio(specReplicas, usage / milli(value), tolerance, pods());
    return { replicas, name: `external metric ${name}(${text})`, status: shown({ value: amount(usage) }) };
  });
}

function metricSelector(selector: unknown): LabelSelector {
  return selector === undefined ? labelSelectorFrom({}) : labelSelectorFrom(selector as LabelSelectorObject);
}

function identifier(name: string, selector: unknown): object {
  return { name, ...(selector !== undefined && { selector }) };
}

/** Memory in powers of 1024, as the server of metrics tells it. */
function amount(thousandths: number, resource = ''): string {
  return formatQuantity(quantityOf(BigInt(Math.trunc(thousandths)), resource === 'memory' ? 'BinarySI' : 'DecimalSI', -3));
}

async function prefixed<T>(prefix: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Problem(prefix + messageOf(error));
  }
}

/** Only what the autoscaler as a whole tells has the prefix. */
async function withPrefix<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Problem(messageOf(error), prefix);
  }
}
