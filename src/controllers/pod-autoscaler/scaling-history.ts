// What was recommended and done lately for each autoscaler, and what that allows now: stabilisation windows and policies of its behaviour.
import type { HPAScalingRules } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';

export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

interface Change {
  readonly replicas: number;
  readonly at: number;
}

export interface ScalingHistory {
  recommendations: readonly Change[];
  /** By how many replicas it was scaled. */
  ups: readonly Change[];
  downs: readonly Change[];
}

export interface Bounds {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
}

export const defaultWindowMs = 5 * 60_000;

const within = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
const tooFew = { reason: 'TooFewReplicas', message: 'the desired replica count is less than the minimum replica count' };
const tooMany = { reason: 'TooManyReplicas', message: 'the desired replica count is more than the maximum replica count' };
const tooFastUp = { reason: 'ScaleUpLimit', message: 'the desired replica count is increasing faster than the maximum scale rate' };
const tooFastDown = { reason: 'ScaleDownLimit', message: 'the desired replica count is decreasing faster than the maximum scale rate' };
const heldHigh = { reason: 'ScaleDownStabilized', message: 'recent recommendations were higher than current one, applying the highest recent recommendation' };
const heldLow = { reason: 'ScaleUpStabilized', message: 'recent recommendations were lower than current one, applying the lowest recent recommendation' };
export const readyToScale = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };

/** Without a behaviour: the highest recommendation of the last minutes counts. */
export function stabilize(history: ScalingHistory, desired: number, now: number): Limited {
  const recent = history.recommendations.filter(({ at }) => at >= now - defaultWindowMs);
  history.recommendations = [...recent, { replicas: desired, at: now }];
  const highest = Math.max(desired, ...recent.map(({ replicas }) => replicas));
  return { replicas: highest, ...(highest === desired ? readyToScale : heldHigh) };
}

/** Without a behaviour: at most twice as many, or four. */
export function limit({ current, desired, min, max }: Bounds): Limited {
  const fastest = Math.max(2 * current, 4);
  if (desired < min) return { replicas: min, ...tooFew };
  if (desired > Math.min(max, fastest)) return max > fastest ? { replicas: fastest, ...tooFastUp } : { replicas: max, ...tooMany };
  return { replicas: desired, ...within };
}

export interface Behavior {
  readonly up: HPAScalingRules;
  readonly down: HPAScalingRules;
}

export function stabilizeBy({ up, down }: Behavior, history: ScalingHistory, { current, desired }: Bounds, now: number): Limited {
  const since = ({ stabilizationWindowSeconds }: HPAScalingRules) => now - (stabilizationWindowSeconds ?? defaultWindowMs / 1000) * 1000;
  const [upSince, downSince] = [since(up), since(down)];
  const known = history.recommendations;
  const lowest = Math.min(desired, ...known.filter(({ at }) => at > upSince).map(({ replicas }) => replicas));
  const highest = Math.max(desired, ...known.filter(({ at }) => at > downSince).map(({ replicas }) => replicas));
  history.recommendations = [...known.filter(({ at }) => at >= Math.min(upSince, downSince)), { replicas: desired, at: now }];
  const replicas = Math.min(Math.max(current, lowest), highest);
  if (replicas === desired) return { replicas, ...readyToScale };
  return { replicas, ...(desired >= current ? heldLow : heldHigh) };
}

export function limitBy({ up, down }: Behavior, history: ScalingHistory, { current, desired, min, max }: Bounds, now: number): Limited {
  if (desired > current) {
    const fastest = Math.max(current, policyLimit(up, 1, history, current, now));
    const most = Math.min(max, fastest);
    if (desired > most) return { replicas: most, ...(max > fastest ? tooFastUp : tooMany) };
  }
  if (desired < current) {
    const fastest = Math.min(current, policyLimit(down, -1, history, current, now));
    const least = Math.max(min, fastest);
    if (desired < least) return { replicas: least, ...(min < fastest ? tooFastDown : tooFew) };
  }
  return { replicas: desired, ...within };
}

/** How far the policies let it go from where each of their periods began. */
function policyLimit({ selectPolicy, policies = [] }: HPAScalingRules, direction: 1 | -1, history: ScalingHistory, current: number, now: number): number {
  if (selectPolicy === 'Disabled') return current;
  const limits = policies.map(({ type, value, periodSeconds }) => {
    const changed = (changes: readonly Change[]) =>
      changes.filter(({ at }) => at > now - periodSeconds * 1000).reduce((sum, { replicas }) => sum + replicas, 0);
    const before = current - changed(history.ups) + changed(history.downs);
    if (type === 'Pods') return before + direction * value;
    const scaled = before * (1 + (direction * value) / 100);
    // Rounded up, so that a small percentage does not keep it from growing at all.
    return direction > 0 ? Math.ceil(scaled) : Math.trunc(scaled);
  });
  const isLargest = (selectPolicy === 'Min') === direction < 0;
  return isLargest ? Math.max(...limits) : Math.min(...limits);
}

export function recordScaling({ up, down }: Behavior, history: ScalingHistory, before: number, after: number, now: number): void {
  const isKept = ({ policies = [] }: HPAScalingRules) => {
    const longest = Math.max(0, ...policies.map(({ periodSeconds }) => periodSeconds)) * 1000;
    return ({ at }: Change) => at >= now - longest;
  };
  if (after > before) history.ups = [...history.ups.filter(isKept(up)), { replicas: after - before, at: now }];
  else history.downs = [...history.downs.filter(isKept(down)), { replicas: before - after, at: now }];
}
