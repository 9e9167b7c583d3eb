// One of several processes at a time does the work: whoever holds a Lease that it renews in time.
//
//   waiting ──(free, expired, ours)──► leading ──(not renewed in time, or taken away)──► waiting
//                                         └────(stopped: the lease is given back)──────► stopped
//
// The clocks of the others are not trusted: a lease counts as expired when *we* have not seen it change for its duration.
import type { KubernetesObject } from '#api/object.ts';
import type { Clock } from '#base/clock.ts';
import { pause, type Timers } from '#base/timers.ts';
import type { ResourceAddress } from '#client/address.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { LeaseSpec } from '#kinds/coordination/v1/lease.ts';

export interface LeaderElectionOptions {
  readonly client: RestClient;
  readonly namespace: string;
  readonly name: string;
  /** Different for each process. */
  readonly identity: string;
  readonly leaseMs: number;
  /** Whoever cannot renew for so long stops leading; shorter than `leaseMs`. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  /** Another one writes who leads (coordinated leader election): the lease is never taken, and not renewed when another holder is preferred. */
  readonly isCoordinated?: boolean;
  readonly onLeader?: (identity: string) => void;
  readonly onFailure?: (error: unknown) => void;
}

type Lease = KubernetesObject & { readonly spec?: Partial<LeaseSpec> };

const leases: ResourceAddress = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespaced: true };

/** Calls `lead` each time this process is elected, with a signal that aborts when it is no longer; until `signal` aborts. */
export async function runElected(options: LeaderElectionOptions, lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  if (options.renewDeadlineMs >= options.leaseMs) throw new Error('renewDeadlineMs must be shorter than leaseMs');
  const election = new Election(options);
  while (!signal.aborted) {
    if (await election.tryToLead()) await whileLeading(election, options, lead, signal);
    else await pause(options.timers, jittered(options), signal);
  }
}

async function whileLeading(
  election: Election,
  options: LeaderElectionOptions,
  lead: (leading: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const stop = () => over.abort();
  signal.addEventListener('abort', stop, { once: true });
  const work = lead(over.signal).finally(stop);
  try {
    while (!over.signal.aborted) {
      await pause(options.timers, options.retryMs, over.signal);
      if (!over.signal.aborted && !(await election.tryToLead()) && election.msSinceRenewal() >= options.renewDeadlineMs) stop();
      if (election.isOver) stop();
    }
    // Nobody may lead while we still work.
    await work;
  } finally {
    signal.removeEventListener('abort', stop);
    await election.release();
  }
}

function jittered({ retryMs, random }: LeaderElectionOptions): number {
  return retryMs * (1 + 0.2 * random());
}

class Election {
  readonly #options: LeaderElectionOptions;
  /** The lease as last seen, and when it last changed before our eyes. */
  #seen: { readonly version: string; readonly at: number } | undefined;
  #leader = '';
  #preferred = '';
  #renewed = 0;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
  }

  /** Another one holds the lease, or shall have it next: the work ends now, so that it need not wait for the lease to run out. */
  get isOver(): boolean {
    return [this.#leader, this.#preferred].some((identity) => identity !== '' && identity !== this.#options.identity);
  }

  msSinceRenewal(): number {
    return this.#now() - this.#renewed;
  }

  /** True when the lease is ours, now and for its duration. */
  async tryToLead(): Promise<boolean> {
    const { client, namespace, name } = this.#options;
    try {
      const lease = await client.find<Lease>(leases, namespace, name);
      if (lease === undefined) return !this.#options.isCoordinated && (await this.#take(undefined));
      this.#see(lease);
      if (this.#options.isCoordinated ? !this.#isGiven(lease) : !this.#isFree(lease)) return false;
      return await this.#take(lease);
    } catch (error) {
      // Somebody was faster, or the server is away for a moment: the deadline decides what that means.
      this.#options.onFailure?.(error);
      return false;
    }
  }

  /** Others need not wait until it expires. */
  async release(): Promise<void> {
    const { client, namespace, name, identity } = this.#options;
    try {
      const lease = await client.find<Lease>(leases, namespace, name);
      if (lease?.spec?.holderIdentity !== identity) return;
      await client.update(leases, { ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 } });
    } catch {
      // It expires by itself.
    }
  }

  #see({ metadata: { resourceVersion = '' }, spec }: Lease): void {
    if (this.#seen?.version !== resourceVersion) this.#seen = { version: resourceVersion, at: this.#now() };
    if (this.#options.isCoordinated) this.#preferred = spec?.preferredHolder ?? '';
    this.#lead(spec?.holderIdentity ?? '');
  }

  #isFree({ spec }: Lease): boolean {
    const holder = spec?.holderIdentity ?? '';
    if (holder === '' || holder === this.#options.identity) return true;
    return this.#now() - (this.#seen?.at ?? 0) >= (spec?.leaseDurationSeconds ?? 0) * 1000;
  }

  #isGiven({ spec }: Lease): boolean {
    return spec?.holderIdentity === this.#options.identity && !this.isOver;
  }

  async #take(lease: Lease | undefined): Promise<boolean> {
    const { client, namespace, name, identity, leaseMs } = this.#options;
    const started = this.#now();
    const now = new Date(started).toISOString().replace('Z', '000Z');
    const before = lease?.spec ?? {};
    const isOurs = before.holderIdentity === identity;
    const spec = {
      ...before,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseMs / 1000),
      acquireTime: isOurs ? (before.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (before.leaseTransitions ?? 0) + (lease === undefined || isOurs ? 0 : 1),
    };
    const written =
      lease === undefined
        ? await client.create<Lease>(leases, namespace, { metadata: { name, namespace }, spec })
        : await client.update<Lease>(leases, { ...lease, spec });
    this.#renewed = started;
    this.#see(written);
    return true;
  }

  #lead(identity: string): void {
    if (identity === this.#leader) return;
    this.#leader = identity;
    if (identity !== '') this.#options.onLeader?.(identity);
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}
