// Events in batches to another server. Whatever goes wrong is tried again a few times, longer apart each time.
import type { Timers } from '#base/timers.ts';
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
  #closing = false;

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  async deliver(events: readonly AuditEvent[]): Promise<void> {
    const body = goJson({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items: events.map(withoutType) });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#options.post(body);
      } catch (cause) {
        if (attempt >= attempts || this.#closing) throw cause;
        await this.#pause(this.#options.firstRetryMs * factor ** (attempt - 1));
      }
    }
  }

  /** What is still under way gets no more attempts. */
  async close(): Promise<void> {
    this.#closing = true;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.timers.after(ms, resolve));
  }
}

function withoutType({ kind: _kind, apiVersion: _apiVersion, ...event }: AuditEvent): object {
  return event;
}
