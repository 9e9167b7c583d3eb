// Events in batches to another server. Requests never wait for it: what it cannot take in time is dropped and counted.
import type { Timers } from '#base/timers.ts';
import type { AuditEvent, AuditSink } from '#server/audit/audit-event.ts';

export interface WebhookOptions {
  /** Sends one EventList; rejects when it was not taken. Never follows a redirect. */
  readonly post: (body: string) => Promise<void>;
  readonly timers: Timers;
  readonly bufferSize: number;
  readonly batchSize: number;
  readonly maxWaitMs: number;
  readonly firstRetryMs: number;
  readonly onProblem: (cause: unknown) => void;
}

const attempts = 5;

export class AuditWebhook implements AuditSink {
  readonly #options: WebhookOptions;
  #waiting: AuditEvent[] = [];
  #cancelTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #closing = false;
  dropped = 0;

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  write(event: AuditEvent): void {
    const { bufferSize, batchSize, timers, maxWaitMs } = this.#options;
    if (this.#waiting.length >= bufferSize) {
      this.dropped += 1;
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length >= batchSize) this.#flush();
    else this.#cancelTimer ??= timers.after(maxWaitMs, () => this.#flush());
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#flush();
    await this.#sending;
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sending ??= this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const items = this.#waiting.splice(0, this.#options.batchSize);
      await this.#send(items);
    }
    this.#sending = undefined;
  }

  async #send(items: readonly AuditEvent[]): Promise<void> {
    const body = JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items: items.map(withoutType) });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#options.post(body);
      } catch (cause) {
        if (attempt >= attempts || this.#closing) {
          this.dropped += items.length;
          return this.#options.onProblem(cause);
        }
        await this.#pause(this.#options.firstRetryMs * 1.5 ** (attempt - 1));
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.timers.after(ms, resolve));
  }
}

function withoutType({ kind: _kind, apiVersion: _apiVersion, ...event }: AuditEvent): object {
  return event;
}
