// The audit log as a step of the pipeline: it looks on and writes down, and never changes a request. None waits for it
// either, unless the operator asked for that.
import { ApiError, internalError } from '#api/api-error.ts';
import { isLongRunning } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import type { AuditStage } from '#server/audit/audit-policy.ts';
import { judgeRequest } from '#server/audit/audit-policy.ts';
import { type AuditServices, RequestRecord } from '#server/audit/request-record.ts';
import type { Exchange, Handler, Middleware } from '#server/front/exchange.ts';

export function auditRequests(services: AuditServices): Middleware {
  return (next) => (exchange) => {
    const record = begin(services, exchange, exchange.user);
    return record === undefined ? next(exchange) : audited(services, record, exchange, next);
  };
}

async function audited(services: AuditServices, record: RequestRecord, exchange: Exchange, next: Handler): Promise<void> {
  const audit = new RequestAudit(services, record, isLongRunning(exchange.info));
  const stored = audit.emit('RequestReceived');
  if (stored !== undefined && !(await stored)) {
    services.onRejected?.();
    throw internalError('failed to store audit event');
  }
  audit.watch(exchange);
  try {
    await next(exchange);
    audit.finish();
  } catch (thrown) {
    audit.fail(thrown);
    throw thrown;
  }
}

/** A request that could not be authenticated leaves one event behind. */
export function auditRefusedCaller(services: AuditServices, exchange: Exchange): void {
  const record = begin(services, exchange, undefined);
  if (record === undefined) return;
  const audit = new RequestAudit(services, record, false);
  exchange.observe({
    answerBegun: (code, contentType, body) => {
      record.answer(code, contentType, body);
      void audit.emit('ResponseStarted');
    },
  });
}

function begin(services: AuditServices, exchange: Exchange, caller: User | undefined): RequestRecord | undefined {
  const verdict = judgeRequest(services.policy, caller, exchange.info);
  services.onJudged?.(verdict.level);
  return verdict.level === 'None' ? undefined : new RequestRecord(services, verdict, exchange, caller);
}

/** Which events one request leaves behind, and when. */
class RequestAudit {
  readonly #services: AuditServices;
  readonly #record: RequestRecord;
  readonly #longRunning: boolean;
  #state: 'open' | 'wants the answer' | 'done' = 'open';

  constructor(services: AuditServices, record: RequestRecord, longRunning: boolean) {
    this.#services = services;
    this.#record = record;
    this.#longRunning = longRunning;
  }

  /** A promise when the request has to wait: false when a backend insists and could not store the event. */
  emit(stage: AuditStage): Promise<boolean> | undefined {
    if (this.#record.omits(stage)) return undefined;
    this.#services.onEvent?.();
    const event = this.#record.event(stage);
    const waits: Promise<boolean>[] = [];
    for (const sink of this.#services.sinks) {
      const { store, strict } = sink;
      if (store === undefined) sink.write(event);
      else waits.push(store.call(sink, event).then((stored) => stored || strict !== true));
    }
    return waits.length === 0 ? undefined : Promise.all(waits).then((stored) => stored.every(Boolean));
  }

  watch(exchange: Exchange): void {
    const keepsAnswer = this.#record.level === 'RequestResponse' && !this.#longRunning;
    exchange.observe({
      bodyRead: (bytes) => this.#record.bodyRead(bytes),
      objectRead: (object, schema) => this.#record.objectRead(object, schema),
      answerBegun: (code, contentType, body) => this.#answerBegun(code, contentType, body),
      ...(keepsAnswer && { readsAnswer: true, chunkWritten: (chunk: Uint8Array | string) => this.#record.chunk(chunk) }),
      annotated: (key, value, level) => this.#record.annotate(key, value, level),
    });
  }

  finish(): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    if (!this.#record.answered) this.#closedEarly();
    void this.emit('ResponseComplete');
  }

  /** A refusal is answered further up, and what the answer says is seen then; anything else is a bug of ours. */
  fail(thrown: unknown): void {
    const isLostClient = thrown instanceof Error && thrown.name === 'AbortError';
    if (!(thrown instanceof ApiError) && !isLostClient) this.#panic(thrown);
    else if (this.#record.answered || isLostClient) this.finish();
    else this.#state = 'wants the answer';
  }

  #answerBegun(code: number, contentType: string, body: Uint8Array | string | undefined): void {
    if (this.#state === 'done') return;
    this.#record.answer(code, contentType, body);
    if (this.#longRunning) void this.emit('ResponseStarted');
    if (this.#state === 'wants the answer') this.finish();
  }

  #closedEarly(): void {
    this.#record.status = { metadata: {}, status: 'Success', message: 'Connection closed early', code: 200 };
    if (this.#longRunning) void this.emit('ResponseStarted');
  }

  #panic(thrown: unknown): void {
    this.#state = 'done';
    this.#record.status = { metadata: {}, status: 'Failure', message: `APIServer panic'd: ${String(thrown)}`, reason: 'InternalError', code: 500 };
    void this.emit('Panic');
  }
}
