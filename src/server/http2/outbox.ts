import { ByteWriter } from '#base/http2/byte-writer.ts';

export interface Flushable {
  flush(): void;
}

/** Enough for ten events of a watch; a list goes in as many turns as it needs, and others in between. */
const batchBytes = 128 * 1024;

/** What the connections of a listener share for sending: their turn, and the buffer in which they gather what they send. */
export class Outbox {
  /** For one header block at a time. */
  readonly scratch = new ByteWriter(4096);
  /**
   * For one write at a time: a TLS socket has encrypted what it is given when `write` returns, and keeps no reference to it
   * (see outbox.test.ts). A buffer for each connection would be out of the processor's caches whenever it is filled.
   */
  readonly batch = Buffer.allocUnsafeSlow(batchBytes);
  #waiting: Flushable[] = [];

  /**
   * Flushes when the work that is going on is done, promises included: an event that goes to many streams, or the answers to
   * the requests of one read, are sent with one write per connection.
   */
  schedule(connection: Flushable): void {
    if (this.#waiting.push(connection) === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const connection of waiting) connection.flush();
  }
}
