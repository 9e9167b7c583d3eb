// The status of an autoscaler while it is looked at, and its conditions.
import type { KubernetesObject } from '#api/object.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { HorizontalPodAutoscaler } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';

export type StoredAutoscaler = HorizontalPodAutoscaler & KubernetesObject;
type Status = NonNullable<StoredAutoscaler['status']>;
type Condition = NonNullable<Status['conditions']>[number];

export type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited' | 'ScaledToZero';

export class AutoscalerStatus {
  readonly #before: Status | undefined;
  readonly #now: Date;
  #conditions: readonly Condition[];
  #counts: Partial<Status>;

  constructor({ status }: StoredAutoscaler, now: Date) {
    this.#before = status;
    this.#now = now;
    this.#conditions = status?.conditions ?? [];
    this.#counts = status ?? {};
  }

  get desiredReplicas(): number {
    return this.#before?.desiredReplicas ?? 0;
  }

  is(type: ConditionType): boolean {
    return this.#conditions.some((condition) => condition.type === type && condition.status === 'True');
  }

  tell(type: ConditionType, status: 'True' | 'False', { reason, message }: { readonly reason: string; readonly message: string }): void {
    const before = this.#conditions.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : wholeSeconds(this.#now);
    const next = { type, status, lastTransitionTime, reason, message } as Condition;
    this.#conditions = before ? this.#conditions.map((one) => (one === before ? next : one)) : [...this.#conditions, next];
  }

  forget(type: ConditionType): void {
    this.#conditions = this.#conditions.filter((condition) => condition.type !== type);
  }

  count(currentReplicas: number, desiredReplicas: number, currentMetrics: readonly object[], isRescaled: boolean): void {
    const lastScaleTime = isRescaled ? wholeSeconds(this.#now) : this.#before?.lastScaleTime;
    const metrics = currentMetrics.length > 0 && { currentMetrics };
    this.#counts = { currentReplicas, desiredReplicas, ...metrics, ...(lastScaleTime && { lastScaleTime }) } as Partial<Status>;
  }

  /** Undefined: it says that already. */
  changed(): Status | undefined {
    const next = { ...this.#counts, ...(this.#conditions.length > 0 && { conditions: this.#conditions }) } as Status;
    return comparable(next) === comparable(this.#before) ? undefined : next;
  }
}

function comparable(status: Status | undefined): string {
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas = 0, currentMetrics, conditions } = status ?? ({} as Partial<Status>);
  return JSON.stringify([observedGeneration, lastScaleTime, currentReplicas, desiredReplicas, sorted(currentMetrics ?? []), sorted(conditions ?? [])]);
}

/** The order of keys does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, of]) => [key, sorted(of)]));
}
