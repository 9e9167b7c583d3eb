/** A writer that has put in more than this waits until all of it is read. */
const highWater = 256 * 1024;

/** The chunks of an answer between its writer and its one reader, in the same process. A writer that does not wait is held by nothing else. */
export class PendingChunks implements AsyncIterable<Uint8Array> {
  #chunks: Uint8Array[] = [];
  #length = 0;
  #state: 'open' | 'ended' | 'dropped' = 'open';
  #broken: Error | undefined;
  #wakeReader: (() => void) | undefined;
  #room: Promise<void> | undefined;
  #wakeWriter: (() => void) | undefined;

  get length(): number {
    return this.#length;
  }

  /** Undefined: more may be put at once. */
  put(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    this.#wakeReader?.();
    if (this.#length <= highWater) return undefined;
    this.#room ??= new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
    return this.#room;
  }

  /** What has been put is still read. */
  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#wakeReader?.();
  }

  /** The reader gets no more, and is told why. */
  break(why: Error): void {
    if (this.#state === 'dropped') return;
    this.#broken ??= why;
    this.#take();
    this.end();
  }

  /** The reader wants no more. */
  drop(): void {
    this.#state = 'dropped';
    this.#take();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      yield* this.#take();
      if (this.#broken !== undefined) throw this.#broken;
      if (this.#chunks.length > 0) continue;
      if (this.#state !== 'open') return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
      this.#wakeReader = undefined;
    }
  }

  #take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#length = 0;
    this.#wakeWriter?.();
    this.#wakeWriter = undefined;
    this.#room = undefined;
    return chunks;
  }
}
