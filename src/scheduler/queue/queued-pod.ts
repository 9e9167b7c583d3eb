import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';

/** A pod that waits for a node, and what was tried. */
export interface QueuedPod {
  facts: PodFacts;
  /** When it came, or was last tried. */
  since: number;
  /** Tells pods of the same time apart. */
  readonly order: number;
  attempts: number;
  /** When the attempt began that is under way (performance.now). */
  triedAt: number;
  /** How often it did not fit, and how often in a row it could not be judged or bound. */
  misfits: number;
  failures: number;
  /** Until when it is not tried again while others wait; undefined: to be worked out. */
  backoffEnd: number | undefined;
  /** The plugins that rejected it. */
  rejectedBy: ReadonlySet<string>;
  /** The plugin that does not even let it into the queue. */
  gate: string | undefined;
  /** Since when it lies unmoved; it is tried again after some minutes in any case. */
  flushed: number;
}

export function queuedPod(facts: PodFacts, now: number, order: number): QueuedPod {
  return {
    facts,
    since: now,
    order,
    attempts: 0,
    triedAt: 0,
    misfits: 0,
    failures: 0,
    backoffEnd: undefined,
    rejectedBy: new Set(),
    gate: undefined,
    flushed: 0,
  };
}
