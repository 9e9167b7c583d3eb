import type { AuditBackend, AuditEvent, AuditSink } from '#server/audit/audit-event.ts';

/** The modes in which a request waits until its event is stored; `strict`: and is refused when that fails. */
export class DirectSink implements AuditSink {
  readonly strict: boolean;
  readonly #backend: AuditBackend;
  readonly #onProblem: (cause: unknown) => void;
  dropped = 0;

  constructor(backend: AuditBackend, strict: boolean, onProblem: (cause: unknown) => void) {
    this.#backend = backend;
    this.strict = strict;
    this.#onProblem = onProblem;
  }

  write(event: AuditEvent): void {
    void this.store(event);
  }

  async store(event: AuditEvent): Promise<boolean> {
    try {
      await this.#backend.deliver([event]);
      return true;
    } catch (cause) {
      this.dropped += 1;
      this.#onProblem(cause);
      return false;
    }
  }

  close(): Promise<void> {
    this.#backend.hurry?.();
    return this.#backend.close();
  }
}
