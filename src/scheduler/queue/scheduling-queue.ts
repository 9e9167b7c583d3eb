// Pods that wait for a node.
//
//   new ──► active ──► tried ──► bound
//             ▲          └─(did not fit)─► unschedulable ──(something happened that could help, or minutes passed)─┐
//             ├──── back-off ◄──(failed, or tried a moment ago)─────────────────────────────────────────────────────┘
//   gated: let in by no one until what keeps it outside says so
//
// As in the original pods are taken out of back-off early when nothing else waits, unless they failed for a reason that is not theirs.
import type { Clock } from '#base/clock.ts';
import type { Timers } from '#base/timers.ts';
import type { Plugin } from '#scheduler/framework.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { Heap } from '#scheduler/queue/heap.ts';
import type { ClusterEvent, Hint } from '#scheduler/queue/hints.ts';
import { Nominations } from '#scheduler/queue/nominations.ts';
import { type QueuedPod, queuedPod } from '#scheduler/queue/queued-pod.ts';

export interface SchedulingQueueOptions {
  readonly plugins: readonly Plugin[];
  readonly clock: Clock;
  readonly timers: Timers;
  /** There is something to take. */
  readonly onReady: () => void;
}

const firstBackoffMs = 1_000;
const maxBackoffMs = 10_000;
/** Back-off ends on whole seconds, so that pods of one second are ordered by what they are worth. */
const windowMs = 1_000;
/** A pod that nothing has moved for so long is tried again: a hint may be wrong. */
const maxUnmovedMs = 5 * 60_000;
const flushEveryMs = 30_000;

export class SchedulingQueue {
  readonly nominations = new Nominations();
  readonly #options: SchedulingQueueOptions;
  readonly #active: Heap<QueuedPod>;
  readonly #backoff: Heap<QueuedPod>;
  readonly #failed: Heap<QueuedPod>;
  readonly #unschedulable = new Map<string, QueuedPod>();
  readonly #hints: ReadonlyMap<string, readonly { readonly plugin: string; readonly isWorth: Hint['isWorth'] }[]>;
  #lastOrder = 0;
  /** How to cancel what wakes the queue up: idle it has nothing. */
  #wake: (() => void) | undefined;
  #flush: (() => void) | undefined;

  constructor(options: SchedulingQueueOptions) {
    this.#options = options;
    this.#active = new Heap(keyOf, isMoreUrgent);
    const endsBefore = (a: QueuedPod, b: QueuedPod) => this.#backoffEnd(a) - this.#backoffEnd(b);
    this.#backoff = new Heap(keyOf, (a, b) => endsBefore(a, b) < 0 || (endsBefore(a, b) === 0 && isMoreUrgent(a, b)));
    this.#failed = new Heap(keyOf, (a, b) => endsBefore(a, b) < 0);
    this.#hints = hintsOf(options.plugins);
  }

  get isEmpty(): boolean {
    return this.#active.size === 0 && this.#backoff.size === 0;
  }

  /** Are there pods that something could help? */
  get isListening(): boolean {
    return this.#unschedulable.size > 0;
  }

  get sizes(): { readonly active: number; readonly backoff: number; readonly unschedulable: number; readonly gated: number } {
    const gated = [...this.#unschedulable.values()].filter(({ gate }) => gate !== undefined).length;
    return { active: this.#active.size, backoff: this.#backoff.size + this.#failed.size, unschedulable: this.#unschedulable.size - gated, gated };
  }

  add(facts: PodFacts): void {
    this.#activate(queuedPod(facts, this.#now(), ++this.#lastOrder));
    if (this.#active.get(facts.key) !== undefined) this.nominations.put(facts);
  }

  /** The most urgent pod; undefined: there is none to try now. */
  take(): QueuedPod | undefined {
    const queued = this.#active.take() ?? this.#backoff.take();
    if (queued === undefined) return undefined;
    queued.attempts++;
    return queued;
  }

  /** A pod that waits changed. `events` say what in it. */
  update(before: PodFacts, after: PodFacts, events: readonly ClusterEvent[]): void {
    const { key } = after;
    for (const heap of [this.#active, this.#backoff, this.#failed]) {
      const queued = heap.get(key);
      if (queued === undefined) continue;
      heap.remove(key);
      queued.facts = after;
      heap.put(queued);
      return this.nominations.update(before, after);
    }
    const queued = this.#unschedulable.get(key);
    if (queued === undefined) return this.add(after);
    queued.facts = after;
    this.nominations.update(before, after);
    for (const event of events) if (this.#isWorth(queued, event) && this.#requeue(queued)) return;
  }

  remove(pod: PodFacts): void {
    this.nominations.drop(pod.uid);
    for (const heap of [this.#active, this.#backoff, this.#failed]) heap.remove(pod.key);
    this.#unschedulable.delete(pod.key);
  }

  has(key: string): boolean {
    return [this.#active, this.#backoff, this.#failed].some((heap) => heap.get(key) !== undefined) || this.#unschedulable.has(key);
  }

  /** It did not fit (`rejectedBy` says who said so) or something went wrong (nobody did). */
  giveBack(queued: QueuedPod, facts: PodFacts, rejectedBy: ReadonlySet<string>): void {
    if (this.has(facts.key)) return;
    const isFailure = rejectedBy.size === 0;
    queued.facts = facts;
    queued.rejectedBy = rejectedBy;
    queued.gate = undefined;
    queued.since = this.#now();
    queued.backoffEnd = undefined;
    queued.misfits += isFailure ? 0 : 1;
    queued.failures = isFailure ? queued.failures + 1 : 0;
    if (isFailure) this.#requeue(queued);
    else this.#lay(queued);
  }

  /** Something happened: pods that it could help are tried again. `isMeant` leaves others alone. */
  move(event: ClusterEvent, isMeant: (pod: PodFacts) => boolean = () => true): void {
    if (this.#unschedulable.size === 0 || !this.#hints.has(nameOf(event))) return;
    for (const queued of this.#unschedulable.values()) {
      if (!isMeant(queued.facts) || (queued.gate !== undefined && !this.#hears(queued.gate, event))) continue;
      if (this.#isWorth(queued, event)) this.#requeue(queued);
    }
  }

  /** Tried again at once, whatever was said of it. */
  activate(pod: PodFacts): void {
    const queued = this.#unschedulable.get(pod.key) ?? this.#backoff.remove(pod.key) ?? this.#failed.remove(pod.key);
    if (queued !== undefined) this.#activate(queued);
  }

  stop(): void {
    this.#wake?.();
    this.#flush?.();
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  #hears(plugin: string, event: ClusterEvent): boolean {
    return this.#hints.get(nameOf(event))?.some((hint) => hint.plugin === plugin) === true;
  }

  #isWorth({ facts, rejectedBy }: QueuedPod, event: ClusterEvent): boolean {
    if (rejectedBy.size === 0) return true;
    return this.#hints.get(nameOf(event))?.some(({ plugin, isWorth }) => rejectedBy.has(plugin) && (isWorth?.(facts, event) ?? true)) === true;
  }

  /** False: it may not leave. */
  #requeue(queued: QueuedPod): boolean {
    return this.#isBackingOff(queued) ? this.#backOff(queued) : this.#activate(queued);
  }

  #activate(queued: QueuedPod): boolean {
    if (!this.#isLetIn(queued)) return false;
    this.#unschedulable.delete(queued.facts.key);
    this.#active.put(queued);
    this.#options.onReady();
    return true;
  }

  #backOff(queued: QueuedPod): boolean {
    if (!this.#isLetIn(queued)) return false;
    this.#unschedulable.delete(queued.facts.key);
    if (queued.rejectedBy.size > 0) {
      this.#backoff.put(queued);
      this.#options.onReady();
    } else {
      this.#failed.put(queued);
    }
    this.#wakeLater();
    return true;
  }

  /** Asks the plugins that keep pods outside; one that is kept lies with the unschedulable. */
  #isLetIn(queued: QueuedPod): boolean {
    const gate = this.#options.plugins.find(({ admits }) => admits?.(queued.facts) === false);
    queued.gate = gate?.name;
    if (gate === undefined) return true;
    queued.rejectedBy = new Set([...queued.rejectedBy, gate.name]);
    this.#lay(queued);
    return false;
  }

  #lay(queued: QueuedPod): void {
    this.#unschedulable.set(queued.facts.key, queued);
    this.#flush ??= this.#options.timers.after(flushEveryMs, () => this.#flushUnmoved());
  }

  #isBackingOff(queued: QueuedPod): boolean {
    return this.#backoffEnd(queued) >= toWindow(this.#now());
  }

  /** 0: it was never tried in vain. */
  #backoffEnd(queued: QueuedPod): number {
    const count = queued.failures > 0 ? queued.failures : queued.misfits;
    if (count === 0) return 0;
    queued.backoffEnd ??= toWindow(queued.since + Math.min(maxBackoffMs, firstBackoffMs * 2 ** (count - 1)));
    return queued.backoffEnd;
  }

  #wakeLater(): void {
    if (this.#wake !== undefined) return;
    this.#wake = this.#options.timers.after(windowMs - (this.#now() % windowMs), () => {
      this.#wake = undefined;
      for (const heap of [this.#backoff, this.#failed]) {
        for (let { first } = heap; first !== undefined && !this.#isBackingOff(first); first = heap.first) {
          heap.remove(first.facts.key);
          this.#active.put(first);
          this.#options.onReady();
        }
      }
      if (this.#backoff.size > 0 || this.#failed.size > 0) this.#wakeLater();
    });
  }

  #flushUnmoved(): void {
    this.#flush = undefined;
    const now = this.#now();
    for (const queued of this.#unschedulable.values()) {
      if (now - Math.max(queued.since, queued.flushed) <= maxUnmovedMs) continue;
      queued.flushed = now;
      this.#requeue(queued);
    }
    if (this.#unschedulable.size > 0) this.#flush = this.#options.timers.after(flushEveryMs, () => this.#flushUnmoved());
  }
}

function keyOf({ facts }: QueuedPod): string {
  return facts.key;
}

function isMoreUrgent(a: QueuedPod, b: QueuedPod): boolean {
  if (a.facts.priority !== b.facts.priority) return a.facts.priority > b.facts.priority;
  return a.since !== b.since ? a.since < b.since : a.order < b.order;
}

function toWindow(time: number): number {
  return time - (time % windowMs);
}

function nameOf({ of, action }: ClusterEvent): string {
  return `${of}/${action}`;
}

function hintsOf(plugins: readonly Plugin[]): SchedulingQueueHints {
  const hints: SchedulingQueueHints = new Map();
  for (const { name: plugin, hints: own } of plugins) {
    for (const { of, actions, isWorth } of own) {
      for (const action of actions) hints.set(`${of}/${action}`, [...(hints.get(`${of}/${action}`) ?? []), { plugin, isWorth }]);
    }
  }
  return hints;
}

type SchedulingQueueHints = Map<string, { readonly plugin: string; readonly isWorth: Hint['isWorth'] }[]>;
