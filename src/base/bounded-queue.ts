/** A single-consumer queue that refuses to grow: a full queue means the consumer is too slow. */
export class BoundedQueue<T> implements AsyncIterable<T> {
  readonly #limit: number;
  #items: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Returns false when the queue is full; the caller decides what a slow consumer deserves. */
  offer(item: T): boolean {
    if (this.#closed) return true;
    if (this.#items.length >= this.#limit) return false;
    this.#items.push(item);
    this.#wake?.();
    return true;
  }

  /** What is queued is still handed out. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for await (const batch of this.batches()) yield* batch;
  }

  /** Yields everything queued since the last turn, as one batch. */
  async *batches(): AsyncGenerator<T[], void, void> {
    for (;;) {
      if (this.#items.length > 0) {
        const batch = this.#items;
        this.#items = [];
        yield batch;
        continue;
      }
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
