/**
 * The state of one run: cost, variables, what was awaited. A run that must wait, or has had its share of the event loop, is abandoned by throwing Suspension
 * and started again; comprehensions then go on from their checkpoints instead of from their beginnings, so re-running costs little. Plain expressions pay
 * nothing for this.
 */
import type { Activation } from '../evaluation.ts';
import type { CelValue, Result } from '../value.ts';

export type Evaluator = (state: EvaluationState) => Result;

/** A local variable: a value, the error a fold has come to, or nothing yet. */
export type Slot = Result | undefined;

/** Thrown to abandon a run: until the promise settles, or only until others had their turn. */
export class Suspension {
  readonly until: Promise<void> | undefined;
  constructor(until?: Promise<void>) {
    this.until = until;
  }
}

/** Thrown when the cost passes the limit. */
export class CostLimitExceeded {}

/** What a comprehension iterates over: elements of a list, or keys of a map. */
export interface Iterated {
  readonly range: CelValue;
  readonly keys: readonly CelValue[] | undefined;
  readonly size: number;
}

/** How far a comprehension has come, for the next run. */
export interface Checkpoint {
  /** Checkpoints of comprehensions within the current iteration, by node id. */
  readonly inner: Map<number, Checkpoint>;
  /** The range is evaluated once, even if the loop is suspended. */
  iterated: Iterated | undefined;
  next: number;
  accumulator: Slot;
  spent: number;
  outcome: Result | undefined;
}

export class EvaluationState {
  cost = 0;
  readonly costLimit: number;
  readonly activation: Activation;
  readonly slots: Slot[];
  /** Answers of awaited calls. */
  readonly settled = new Map<string, Result>();
  /** The checkpoint of the comprehension around, when runs may be suspended. */
  checkpoint: Checkpoint | undefined;
  readonly #mayStop: (() => boolean) | undefined;
  #iterations = 0;

  constructor(activation: Activation, slotCount: number, costLimit: number, mayStop?: () => boolean) {
    this.activation = activation;
    this.slots = slotCount === 0 ? [] : Array.from<Slot>({ length: slotCount });
    this.costLimit = costLimit;
    this.#mayStop = mayStop;
    if (mayStop !== undefined) this.checkpoint = newCheckpoint();
  }

  /** Charges for a call; ends a run that is too dear at once, since what follows may be work on what the call made. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.costLimit) throw new CostLimitExceeded();
  }

  /** Between iterations: ends a run that is too dear, suspends one that has had its time. */
  betweenIterations(): void {
    if (this.cost > this.costLimit) throw new CostLimitExceeded();
    if (this.#mayStop !== undefined && (++this.#iterations & 15) === 0 && this.#mayStop()) throw new Suspension();
  }
}

export function newCheckpoint(): Checkpoint {
  return { inner: new Map(), iterated: undefined, next: 0, accumulator: undefined, spent: 0, outcome: undefined };
}
