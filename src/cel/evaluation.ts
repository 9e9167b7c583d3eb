/** One run of a program: its variables, cost so far, limits, and what it waits for. */
import type { CelValue } from './value.ts';

/** Where a program finds its variables; a Map is one. Undefined means the variable has no value («no such attribute»). */
export interface Activation {
  get(name: string): CelValue | undefined;
}

export interface EvaluationOptions {
  /** Cost at which the evaluation is cancelled; Kubernetes' per-call limit is 1,000,000. */
  readonly costLimit?: number;
  /** Monotonic milliseconds (performance.now): with it, evaluateInSlices gives the event loop its turn. */
  readonly now?: () => number;
  /** Longest stretch without a turn for others, in milliseconds. */
  readonly sliceMillis?: number;
  readonly signal?: AbortSignal;
}

/** What came of an evaluation. `cost` counts up to the end or the failure. */
export type Outcome =
  | { readonly status: 'value'; readonly value: CelValue; readonly cost: number }
  | { readonly status: 'error'; readonly message: string; readonly cost: number; readonly reason: 'error' | 'costLimit' | 'cancelled' };

/** The text of cel-go for an evaluation over its cost limit. */
export const costLimitExceeded = 'operation cancelled: actual cost limit exceeded';
