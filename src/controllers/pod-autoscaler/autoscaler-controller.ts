// Scales what HorizontalPodAutoscalers point at, by their metrics: once in a period, whatever changes in between.
import { ApiError } from '#api/api-error.ts';
import { type LabelSelector, parseLabelSelector } from '#api/label-selector.ts';
import { parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { messageOf } from '#base/message-of.ts';
import { asNumber, parseQuantity } from '#base/quantity.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import { type AutoscalerMetrics, autoscalerMetrics } from '#controllers/pod-autoscaler/autoscaler-metrics.ts';
import { AutoscalerStatus, type StoredAutoscaler } from '#controllers/pod-autoscaler/autoscaler-status.ts';
import type { Tolerance } from '#controllers/pod-autoscaler/count-replicas.ts';
import { askMetric, type MetricProblem, type MetricProposal } from '#controllers/pod-autoscaler/metric-proposal.ts';
import { MetricsApis, noMatch } from '#controllers/pod-autoscaler/metrics-apis.ts';
import { type Behavior, limit, limitBy, recordScaling, type ScalingHistory, stabilize, stabilizeBy } from '#controllers/pod-autoscaler/scaling-history.ts';
import type { StoredPod } from '#controllers/workloads/pod-view.ts';

export interface AutoscalerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** How often each is looked at. */
  readonly periodMs: number;
  /** The served resource of a kind, in the version that is preferred; undefined: there is none. */
  readonly resourceOf: (group: string, kind: string) => ResourceAddress | undefined;
  /** The feature gate HPAScaleToZero. */
  readonly scalesToZero: boolean;
}

interface Scale extends KubernetesObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly selector?: string };
}

/** One autoscaler while it is looked at. */
interface Look {
  readonly key: string;
  readonly autoscaler: StoredAutoscaler;
  readonly status: AutoscalerStatus;
  readonly history: ScalingHistory;
  readonly now: number;
}

/** What a look wants: `replicas` undefined leaves the target as it is. */
interface Wish {
  readonly replicas: number | undefined;
  readonly reason: string;
  readonly metrics: readonly object[];
  /** Some metrics could not be had, the others were enough. */
  readonly problem?: string;
}

const defaultTolerance = 0.1;
const conflictRetries = 5;

export function autoscalerController(options: AutoscalerOptions): Controller {
  return new Autoscalers(options).controller;
}

class Autoscalers {
  readonly controller: Controller;
  readonly #options: AutoscalerOptions;
  readonly #autoscalers: Source<StoredAutoscaler>;
  readonly #pods: Source<StoredPod>;
  readonly #apis: MetricsApis;
  readonly #events: CoreEventRecorder;
  readonly #metrics: AutoscalerMetrics;
  readonly #histories = new Map<string, ScalingHistory>();
  /** Which pods each autoscaler was last known to be about. */
  readonly #selectors = new Map<string, LabelSelector>();
  readonly #desired = new Map<string, number>();

  constructor(options: AutoscalerOptions) {
    const { sources, client, clock, log, metrics, resourceOf } = options;
    this.#options = options;
    this.#autoscalers = sources.of(kinds.horizontalPodAutoscalers);
    this.#pods = sources.of(kinds.pods);
    this.#apis = new MetricsApis({ client, resourceOf });
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'horizontal-pod-autoscaler' });
    this.#metrics = autoscalerMetrics(metrics.ofLoops, () => this.#histories.size, this.#desired);
    this.controller = controller({
      ...options,
      name: 'horizontal-pod-autoscaler-controller',
      sources: [keysOf(this.#autoscalers, (item, type) => (type === 'MODIFIED' ? [] : [sourceKey(item)])), keysOf(this.#pods, () => [])],
      reconcile: (key) => this.#reconcile(key),
      workers: 5,
    });
  }

  async #reconcile(key: string): Promise<{ readonly againMs: number } | void> {
    const { namespace, name } = splitKey(key);
    const autoscaler = this.#autoscalers.get(namespace, name)?.object;
    if (autoscaler === undefined) return this.#forget(key);
    const history = this.#histories.get(key);
    // As the original, one that is new is looked at after the first period.
    if (history === undefined) this.#histories.set(key, { recommendations: [], ups: [], downs: [] });
    else await this.#measured(key, autoscaler, history);
    return { againMs: this.#options.periodMs };
  }

  #forget(key: string): void {
    for (const known of [this.#histories, this.#selectors, this.#desired]) known.delete(key);
  }

  /** What fails is tried again after the period, not sooner. */
  async #measured(key: string, autoscaler: StoredAutoscaler, history: ScalingHistory): Promise<void> {
    const began = performance.now();
    const at = this.#options.clock.now();
    const before = autoscaler.status?.desiredReplicas ?? 0;
    let error = 'none';
    try {
      await this.#look({ key, autoscaler, status: new AutoscalerStatus(autoscaler, at), history, now: at.getTime() });
    } catch (problem) {
      error = 'internal';
      this.#options.log.debug('an autoscaler could not do all it should', { key, err: String(problem) });
    }
    const after = this.#desired.get(key) ?? before;
    const action = after > before ? 'scale_up' : after < before ? 'scale_down' : 'none';
    this.#metrics.looks.at(action, error).value += 1;
    this.#metrics.lookSeconds.at(action, error).observe((performance.now() - began) / 1000);
  }

  async #look(look: Look): Promise<void> {
    const { autoscaler, status, history } = look;
    let found: { readonly scale: Scale; readonly resource: ResourceAddress };
    try {
      found = await this.#scaleOf(autoscaler);
    } catch (error) {
      this.#tell(autoscaler, 'Warning', 'FailedGetScale', messageOf(error));
      const message = `the HPA controller was unable to get the target's current scale: ${messageOf(error)}`;
      status.tell('AbleToScale', 'False', { reason: 'FailedGetScale', message });
      await this.#write(look);
      throw error;
    }
    const { scale, resource } = found;
    status.tell('AbleToScale', 'True', { reason: 'SucceededGetScale', message: "the HPA controller was able to get the target's current scale" });
    const current = scale.spec?.replicas ?? 0;
    if (history.recommendations.length === 0) history.recommendations = [{ replicas: current, at: look.now }];
    const wish = await this.#wishOf(look, scale, current);
    if (wish === undefined) return this.#write(look);
    await this.#rescale(look, wish, scale, resource, current);
    if (wish.problem !== undefined) throw new Error(wish.problem);
  }

  async #scaleOf({ metadata, spec }: StoredAutoscaler): Promise<{ readonly scale: Scale; readonly resource: ResourceAddress }> {
    const { apiVersion = '', kind = '', name = '' } = spec?.scaleTargetRef ?? {};
    const parsed = apiVersion === '' ? { group: '', version: '' } : parseApiVersion(apiVersion);
    if (parsed === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
    const resource = this.#options.resourceOf(parsed.group, kind);
    if (resource === undefined) throw new Error(noMatch(parsed.group, kind));
    const scale = await this.#options.client.getAt<Scale>(resource, { namespace: metadata.namespace ?? '', name, subresource: 'scale' });
    return { scale, resource };
  }

  /** Undefined: no metric could be had. */
  async #wishOf(look: Look, scale: Scale, current: number): Promise<Wish | undefined> {
    const { autoscaler, status } = look;
    const { minReplicas: min = 1, maxReplicas: max = 0 } = autoscaler.spec ?? {};
    const wasScaledToZero = this.#options.scalesToZero && status.is('ScaledToZero');
    if (current === 0 && !(wasScaledToZero && (min !== 0 || hasObjectMetrics(autoscaler)))) {
      status.tell('ScalingActive', 'False', { reason: 'ScalingDisabled', message: 'scaling is disabled since the replica count of the target is zero' });
      if (!this.#options.scalesToZero) status.forget('ScaledToZero');
      return { replicas: undefined, reason: '', metrics: [] };
    }
    if (current > max) return { replicas: max, reason: 'Current number of replicas above Spec.MaxReplicas', metrics: [] };
    if (current > 0 && current < min) return { replicas: min, reason: 'Current number of replicas below Spec.MinReplicas', metrics: [] };
    const computed = await this.#compute(look, scale);
    if (computed === undefined) return undefined;
    const { replicas: desired, name, metrics, problem } = computed;
    const reason = desired > current ? `${name} above target` : desired < current ? 'All metrics below target' : '';
    const normal = this.#normalize(look, { current, desired, min, max });
    const replicas = current === 0 && min !== 0 ? Math.max(normal, min) : normal;
    const why = reason === '' && replicas !== current ? 'Current number of replicas below Spec.MinReplicas' : reason;
    return { replicas: replicas === current ? undefined : replicas, reason: why, metrics, ...(problem !== undefined && { problem }) };
  }

  #normalize({ autoscaler, status, history, now }: Look, bounds: { current: number; desired: number; min: number; max: number }): number {
    const behavior = behaviorOf(autoscaler);
    const stable = behavior ? stabilizeBy(behavior, history, bounds, now) : stabilize(history, bounds.desired, now);
    status.tell('AbleToScale', 'True', stable);
    const limited = behavior ? limitBy(behavior, history, { ...bounds, desired: stable.replicas }, now) : limit({ ...bounds, desired: stable.replicas });
    status.tell('ScalingLimited', limited.replicas === stable.replicas ? 'False' : 'True', limited);
    return limited.replicas;
  }

  /** The metric that asks for most decides. Where some cannot be had, the others may only scale up. */
  async #compute(look: Look, scale: Scale) {
    const { autoscaler, status } = look;
    const current = scale.spec?.replicas ?? 0;
    const selector = this.#selectorOf(look, scale.status?.selector ?? '');
    if (typeof selector === 'string') return this.#giveUp(look, current, [], selector);
    const specs = autoscaler.spec?.metrics ?? [];
    const answers = await this.#askAll(look, scale, selector);
    const problems = answers.filter((answer): answer is MetricProblem => 'cause' in answer);
    const proposals = answers.filter((answer): answer is MetricProposal => 'replicas' in answer);
    const most = proposals.reduce((best, one) => (best === undefined || best.replicas === 0 || one.replicas > best.replicas ? one : best), proposals[0]);
    const metrics = answers.map((answer) => ('status' in answer ? answer.status : { type: '' }));
    const [first] = problems;
    const problem = first && `invalid metrics (${problems.length} invalid out of ${specs.length}), first error is: ${first.cause}`;
    if (most === undefined || (first && most.replicas < current)) {
      if (first) status.tell('ScalingActive', 'False', { reason: first.reason, message: `the HPA was unable to compute the replica count: ${first.message}` });
      return this.#giveUp(look, current, metrics, problem ?? '');
    }
    status.tell('ScalingActive', 'True', {
      reason: 'ValidMetricFound',
      message: `the HPA was able to successfully calculate a replica count from ${most.name}`,
    });
    return { replicas: most.replicas, name: most.name, metrics, problem };
  }

  #giveUp({ autoscaler, status }: Look, current: number, metrics: readonly object[], problem: string): undefined {
    status.count(current, status.desiredReplicas, metrics, false);
    this.#tell(autoscaler, 'Warning', 'FailedComputeMetricsReplicas', problem);
    return undefined;
  }

  async #askAll({ autoscaler, now }: Look, scale: Scale, selector: LabelSelector): Promise<readonly (MetricProposal | MetricProblem)[]> {
    const namespace = autoscaler.metadata.namespace ?? '';
    const pods = () => this.#podsOf(namespace, selector);
    const replicas = { specReplicas: scale.spec?.replicas ?? 0, statusReplicas: scale.status?.replicas ?? 0 };
    const question = { apis: this.#apis, namespace, selector, pods, ...replicas, tolerance: toleranceOf(autoscaler), now };
    const answers: (MetricProposal | MetricProblem)[] = [];
    for (const spec of autoscaler.spec?.metrics ?? []) {
      const began = performance.now();
      const answer = await askMetric(question, spec);
      answers.push(answer);
      const error = 'cause' in answer ? (answer.reason === 'InvalidMetricSourceType' ? 'spec' : 'internal') : 'none';
      if ('cause' in answer) this.#tell(autoscaler, 'Warning', answer.reason, answer.message);
      const wanted = 'replicas' in answer ? Math.sign(answer.replicas - (autoscaler.status?.currentReplicas ?? 0)) : 0;
      const labels = [wanted > 0 ? 'scale_up' : wanted < 0 ? 'scale_down' : 'none', error, spec.type];
      this.#metrics.computations.at(...labels).value += 1;
      this.#metrics.computationSeconds.at(...labels).observe((performance.now() - began) / 1000);
    }
    return answers;
  }

  #podsOf(namespace: string, selector: LabelSelector): readonly StoredPod[] {
    return this.#pods.list(namespace).flatMap(({ object }) => (selector.matches(object.metadata.labels) ? [object] : []));
  }

  /** A text: why its pods cannot be told. No pod may have two autoscalers. */
  #selectorOf({ key, autoscaler, status }: Look, text: string): LabelSelector | string {
    const refuse = (event: string, reason: string, problem: string, message = problem) => {
      this.#tell(autoscaler, 'Warning', event, problem);
      status.tell('ScalingActive', 'False', { reason, message });
      return problem;
    };
    if (text === '') return refuse('SelectorRequired', 'InvalidSelector', 'selector is required', "the HPA target's scale is missing a selector");
    let selector: LabelSelector;
    try {
      selector = parseLabelSelector(text);
    } catch (error) {
      return refuse('InvalidSelector', 'InvalidSelector', `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`);
    }
    this.#selectors.set(key, selector);
    const namespace = autoscaler.metadata.namespace ?? '';
    const pods = this.#podsOf(namespace, selector);
    const selecting = [...this.#selectors].filter(
      ([other, of]) => other.startsWith(`${namespace}/`) && pods.some(({ metadata }) => of.matches(metadata.labels)),
    );
    if (selecting.length <= 1) return selector;
    const names = selecting.map(([other]) => `{${splitKey(other).name} ${namespace}}`).join(' ');
    return refuse('AmbiguousSelector', 'AmbiguousSelector', `pods by selector ${text} are controlled by multiple HPAs: [${names}]`);
  }

  async #rescale(look: Look, { replicas, reason, metrics }: Wish, scale: Scale, resource: ResourceAddress, current: number): Promise<void> {
    const { key, autoscaler, status, history, now } = look;
    if (replicas !== undefined) {
      try {
        await this.#writeScale(resource, scale, replicas);
      } catch (error) {
        this.#tell(autoscaler, 'Warning', 'FailedRescale', `New size: ${replicas}; reason: ${reason}; error: ${messageOf(error)}`);
        const message = `the HPA controller was unable to update the target scale: ${messageOf(error)}`;
        status.tell('AbleToScale', 'False', { reason: 'FailedUpdateScale', message });
        status.count(current, status.desiredReplicas, metrics, false);
        await this.#write(look);
        throw error;
      }
      status.tell('AbleToScale', 'True', { reason: 'SucceededRescale', message: `the HPA controller was able to update the target scale to ${replicas}` });
      this.#tell(autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${reason}`);
      const behavior = behaviorOf(autoscaler);
      if (behavior) recordScaling(behavior, history, current, replicas, now);
      this.#tellScaledToZero(look, current, replicas);
    }
    status.count(current, replicas ?? current, metrics, replicas !== undefined);
    this.#desired.set(key, replicas ?? current);
    await this.#write(look);
  }

  #tellScaledToZero({ autoscaler, status }: Look, current: number, replicas: number): void {
    if (!this.#options.scalesToZero) return status.forget('ScaledToZero');
    const isScaledToZero = current > 0 && replicas === 0 && autoscaler.spec?.minReplicas === 0 && hasObjectMetrics(autoscaler);
    if (isScaledToZero) status.tell('ScaledToZero', 'True', { reason: 'ScaledToZero', message: 'the HPA controller scaled the workload to zero' });
    else status.tell('ScaledToZero', 'False', { reason: 'NotScaledToZero', message: 'the HPA controller did not scale the workload to zero' });
  }

  async #writeScale(resource: ResourceAddress, scale: Scale, replicas: number): Promise<void> {
    const { client } = this.#options;
    let latest = scale;
    for (let attempt = 1; ; attempt++) {
      try {
        await client.update(resource, { ...latest, spec: { ...latest.spec, replicas } }, 'scale');
        return;
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 409) || attempt === conflictRetries) throw error;
        const { namespace = '', name = '' } = scale.metadata;
        latest = (await client.findAt<Scale>(resource, { namespace, name, subresource: 'scale' })) ?? latest;
      }
    }
  }

  async #write({ autoscaler, status }: Look): Promise<void> {
    const next = status.changed();
    if (next === undefined) return;
    try {
      await this.#options.client.update(kinds.horizontalPodAutoscalers, { ...autoscaler, status: next } as StoredAutoscaler, 'status');
    } catch (error) {
      this.#tell(autoscaler, 'Warning', 'FailedUpdateStatus', messageOf(error));
      throw error;
    }
  }

  #tell(autoscaler: StoredAutoscaler, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.event(regarding(kinds.horizontalPodAutoscalers, autoscaler), type, reason, message);
  }
}

function behaviorOf({ spec }: StoredAutoscaler): Behavior | undefined {
  return spec?.behavior && { up: spec.behavior.scaleUp ?? {}, down: spec.behavior.scaleDown ?? {} };
}

function toleranceOf({ spec }: StoredAutoscaler): Tolerance {
  const read = (text: string | undefined) => (text === undefined ? defaultTolerance : asNumber(parseQuantity(text)));
  return { up: read(spec?.behavior?.scaleUp?.tolerance), down: read(spec?.behavior?.scaleDown?.tolerance) };
}

/** Only such metrics say something while no pod runs. */
function hasObjectMetrics({ spec }: StoredAutoscaler): boolean {
  return spec?.metrics?.some(({ type }) => type === 'Object' || type === 'External') === true;
}
