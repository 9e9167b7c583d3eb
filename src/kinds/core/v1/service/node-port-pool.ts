// Node ports in use, in memory: the services say which, so the set is rebuilt from them. Only where servers share a store is it kept there too.
import type { KubernetesObject } from '#api/object.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import { needsHealthCheck, nodePortsOf } from '#kinds/core/v1/service/service-kinds.ts';
import type { PoolAccess, PortChanges, PortPool } from '#resource/service-pool.ts';

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** What the servers of one store keep together. */
export interface SharedPorts {
  /** Undefined before anything was kept. */
  read(): Promise<ReadonlySet<number> | undefined>;
  /** False, and nothing is changed, when one of the ports to take is taken. `known`: what to begin with where nothing was kept. */
  change(take: readonly number[], free: readonly number[], known: Iterable<number>): Promise<boolean>;
}

/** Dry runs show ports from here on: any client can tell that they are not real. */
const dryRunBase = 32_768;

export class NodePortPool implements PortPool {
  readonly #range: PortRange;
  readonly #random: () => number;
  readonly #shared: SharedPorts | undefined;
  #taken = new Set<number>();
  /** Taken by writes that are still under way. */
  readonly #pending = new Set<number>();
  /** In no service when we last looked: freed when that is still so the next time. */
  #suspects = new Set<number>();
  #loaded: Promise<void> | undefined;

  constructor(range: PortRange, random: () => number, shared?: SharedPorts) {
    this.#range = range;
    this.#shared = shared;
    this.#random = random;
  }

  async begin(dryRun: boolean, access: PoolAccess): Promise<PortChanges> {
    await this.#load(access);
    await this.#readShared();
    return dryRun ? new RehearsedChanges(this) : new RealChanges(this);
  }

  free(ports: readonly number[]): void {
    for (const port of ports) this.#taken.delete(port);
    // What cannot be given back now is found by a repair.
    if (ports.length > 0) void this.#shared?.change([], ports, this.#taken).catch(() => undefined);
  }

  /** False when another server has one of them. */
  async claim(ports: readonly number[]): Promise<boolean> {
    if (this.#shared === undefined || ports.length === 0) return true;
    const others = [...this.#taken].filter((port) => !this.#pending.has(port));
    return this.#shared.change(ports, [], others);
  }

  has(port: number): boolean {
    return this.#taken.has(port);
  }

  take(port: number): string | undefined {
    const { from, to } = this.#range;
    if (port < from || port > to) return `provided port is not in the valid range. The range of valid ports is ${from}-${to}`;
    if (this.#taken.has(port)) return 'provided port is already allocated';
    this.#taken.add(port);
    this.#pending.add(port);
    return undefined;
  }

  takeAny(): number | undefined {
    const { from, to } = this.#range;
    const first = from + staticBand(to - from + 1);
    // The lower band is for ports that people choose; it comes last.
    const port = this.#firstFree(first, to) ?? this.#firstFree(from, first - 1);
    if (port !== undefined) this.take(port);
    return port;
  }

  settle(ports: readonly number[], committed: boolean): void {
    for (const port of ports) {
      this.#pending.delete(port);
      if (!committed) this.#taken.delete(port);
    }
  }

  /** Compares with the services: takes what is missing, frees what has been in none of them twice in a row. */
  async repair(access: PoolAccess): Promise<void> {
    if (this.#loaded === undefined) return this.#load(access);
    await this.#readShared();
    const used = await portsInUse(access);
    const missing = [...used].filter((port) => !this.#taken.has(port));
    for (const port of used) this.#taken.add(port);
    const unused = [...this.#taken].filter((port) => !used.has(port) && !this.#pending.has(port));
    const lost = unused.filter((port) => this.#suspects.has(port));
    for (const port of lost) this.#taken.delete(port);
    this.#suspects = new Set(unused);
    if (missing.length + lost.length > 0) await this.#shared?.change(missing, lost, this.#taken);
  }

  /** What other servers have taken and freed since. */
  async #readShared(): Promise<void> {
    const kept = await this.#shared?.read();
    if (kept !== undefined) this.#taken = new Set([...kept, ...this.#pending]);
  }

  #load(access: PoolAccess): Promise<void> {
    this.#loaded ??= portsInUse(access).then(
      (used) => {
        for (const port of used) this.#taken.add(port);
      },
      (error: unknown) => {
        this.#loaded = undefined;
        throw error;
      },
    );
    return this.#loaded;
  }

  /** From a random place on, around the end. */
  #firstFree(from: number, to: number): number | undefined {
    const size = to - from + 1;
    if (size <= 0) return undefined;
    const start = Math.floor(this.#random() * size);
    for (let step = 0; step < size; step++) {
      const port = from + ((start + step) % size);
      if (!this.#taken.has(port)) return port;
    }
    return undefined;
  }
}

function staticBand(size: number): number {
  return size <= 16 ? 0 : Math.min(Math.max(16, Math.trunc(size / 32)), 128);
}

async function portsInUse({ lister }: PoolAccess): Promise<Set<number>> {
  const services = await lister.list<Service & KubernetesObject>({ group: '', resource: 'services' });
  return new Set(services.flatMap((service) => [...nodePortsOf(service), ...healthCheckPorts(service)]));
}

function healthCheckPorts(service: Service): readonly number[] {
  const { healthCheckNodePort } = service.spec;
  return needsHealthCheck(service) && healthCheckNodePort ? [healthCheckNodePort] : [];
}

class RealChanges implements PortChanges {
  readonly #pool: NodePortPool;
  readonly #taken: number[] = [];
  readonly #later: number[] = [];
  #isClaimed = false;

  constructor(pool: NodePortPool) {
    this.#pool = pool;
  }

  take(port: number): string | undefined {
    const problem = this.#pool.take(port);
    if (problem === undefined) this.#taken.push(port);
    return problem;
  }

  takeAny(): number | undefined {
    const port = this.#pool.takeAny();
    if (port !== undefined) this.#taken.push(port);
    return port;
  }

  freeLater(port: number): void {
    this.#later.push(port);
  }

  async claim(): Promise<boolean> {
    this.#isClaimed = await this.#pool.claim(this.#taken);
    return this.#isClaimed;
  }

  end(committed: boolean): void {
    this.#pool.settle(this.#taken, committed);
    if (!committed && this.#isClaimed) this.#pool.free(this.#taken);
    if (committed) this.#pool.free(this.#later);
  }
}

/** Nothing is taken, and the range does not matter. */
class RehearsedChanges implements PortChanges {
  readonly #pool: NodePortPool;
  readonly #shown: number[] = [];

  constructor(pool: NodePortPool) {
    this.#pool = pool;
  }

  take(port: number): string | undefined {
    if (this.#pool.has(port) || this.#shown.includes(port)) return 'provided port is already allocated';
    this.#shown.push(port);
    return undefined;
  }

  takeAny(): number {
    const port = (this.#shown.length === 0 ? dryRunBase : Math.max(...this.#shown)) + 1;
    this.#shown.push(port);
    return port;
  }

  freeLater(): void {}

  async claim(): Promise<boolean> {
    return true;
  }

  end(): void {}
}
