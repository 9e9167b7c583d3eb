// One question for all who ask at the same time. An answer that was under way when somebody came may be older than their coming: they get the next one.
export class SharedAsk<T> {
  readonly #ask: () => Promise<T>;
  #underWay: Promise<unknown> | undefined;
  #next: Promise<T> | undefined;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  next(): Promise<T> {
    this.#next ??= Promise.resolve(this.#underWay).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<T> {
    this.#next = undefined;
    const asked = this.#ask();
    const over = asked.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay = over;
    return asked;
  }
}
