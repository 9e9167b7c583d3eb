// One question for all who ask in the same turn of the event loop. An answer that was under way when somebody came may be older than their coming: they get the next one.
export class SharedAsk<T> {
  readonly #ask: () => Promise<T>;
  #underWay: Promise<unknown> | undefined;
  #next: Promise<T> | undefined;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  next(): Promise<T> {
    this.#next ??= this.#underWay === undefined ? this.#begin() : this.#underWay.then(() => this.#begin());
    return this.#next;
  }

  /** Not before the turn ends: requests that one look at the sockets has brought ask together. */
  #begin(): Promise<T> {
    const asked = new Promise<T>((resolve) =>
      setImmediate(() => {
        this.#next = undefined;
        resolve(this.#ask());
      }),
    );
    const over = () => {
      if (this.#underWay === settled) this.#underWay = undefined;
    };
    const settled: Promise<void> = asked.then(over, over);
    this.#underWay = settled;
    return asked;
  }
}
