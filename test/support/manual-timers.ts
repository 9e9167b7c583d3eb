import type { Timers } from '#base/timers.ts';

/** Time that passes only when a test says so. */
export class ManualTimers implements Timers {
  #now = 0;
  #tasks: { readonly at: number; readonly task: () => void }[] = [];

  after(milliseconds: number, task: () => void): () => void {
    const entry = { at: this.#now + milliseconds, task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry);
    };
  }

  get pending(): number {
    return this.#tasks.length;
  }

  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = this.#tasks.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#now = due.at;
      this.#tasks = this.#tasks.filter((other) => other !== due);
      due.task();
    }
    this.#now = end;
  }
}
