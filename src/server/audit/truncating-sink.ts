// Events that are too large lose their objects; those that are too large even so are dropped and counted.
import { type AuditEvent, type AuditSink, goJson } from '#server/audit/audit-event.ts';

export class TruncatingSink implements AuditSink {
  readonly strict: boolean;
  readonly store: AuditSink['store'];
  readonly #inner: AuditSink;
  readonly #maxEventBytes: number;
  readonly #onProblem: (cause: unknown) => void;
  #tooLarge = 0;

  constructor(inner: AuditSink, maxEventBytes: number, onProblem: (cause: unknown) => void) {
    this.#inner = inner;
    this.#maxEventBytes = maxEventBytes;
    this.#onProblem = onProblem;
    this.strict = inner.strict ?? false;
    this.store = inner.store && ((event) => this.#store(event));
  }

  write(event: AuditEvent): void {
    const fitting = this.#fit(event);
    if (fitting !== undefined) this.#inner.write(fitting);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  get dropped(): number {
    return this.#inner.dropped + this.#tooLarge;
  }

  async #store(event: AuditEvent): Promise<boolean> {
    const fitting = this.#fit(event);
    return fitting === undefined || (await this.#inner.store?.(fitting)) === true;
  }

  #fit(event: AuditEvent): AuditEvent | undefined {
    if (eventBytes(event) <= this.#maxEventBytes) return event;
    const short = event.level === 'Metadata' ? event : truncated(event);
    if (short !== event && eventBytes(short) <= this.#maxEventBytes) return short;
    this.#tooLarge += 1;
    this.#onProblem(new Error('event is too large even after truncating'));
    return undefined;
  }
}

export function eventBytes(event: AuditEvent): number {
  return Buffer.byteLength(goJson(event));
}

function truncated({ requestObject: _request, responseObject: _response, annotations, ...event }: AuditEvent): AuditEvent {
  return { ...event, annotations: { ...annotations, 'audit.k8s.io/truncated': 'true' } };
}
