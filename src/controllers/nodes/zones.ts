// How many nodes of a zone may be given up at a time. Where most of a zone is silent the network is to blame rather than its nodes, and pods
// are left where they are; where all of a cluster is silent it is us who are cut off.
import type { StoredNode } from '#controllers/nodes/stored-kinds.ts';

export interface ZoneRates {
  /** Nodes per second that are tainted in a zone that is well. */
  readonly perSecond: number;
  /** In a large zone of which many nodes are silent; in a small one none are. */
  readonly secondaryPerSecond: number;
  readonly largeZone: number;
  /** The share of silent nodes from which a zone counts as disrupted. */
  readonly unhealthyShare: number;
}

export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

const labels = {
  zone: ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
  region: ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'],
};

/** Empty: the node names neither a zone nor a region. */
export function zoneOf({ metadata }: StoredNode): string {
  const labelled = (names: readonly string[]) => names.map((name) => metadata.labels?.[name] ?? '').find((value) => value !== '') ?? '';
  const [region, zone] = [labelled(labels.region), labelled(labels.zone)];
  return region === '' && zone === '' ? '' : `${region}:\u0000:${zone}`;
}

export function zoneState(ready: number, notReady: number, { unhealthyShare }: ZoneRates): ZoneState {
  if (ready === 0 && notReady > 0) return 'FullDisruption';
  return notReady > 2 && notReady / (notReady + ready) >= unhealthyShare ? 'PartialDisruption' : 'Normal';
}

export function rateOf(state: ZoneState, size: number, { perSecond, secondaryPerSecond, largeZone }: ZoneRates): number {
  if (state !== 'PartialDisruption') return perSecond;
  return size > largeZone ? secondaryPerSecond : 0;
}

/** Nodes of a zone that are to be tainted, one at a time. */
export class TaintQueue {
  readonly #waiting = new Set<string>();
  #perSecond: number;
  #tokens = 1;
  #at: number;

  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond;
    this.#at = now;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** When the next one may be taken, in milliseconds from now; undefined: none waits, or none may. */
  waitMs(now: number): number | undefined {
    this.#fill(now);
    if (this.#waiting.size === 0 || this.#perSecond === 0) return undefined;
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1_000);
  }

  add(node: string): void {
    this.#waiting.add(node);
  }

  remove(node: string): boolean {
    return this.#waiting.delete(node);
  }

  /** The next node, as long as the rate allows. */
  take(now: number): string | undefined {
    if (this.waitMs(now) !== 0) return undefined;
    const [node] = this.#waiting;
    this.#tokens -= 1;
    if (node !== undefined) this.#waiting.delete(node);
    return node;
  }

  /** What was saved up does not count for another rate. */
  setRate(perSecond: number, now: number): void {
    if (perSecond === this.#perSecond) return;
    this.#fill(now);
    if (this.#tokens < 1) this.#tokens = 0;
    this.#perSecond = perSecond;
  }

  #fill(now: number): void {
    this.#tokens = Math.min(1, this.#tokens + (Math.max(0, now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
  }
}
