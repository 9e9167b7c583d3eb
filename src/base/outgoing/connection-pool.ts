// The connections to one target: calls take one that is free, or wait for one that is being made. As Go's transport does, every call that finds
// none dials, and takes whichever connection is free first: its own, or one that another call gave back.
import type { TLSSocket } from 'node:tls';
import { type Asking, KeptConnection } from '#base/outgoing/kept-connection.ts';
import type { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';

export interface ConnectionPoolOptions {
  /** Throws an OutgoingFailure. */
  readonly dial: () => Promise<TLSSocket>;
  /** Calls beyond it wait for a connection, within their own time. */
  readonly mostConnections: number;
  readonly idleMs: number;
}

const sweepsPerIdleTime = 3;

export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #open = new Set<KeptConnection>();
  /** The last one is taken first: the others grow old and are closed. */
  readonly #idle: KeptConnection[] = [];
  readonly #waiting = new Set<Asking>();
  /** They have a request that this turn of the event loop has brought. */
  #unsent: KeptConnection[] = [];
  #dialing = 0;
  #state: 'open' | 'ending' | 'closed' = 'open';
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  send(asking: Asking): void {
    const connection = this.#takeIdle();
    if (connection !== undefined) return this.#send(connection, asking);
    this.#waiting.add(asking);
    this.#dial();
  }

  /** Of a call that is over before there was a connection for it. */
  withdraw(asking: Asking): void {
    this.#waiting.delete(asking);
  }

  /** Calls that run end first. */
  end(): void {
    this.#state = 'ending';
    clearInterval(this.#sweep);
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  destroy(failure: OutgoingFailure): void {
    this.end();
    this.#state = 'closed';
    for (const asking of this.#waiting) asking.fail(failure);
    this.#waiting.clear();
    for (const connection of this.#open) connection.destroy();
  }

  /** All requests of a turn are written one right after the other: the first write wakes the server, and the others find it awake (test/bench/rules.ts). */
  #send(connection: KeptConnection, asking: Asking): void {
    connection.take(asking);
    if (this.#unsent.push(connection) === 1) setImmediate(this.#writeUnsent);
  }

  readonly #writeUnsent = (): void => {
    const connections = this.#unsent;
    this.#unsent = [];
    for (const connection of connections) connection.write();
  };

  #takeIdle(): KeptConnection | undefined {
    const now = performance.now();
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined || connection.isUsable(now)) return connection;
      connection.destroy();
    }
  }

  #dial(): void {
    if (this.#open.size + this.#dialing >= this.#options.mostConnections) return;
    this.#dialing += 1;
    void this.#options.dial().then(this.#onDialed, this.#onRefused);
  }

  readonly #onDialed = (socket: TLSSocket): void => {
    this.#dialing -= 1;
    const connection = new KeptConnection(socket, { onIdle: this.#onIdle, onClose: this.#onClose });
    this.#open.add(connection);
    if (this.#state === 'closed') connection.destroy();
    else this.#onIdle(connection);
  };

  /** The call that waits longest is the one whose dialling it was, or that of a call which found another connection. */
  readonly #onRefused = (failure: OutgoingFailure): void => {
    this.#dialing -= 1;
    const [asking] = this.#waiting;
    if (asking === undefined) return;
    this.#waiting.delete(asking);
    asking.fail(failure);
    if (this.#waiting.size > this.#dialing) this.#dial();
  };

  readonly #onIdle = (connection: KeptConnection): void => {
    const [asking] = this.#waiting;
    if (asking !== undefined) {
      this.#waiting.delete(asking);
      this.#send(connection, asking);
    } else if (this.#state === 'open') {
      connection.keep(performance.now(), this.#options.idleMs);
      this.#idle.push(connection);
      this.#sweep ??= setInterval(this.#closeOld, this.#options.idleMs / sweepsPerIdleTime).unref();
    } else {
      connection.destroy();
    }
  };

  readonly #onClose = (connection: KeptConnection): void => {
    this.#open.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (this.#waiting.size > this.#dialing) this.#dial();
  };

  readonly #closeOld = (): void => {
    const now = performance.now();
    for (const connection of this.#idle.filter((each) => !each.isUsable(now))) connection.destroy();
  };
}
