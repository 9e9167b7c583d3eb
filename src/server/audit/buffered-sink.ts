// Events on their way to a backend, in batches. Requests never wait: what finds no room is dropped and counted.
import type { Timers } from '#base/timers.ts';
import type { TokenBucket } from '#base/token-bucket.ts';
import type { AuditBackend, AuditEvent, AuditSink } from '#server/audit/audit-event.ts';

export interface BufferOptions {
  readonly bufferSize: number;
  readonly batchSize: number;
  /** Longest time that an event waits for its batch to become full. */
  readonly maxWaitMs: number;
  /** Batches under way at once. */
  readonly parallel: number;
  readonly throttle?: TokenBucket | undefined;
  /** Batches are also cut when their events together are larger than this. */
  readonly bytes?: { readonly most: number; readonly of: (event: AuditEvent) => number } | undefined;
  readonly timers: Timers;
  readonly onProblem: (cause: unknown) => void;
}

export class BufferedSink implements AuditSink {
  readonly #backend: AuditBackend;
  readonly #options: BufferOptions;
  readonly #waiting: AuditEvent[] = [];
  readonly #underway = new Set<Promise<void>>();
  #cancelTimer: (() => void) | undefined;
  #pumping: Promise<void> | undefined;
  dropped = 0;

  constructor(backend: AuditBackend, options: BufferOptions) {
    this.#backend = backend;
    this.#options = options;
  }

  write(event: AuditEvent): void {
    const { bufferSize, batchSize, maxWaitMs, timers } = this.#options;
    if (this.#waiting.length >= bufferSize) {
      this.dropped += 1;
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length >= batchSize) this.#pump();
    else this.#cancelTimer ??= timers.after(maxWaitMs, () => this.#pump());
  }

  async close(): Promise<void> {
    this.#backend.hurry?.();
    while (this.#waiting.length > 0 || this.#pumping !== undefined) {
      this.#pump();
      await this.#pumping;
    }
    await Promise.all(this.#underway);
    await this.#backend.close();
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#pumping ??= this.#deliverAll().finally(() => {
      this.#pumping = undefined;
    });
  }

  async #deliverAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#options.throttle?.take();
      while (this.#underway.size >= this.#options.parallel) await Promise.race(this.#underway);
      const delivery = this.#deliver(this.#nextBatch()).finally(() => this.#underway.delete(delivery));
      this.#underway.add(delivery);
    }
  }

  async #deliver(batch: readonly AuditEvent[]): Promise<void> {
    try {
      await this.#backend.deliver(batch);
    } catch (cause) {
      this.dropped += batch.length;
      this.#options.onProblem(cause);
    }
  }

  #nextBatch(): readonly AuditEvent[] {
    const { batchSize, bytes } = this.#options;
    if (bytes === undefined) return this.#waiting.splice(0, batchSize);
    let [count, size] = [0, 0];
    for (const event of this.#waiting.slice(0, batchSize)) {
      size += bytes.of(event);
      if (count > 0 && size > bytes.most) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
