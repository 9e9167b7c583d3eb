// What is known about one request for its audit events.
import type { User } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import { encodeJson } from '#schema/json/encode.ts';
import type { StructSchema } from '#schema/build.ts';
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
import type { AuditLevel, AuditPolicy, AuditStage, AuditVerdict } from '#server/audit/audit-policy.ts';
import type { Exchange } from '#server/front/exchange.ts';
import { impersonationConstraint } from '#server/middleware/impersonate.ts';

export interface AuditServices {
  readonly policy: AuditPolicy;
  readonly sinks: readonly AuditSink[];
  readonly clock: Clock;
  /** A body as the object it stands for; undefined when that cannot be told. */
  readonly readObject: (bytes: Uint8Array | string, contentType: string) => unknown;
  readonly onEvent?: () => void;
  readonly onJudged?: (level: AuditLevel) => void;
  readonly onRejected?: () => void;
}

/** From this on an event says how long the request took. */
const slowMs = 500;

export class RequestRecord {
  readonly #services: AuditServices;
  readonly #verdict: AuditVerdict;
  readonly #exchange: Exchange;
  readonly #caller: User | undefined;
  readonly #received: Date;
  readonly #annotations: Record<string, string> = {};
  readonly #chunks: (Uint8Array | string)[] = [];
  #contentType = '';
  #code = 0;
  #constraint: string | undefined;
  #answerBody: Uint8Array | string | undefined;
  #requestBody: Buffer | undefined;
  /** What the body was understood as: whole where the level asks for it, else its metadata. */
  #object: unknown;
  /** Said instead of what the answer says. */
  status: object | undefined;

  constructor(services: AuditServices, verdict: AuditVerdict, exchange: Exchange, caller: User | undefined) {
    this.#services = services;
    this.#verdict = verdict;
    this.#exchange = exchange;
    this.#caller = caller;
    this.#received = services.clock.now();
  }

  get level(): AuditLevel {
    return this.#verdict.level;
  }

  get answered(): boolean {
    return this.#code > 0;
  }

  omits(stage: AuditStage): boolean {
    return this.#verdict.omitStages.has(stage);
  }

  bodyRead(bytes: Buffer): void {
    this.#requestBody = bytes;
  }

  objectRead(object: object, schema: StructSchema): void {
    if (this.level === 'Metadata') this.#object = { metadata: { ...(object as { metadata?: object }).metadata } };
    else this.#object = JSON.parse(encodeJson(schema, object));
  }

  answer(code: number, contentType: string, body: Uint8Array | string | undefined): void {
    this.#code = code;
    this.#contentType = contentType;
    this.#answerBody = body;
  }

  chunk(chunk: Uint8Array | string): void {
    this.#chunks.push(chunk);
  }

  /** `Request`: only where the event shows what was sent. */
  annotate(key: string, value: string, level?: 'Request'): void {
    if (level === 'Request' && this.level === 'Metadata') return;
    if (key === impersonationConstraint) this.#constraint = value;
    else this.#annotations[key] ??= value;
  }

  event(stage: AuditStage): AuditEvent {
    const { info, search, path, auditId, headers } = this.#exchange;
    const answered = stage !== 'RequestReceived';
    const now = answered ? this.#services.clock.now() : this.#received;
    const acting = answered && this.#caller !== undefined && this.#exchange.user !== this.#caller ? auditUser(this.#exchange.user) : undefined;
    if (stage === 'ResponseComplete') this.#noteLatency(now);
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: this.level,
      auditID: auditId,
      stage,
      requestURI: search === '' ? path : `${path}?${search}`,
      verb: info.verb,
      user: this.#caller === undefined ? {} : auditUser(this.#caller),
      ...compact<Optional>({
        impersonatedUser: acting,
        authenticationMetadata: acting && this.#constraint !== undefined ? { impersonationConstraint: this.#constraint } : undefined,
        sourceIPs: sourceAddresses(this.#exchange),
        userAgent: auditUserAgent(String(headers['user-agent'] ?? '')),
        objectRef: this.#reference(),
        responseStatus: answered ? (this.status ?? this.#answerStatus()) : undefined,
        requestObject: answered && this.level !== 'Metadata' ? this.#shown(this.#requestObject()) : undefined,
        responseObject: answered && this.level === 'RequestResponse' ? this.#shown(this.#responseObject()) : undefined,
      }),
      requestReceivedTimestamp: microTime(this.#received),
      stageTimestamp: microTime(now),
      ...(Object.keys(this.#annotations).length > 0 && { annotations: sorted(this.#annotations) }),
    };
  }

  #noteLatency(now: Date): void {
    const ms = now.getTime() - this.#received.getTime();
    if (ms > slowMs) this.annotate('apiserver.latency.k8s.io/total', `${ms / 1000}s`);
  }

  #reference(): ObjectReference | undefined {
    const reference = referenceOf(this.#exchange.info);
    return reference === undefined || this.#object === undefined ? reference : withObject(reference, this.#object);
  }

  /** A patch is shown as it was sent: what it would make of an object is seen in the answer. */
  #requestObject(): unknown {
    const { verb } = this.#exchange.info;
    if (this.#object !== undefined) return this.#object;
    if (this.#requestBody === undefined || this.#requestBody.length === 0) return undefined;
    if (verb === 'patch') return this.#sent();
    return verb === 'delete' || verb === 'deletecollection' ? asDeleteOptions(this.#sent()) : undefined;
  }

  #sent(): unknown {
    return this.#services.readObject(this.#requestBody ?? '', String(this.#exchange.headers['content-type'] ?? ''));
  }

  #responseObject(): unknown {
    const body = this.#answerBody ?? Buffer.concat(this.#chunks.map((chunk) => Buffer.from(chunk as Uint8Array)));
    return body.length === 0 || !this.#exchange.info.isResource ? undefined : this.#services.readObject(body, this.#contentType);
  }

  /** Refusals and the Status of a deletion are repeated here, without their type. */
  #answerStatus(): object {
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

type Optional = Pick<
  AuditEvent,
  'impersonatedUser' | 'authenticationMetadata' | 'sourceIPs' | 'userAgent' | 'objectRef' | 'responseStatus' | 'requestObject' | 'responseObject'
>;

const maxStatusBytes = 64 * 1024;

/** Upstream shows the options in their internal form. */
function asDeleteOptions(sent: unknown): unknown {
  return typeof sent === 'object' && sent !== null ? { ...sent, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' } : undefined;
}

function sorted(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** As proxies tell it, nearest last; a client can claim anything here. */
function sourceAddresses({ headers, remoteAddress }: Exchange): readonly string[] {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const claimed = [...forwarded, String(headers['x-real-ip'] ?? '')].map((address) => address.trim()).filter((address) => /^[0-9a-fA-F.:]+$/.test(address));
  return [...new Set([...claimed, remoteAddress.replace(/^::ffff:/, '')])];
}

function withoutManagedFields(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const { metadata, items, rows } = object as { metadata?: Record<string, unknown>; items?: unknown; rows?: unknown };
  const { managedFields: _managedFields, ...rest } = metadata ?? {};
  return {
    ...object,
    ...(metadata && { metadata: rest }),
    ...(Array.isArray(items) && { items: items.map(withoutManagedFields) }),
    ...(Array.isArray(rows) && { rows: rows.map((row: { object?: unknown }) => ({ ...row, object: withoutManagedFields(row.object) })) }),
  };
}
