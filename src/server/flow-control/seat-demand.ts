// How many seats a level wanted during a period: what borrowing between levels is decided by.
export interface Demand {
  readonly highest: number;
  readonly average: number;
  readonly deviation: number;
}

export class SeatDemand {
  #value = 0;
  #since: number;
  #start: number;
  #sum = 0;
  #squares = 0;
  #highest = 0;

  constructor(now: number) {
    this.#since = now;
    this.#start = now;
  }

  set(value: number, now: number): void {
    if (value === this.#value) return;
    this.#advance(now);
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** What the period was like; a new one begins. */
  finishPeriod(now: number): Demand {
    this.#advance(now);
    const length = now - this.#start;
    const average = length > 0 ? this.#sum / length : this.#value;
    const variance = length > 0 ? Math.max(0, this.#squares / length - average * average) : 0;
    const demand = { highest: this.#highest, average, deviation: Math.sqrt(variance) };
    this.#start = now;
    this.#sum = 0;
    this.#squares = 0;
    this.#highest = this.#value;
    return demand;
  }

  #advance(now: number): void {
    const passed = Math.max(0, now - this.#since);
    this.#sum += passed * this.#value;
    this.#squares += passed * this.#value * this.#value;
    this.#since = now;
  }
}
