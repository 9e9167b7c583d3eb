// The audit log as a step of the pipeline: it looks on and writes down, and never changes or delays a request.
import { isLongRunning, type RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import {
  type AuditEvent,
  type AuditSink,
  auditUser,
  auditUserAgent,
  compact,
  microTime,
  type ObjectReference,
  referenceOf,
  withObject,
} from '#server/audit/audit-event.ts';
import { type AuditPolicy, type AuditStage, type AuditVerdict, judgeRequest } from '#server/audit/audit-policy.ts';
import type { Exchange, Middleware } from '#server/exchange.ts';
import { impersonationConstraint } from '#server/middleware/impersonate.ts';

export interface AuditServices {
  readonly policy: AuditPolicy;
  readonly sinks: readonly AuditSink[];
  readonly clock: Clock;
  /** A body as the object it stands for; undefined when that cannot be told. */
  readonly readObject: (bytes: Uint8Array | string, contentType: string) => unknown;
  /** What a body of this resource is when it does not say so itself. */
  readonly typeOf: (info: RequestInfo) => { readonly kind: string; readonly apiVersion: string } | undefined;
  readonly onEvent?: () => void;
}

export function auditRequests(services: AuditServices): Middleware {
  return (next) => async (exchange) => {
    const verdict = judgeRequest(services.policy, exchange.user, exchange.info);
    if (verdict.level === 'None') return next(exchange);
    const record = new RequestRecord(services, verdict, exchange, exchange.user);
    record.emit('RequestReceived');
    record.watch(exchange, isLongRunning(exchange.info));
    try {
      await next(exchange);
      record.finish();
    } catch (thrown) {
      // The answer is given further up; what it says is seen when it is sent.
      record.finishWithAnswer();
      throw thrown;
    }
  };
}

/** A request that could not be authenticated leaves one event behind. */
export function auditRefusedCaller(services: AuditServices, exchange: Exchange): void {
  const verdict = judgeRequest(services.policy, undefined, exchange.info);
  if (verdict.level === 'None') return;
  const record = new RequestRecord(services, { ...verdict, level: 'Metadata' }, exchange, undefined);
  exchange.observe({
    answerBegun: (code, contentType, body) => {
      record.answer(code, contentType, body);
      record.emit('ResponseStarted');
    },
  });
}

class RequestRecord {
  readonly #services: AuditServices;
  readonly #verdict: AuditVerdict;
  readonly #exchange: Exchange;
  readonly #caller: User | undefined;
  readonly #received: string;
  readonly #annotations: Record<string, string> = {};
  readonly #chunks: (Uint8Array | string)[] = [];
  #contentType = '';
  #code = 0;
  #constraint: string | undefined;
  #answerBody: Uint8Array | string | undefined;
  #requestBody: Buffer | undefined;
  #state: 'open' | 'wants the answer' | 'done' = 'open';

  constructor(services: AuditServices, verdict: AuditVerdict, exchange: Exchange, caller: User | undefined) {
    this.#services = services;
    this.#verdict = verdict;
    this.#exchange = exchange;
    this.#caller = caller;
    this.#received = microTime(services.clock.now());
  }

  watch(exchange: Exchange, longRunning: boolean): void {
    const keepsAnswer = this.#verdict.level === 'RequestResponse' && !longRunning;
    exchange.observe({
      bodyRead: (bytes) => {
        this.#requestBody = bytes;
      },
      answerBegun: (code, contentType, body) => {
        this.answer(code, contentType, body);
        if (longRunning) this.emit('ResponseStarted');
        if (this.#state === 'wants the answer') this.finish();
      },
      ...(keepsAnswer && { chunkWritten: (chunk: Uint8Array | string) => void this.#chunks.push(chunk) }),
      annotated: (key, value) => this.#annotate(key, value),
    });
  }

  answer(code: number, contentType: string, body: Uint8Array | string | undefined): void {
    this.#code = code;
    this.#contentType = contentType;
    this.#answerBody = body;
  }

  finish(): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.emit('ResponseComplete');
  }

  finishWithAnswer(): void {
    if (this.#code > 0) this.finish();
    else this.#state = 'wants the answer';
  }

  emit(stage: AuditStage): void {
    if (this.#verdict.omitStages.has(stage)) return;
    this.#services.onEvent?.();
    const event = this.#event(stage);
    for (const sink of this.#services.sinks) sink.write(event);
  }

  #annotate(key: string, value: string): void {
    if (key === impersonationConstraint) this.#constraint = value;
    else this.#annotations[key] ??= value;
  }

  #event(stage: AuditStage): AuditEvent {
    const { info, search, path, auditId, headers } = this.#exchange;
    const answered = stage !== 'RequestReceived';
    const { level } = this.#verdict;
    const sent = answered ? this.#requestObject() : undefined;
    const acting = answered && this.#caller !== undefined && this.#exchange.user !== this.#caller ? auditUser(this.#exchange.user) : undefined;
    return compact<AuditEvent>({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level,
      auditID: auditId,
      stage,
      requestURI: search === '' ? path : `${path}?${search}`,
      verb: info.verb,
      user: this.#caller === undefined ? {} : auditUser(this.#caller),
      impersonatedUser: acting,
      authenticationMetadata: acting && this.#constraint !== undefined ? { impersonationConstraint: this.#constraint } : undefined,
      sourceIPs: sourceAddresses(this.#exchange),
      userAgent: auditUserAgent(String(headers['user-agent'] ?? '')),
      objectRef: this.#reference(sent),
      responseStatus: answered ? this.#status() : undefined,
      requestObject: answered && level !== 'Metadata' ? this.#shown(sent) : undefined,
      responseObject: stage === 'ResponseComplete' && level === 'RequestResponse' ? this.#shown(this.#responseObject()) : undefined,
      requestReceivedTimestamp: this.#received,
      stageTimestamp: answered ? microTime(this.#services.clock.now()) : this.#received,
      annotations: Object.keys(this.#annotations).length > 0 ? sorted(this.#annotations) : undefined,
    });
  }

  #reference(sent: unknown): ObjectReference | undefined {
    const reference = referenceOf(this.#exchange.info);
    // A patch is no object: what it says about metadata is a wish.
    return reference === undefined || sent === undefined || this.#exchange.info.verb === 'patch' ? reference : withObject(reference, sent);
  }

  #requestObject(): unknown {
    if (this.#requestBody === undefined || this.#requestBody.length === 0) return undefined;
    const { info, headers } = this.#exchange;
    const object = this.#services.readObject(this.#requestBody, String(headers['content-type'] ?? ''));
    const typed = info.verb === 'create' || info.verb === 'update' ? this.#services.typeOf(info) : undefined;
    return typeof object === 'object' && object !== null && typed ? { ...typed, ...object } : object;
  }

  #responseObject(): unknown {
    const body = this.#answerBody ?? Buffer.concat(this.#chunks.map((chunk) => Buffer.from(chunk as Uint8Array)));
    return body.length === 0 || !this.#exchange.info.isResource ? undefined : this.#services.readObject(body, this.#contentType);
  }

  /** Refusals and the Status of a deletion are repeated here, without their type. */
  #status(): object {
    const body = this.#answerBody;
    const small = body !== undefined && body.length < maxStatusBytes;
    const parsed = small ? (this.#services.readObject(body, this.#contentType) as { kind?: string } | undefined) : undefined;
    if (parsed?.kind !== 'Status') return { metadata: {}, code: this.#code };
    const { kind: _kind, apiVersion: _apiVersion, ...status } = parsed as Record<string, unknown>;
    return { ...status, code: this.#code };
  }

  #shown(object: unknown): unknown {
    return this.#verdict.omitManagedFields ? withoutManagedFields(object) : object;
  }
}

const maxStatusBytes = 64 * 1024;

function sorted(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** As proxies tell it, nearest last; anybody can claim anything here. */
function sourceAddresses({ headers, remoteAddress }: Exchange): readonly string[] {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const claimed = [...forwarded, String(headers['x-real-ip'] ?? '')].map((address) => address.trim()).filter((address) => /^[0-9a-fA-F.:]+$/.test(address));
  return [...new Set([...claimed, remoteAddress.replace(/^::ffff:/, '')])];
}

function withoutManagedFields(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const { metadata, items } = object as { metadata?: Record<string, unknown>; items?: unknown };
  const { managedFields: _managedFields, ...rest } = metadata ?? {};
  return { ...object, ...(metadata && { metadata: rest }), ...(Array.isArray(items) && { items: items.map(withoutManagedFields) }) };
}
