// What admission counts: its two steps, and every question to a webhook.
import type { AdmissionObserver, Took } from '#admission/admission.ts';
import type { WebhookObserver, WebhookOutcome } from '#admission/webhooks/webhook-observer.ts';
import type { ConditionsObserver } from '#admission/expressions/match-conditions.ts';
import type { PolicyObserver } from '#admission/policies/policy-observer.ts';
import { type Count, countSamples, Histogram, histogramSamples, type Metric, newCount, Series } from '#base/metrics.ts';
import { outOfBudget } from '#cel/cost/limits.ts';

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const webhookBuckets = [...buckets, 10, 25];
const conditionBuckets = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];
/** As upstream does: codes beyond those of HTTP are one label. */
const highestCode = 600;

export class AdmissionMetrics {
  readonly #now: () => number;
  readonly #plugins = new Series<Histogram>(['name', 'type', 'operation', 'rejected'], () => new Histogram(buckets));
  readonly #steps = new Series<Histogram>(['type', 'operation', 'rejected'], () => new Histogram(buckets));
  readonly #webhooks = new Series<Histogram>(['name', 'type', 'operation', 'rejected'], () => new Histogram(webhookBuckets));
  readonly #requests = new Series<Count>(['name', 'type', 'operation', 'code', 'rejected'], newCount);
  readonly #rejections = new Series<Count>(['name', 'type', 'operation', 'error_type', 'rejection_code'], newCount);
  readonly #failOpen = new Series<Count>(['name', 'type'], newCount);
  readonly #exclusions = new Series<Count>(['name', 'kind', 'type', 'operation'], newCount);
  readonly #conditionErrors = new Series<Count>(['name', 'kind', 'type', 'operation'], newCount);
  readonly #validating = new PolicyChecks(['policy', 'policy_binding', 'error_type', 'enforcement_action']);
  readonly #mutating = new PolicyChecks(['policy', 'policy_binding', 'error_type']);
  readonly #conditions = new Series<Histogram>(['name', 'kind', 'type', 'operation'], () => new Histogram(conditionBuckets));

  /** `now`: monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get steps(): AdmissionObserver {
    return {
      now: this.#now,
      plugin: (name, step, operation) => observing((rejected) => this.#plugins.at(name, step, operation, rejected)),
      step: (step, operation) => observing((rejected) => this.#steps.at(step, operation, rejected)),
    };
  }

  readonly webhooks: WebhookObserver = {
    onOutcome: (outcome) => this.#count(outcome),
    onFailOpen: (name, type) => {
      this.#failOpen.at(name, type).value += 1;
    },
    onConditions: (name, kind, type, operation) => this.#timeConditions(name, kind, type, operation),
  };

  /** Upstream counts what conditions keep from webhooks, but not what they keep from policies. */
  readonly #timeConditions: ConditionsObserver = (name, kind, type, operation) => {
    const began = this.#now();
    return ({ is, problems }) => {
      const labels = [name, kind, type, operation];
      this.#conditions.at(...labels).observe((this.#now() - began) / 1000);
      if (is === 'mismatch' && kind === 'webhook') this.#exclusions.at(...labels).value += 1;
      if (problems > 0) this.#conditionErrors.at(...labels).value += problems;
    };
  };

  get policies(): PolicyObserver {
    return {
      now: this.#now,
      onCheck: ({ policy, binding, action, message, seconds }) => this.#validating.observe(seconds, policy, binding, errorType(message), action),
      onMutation: ({ policy, binding, problem, seconds }) => this.#mutating.observe(seconds, policy, binding, errorType(problem)),
      onConditions: this.#timeConditions,
    };
  }

  #count({ name, type, operation, seconds, rejected, code, error, canceled }: WebhookOutcome): void {
    const label = String(Math.min(code, highestCode));
    this.#webhooks.at(name, type, operation, String(rejected)).observe(seconds);
    this.#requests.at(name, type, operation, label, String(rejected)).value += 1;
    if (rejected && !canceled) this.#rejections.at(name, type, operation, error, label).value += 1;
  }

  metrics(): readonly Metric[] {
    const histogram = (name: string, stability: Metric['stability'], help: string, series: Series<Histogram>): Metric => ({
      name: `apiserver_admission_${name}`,
      type: 'histogram',
      stability,
      help,
      samples: () => histogramSamples(series),
    });
    const counter = (name: string, help: string, series: Series<Count>): Metric => ({
      name: `apiserver_admission_${name}`,
      type: 'counter',
      stability: 'ALPHA',
      help,
      samples: () => countSamples(series),
    });
    return [
      histogram('controller_admission_duration_seconds', 'STABLE', 'Time that one plugin took', this.#plugins),
      histogram('step_admission_duration_seconds', 'STABLE', 'Time that all plugins of a step took', this.#steps),
      {
        name: 'apiserver_admission_step_admission_duration_seconds_summary',
        type: 'summary',
        stability: 'ALPHA',
        help: 'Time that all plugins of a step took, without quantiles',
        samples: () => [...histogramSamples(this.#steps)].filter(({ suffix }) => suffix !== '_bucket'),
      },
      histogram('webhook_admission_duration_seconds', 'STABLE', 'Time until a webhook had answered', this.#webhooks),
      counter('webhook_request_total', 'Questions to webhooks, by the code of the answer', this.#requests),
      counter('webhook_rejection_count', 'Requests that a webhook refused, or that were refused because it failed', this.#rejections),
      counter('webhook_fail_open_count', 'Failures of webhooks that were ignored', this.#failOpen),
      counter('match_condition_exclusions_total', 'Requests that match conditions kept from a webhook', this.#exclusions),
      counter('match_condition_evaluation_errors_total', 'Match conditions that could not be evaluated', this.#conditionErrors),
      histogram('match_condition_evaluation_seconds', 'ALPHA', 'Time that match conditions took', this.#conditions),
      ...this.#validating.metrics('validating', 'BETA'),
      ...this.#mutating.metrics('mutating', 'ALPHA'),
    ];
  }
}

/** Whatever passes is there from the first question on; what is refused from the first refusal on. */
function observing(histogram: (rejected: 'true' | 'false') => Histogram): Took {
  const passed = histogram('false');
  return (milliseconds, isRefused) => (isRefused ? histogram('true') : passed).observe(milliseconds / 1000);
}

const checkBuckets = [0.0000005, 0.001, 0.01, 0.1, 1];

/** Expressions of policies: how many, and how long they took. */
class PolicyChecks {
  readonly #total: Series<Count>;
  readonly #durations: Series<Histogram>;

  constructor(labels: readonly string[]) {
    this.#total = new Series(labels, newCount);
    this.#durations = new Series(labels, () => new Histogram(checkBuckets));
  }

  observe(seconds: number, ...labels: readonly string[]): void {
    this.#total.at(...labels).value += 1;
    this.#durations.at(...labels).observe(seconds);
  }

  metrics(flavour: string, stability: Metric['stability']): readonly Metric[] {
    const prefix = `apiserver_${flavour}_admission_policy_check`;
    const [total, durations] = [this.#total, this.#durations];
    return [
      { name: `${prefix}_total`, type: 'counter', stability, help: `Expressions of ${flavour} policies`, samples: () => countSamples(total) },
      { name: `${prefix}_duration_seconds`, type: 'histogram', stability, help: 'Time that they took', samples: () => histogramSamples(durations) },
    ];
  }
}

/** As upstream tells them apart: a validation that is false is an `invalid_error` as well. */
function errorType(problem: string | undefined): string {
  if (problem === undefined) return 'no_error';
  if (problem.startsWith('compilation')) return 'compile_error';
  return problem === outOfBudget ? 'out_of_budget' : 'invalid_error';
}
