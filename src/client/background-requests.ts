// Requests that nobody waits for (Events, above all) give way to those that somebody does: they wait while others are under way on the same
// server, but never longer than `mostMs`, so that a server that is always busy tells what happens all the same.
import type { Timers } from '#base/timers.ts';
import type { Transport, TransportRequest, TransportResponse } from '#client/transport.ts';

export interface BackgroundOptions {
  readonly timers: Timers;
  /** Milliseconds; compared with each other only. */
  readonly now: () => number;
  readonly mostMs: number;
}

/** So many of those that give way are under way at a time. */
const mostAtOnce = 8;

interface Waiting {
  readonly until: number;
  readonly start: () => void;
}

export class BackgroundRequests {
  readonly #options: BackgroundOptions;
  /** In the order in which they came, so that the first has waited longest. */
  #waiting: Waiting[] = [];
  #inForeground = 0;
  #inBackground = 0;
  #isTimed = false;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Requests that others give way to, until their answer begins: what is watched would hold them up forever. */
  foreground(transport: Transport): Transport {
    return async (request) => {
      this.#inForeground++;
      try {
        return await transport(request);
      } finally {
        this.#inForeground--;
        if (this.#waiting.length > 0) this.#startIdle();
      }
    };
  }

  /** The same, for requests that give way. */
  background(transport: Transport): Transport {
    return (request) =>
      new Promise<TransportResponse>((resolve, reject) => {
        const start = () => void this.#run(transport, request).then(resolve, reject);
        this.#waiting.push({ until: this.#options.now() + this.#options.mostMs, start });
        this.#startIdle();
        this.#startDueLater();
      });
  }

  async #run(transport: Transport, request: TransportRequest): Promise<TransportResponse> {
    this.#inBackground++;
    try {
      return await transport(request);
    } finally {
      this.#inBackground--;
      this.#startIdle();
    }
  }

  #startIdle(): void {
    if (this.#inForeground > 0 || this.#inBackground >= mostAtOnce) return;
    for (const { start } of this.#waiting.splice(0, mostAtOnce - this.#inBackground)) start();
  }

  #startDueLater(): void {
    const [first] = this.#waiting;
    if (this.#isTimed || first === undefined) return;
    this.#isTimed = true;
    this.#options.timers.after(Math.max(first.until - this.#options.now(), 0), () => {
      this.#isTimed = false;
      const now = this.#options.now();
      const due = this.#waiting.findIndex(({ until }) => until > now);
      for (const { start } of this.#waiting.splice(0, due < 0 ? this.#waiting.length : due)) start();
      this.#startDueLater();
    });
  }
}
