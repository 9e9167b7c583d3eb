// Group-versions that every server knows from the store alone: those of definitions and of APIServices behind a service. What a peer says about
// them is not believed, since it may not have heard yet that one was deleted.
import type { Clock } from '#base/clock.ts';

/** How long one that was deleted is still left out: peers show it until they have heard of it. */
const graceMs = 5 * 60_000;

export class OwnVersions {
  readonly #clock: Clock;
  /** By who told them. */
  readonly #told = new Map<string, ReadonlySet<string>>();
  /** `group/version` → when it went. */
  readonly #gone = new Map<string, number>();
  #revision = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Grows with every change, also when time brings one about. */
  get revision(): number {
    this.#forgetGone();
    return this.#revision;
  }

  /** All there are now of one origin, as `group/version`. */
  set(origin: 'definitions' | 'apiservices', versions: Iterable<string>): void {
    const before = this.#told.get(origin) ?? new Set<string>();
    const now = new Set(versions);
    for (const version of before) if (!now.has(version)) this.#gone.set(version, this.#clock.now().getTime());
    this.#told.set(origin, now);
    this.#revision += 1;
  }

  has(group: string, version: string): boolean {
    this.#forgetGone();
    const name = `${group}/${version}`;
    return this.#gone.has(name) || [...this.#told.values()].some((versions) => versions.has(name));
  }

  #forgetGone(): void {
    const end = this.#clock.now().getTime() - graceMs;
    for (const [name, at] of this.#gone) if (at < end && this.#gone.delete(name)) this.#revision += 1;
  }
}
