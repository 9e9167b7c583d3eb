// Claims that wait for a volume. A volume that comes free is offered to one of them that has no other offer: to wake them all for each volume
// would be a look for every claim and every volume.

export class WaitingClaims {
  /** The class of each claim, in the order in which they came; not of those that ask for a volume by its name. */
  readonly #classes = new Map<string, string>();
  readonly #asked = new Map<string, string>();
  readonly #volumeFor = new Map<string, string>();
  readonly #claimFor = new Map<string, string>();

  /** `volume`: the one that the claim asks for; without one, any of its class. */
  set(claim: string, storageClass: string, volume?: string): void {
    if (!volume) return void this.#classes.set(claim, storageClass);
    this.#classes.delete(claim);
    this.#asked.set(claim, volume);
  }

  /** Claims that ask for this very volume. */
  asking(volume: string): readonly string[] {
    return [...this.#asked].flatMap(([claim, wanted]) => (wanted === volume ? [claim] : []));
  }

  /** The claim waits no longer. Returns the volume that it was offered: another claim may want it. */
  delete(claim: string): string | undefined {
    const volume = this.#volumeFor.get(claim);
    this.#classes.delete(claim);
    this.#asked.delete(claim);
    this.#volumeFor.delete(claim);
    if (volume !== undefined) this.#claimFor.delete(volume);
    return volume;
  }

  /** Undefined: nobody wants it, or the claim that it was offered to still waits. */
  offer(volume: string, storageClass: string, fits: (claim: string) => boolean): string | undefined {
    if (this.#claimFor.has(volume)) return undefined;
    for (const [claim, wanted] of this.#classes) {
      if (wanted !== storageClass || this.#volumeFor.has(claim) || !fits(claim)) continue;
      this.#volumeFor.set(claim, volume);
      this.#claimFor.set(volume, claim);
      return claim;
    }
    return undefined;
  }

  /** The volume is no longer free. */
  withdraw(volume: string): void {
    const claim = this.#claimFor.get(volume);
    this.#claimFor.delete(volume);
    if (claim !== undefined) this.#volumeFor.delete(claim);
  }

  /** Claims that ask for any volume, and for which `holds` does. */
  filter(holds: (claim: string, storageClass: string) => boolean): readonly string[] {
    return [...this.#classes].flatMap(([claim, storageClass]) => (holds(claim, storageClass) ? [claim] : []));
  }
}
