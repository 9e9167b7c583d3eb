// Events in batches to another server. Whatever goes wrong is tried again a few times, longer apart each time.
import { pause, type Timers } from '#base/timers.ts';
import { type AuditBackend, type AuditEvent, goJson } from '#server/audit/audit-event.ts';

export interface WebhookOptions {
  /** Sends one EventList; rejects when it was not taken. Never follows a redirect. */
  readonly post: (body: string) => Promise<void>;
  readonly timers: Timers;
  readonly firstRetryMs: number;
}

const attempts = 5;
const factor = 1.5;

export class AuditWebhook implements AuditBackend {
  readonly #options: WebhookOptions;
  readonly #hurried = new AbortController();

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  async deliver(events: readonly AuditEvent[]): Promise<void> {
    const body = goJson({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items: events.map(withoutType) });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#options.post(body);
      } catch (cause) {
        if (attempt >= attempts || this.#hurried.signal.aborted) throw cause;
        await pause(this.#options.timers, this.#options.firstRetryMs * factor ** (attempt - 1), this.#hurried.signal);
      }
    }
  }

  /** What is under way gets one more attempt. */
  hurry(): void {
    this.#hurried.abort();
  }

  async close(): Promise<void> {}
}

function withoutType({ kind: _kind, apiVersion: _apiVersion, ...event }: AuditEvent): object {
  return event;
}
