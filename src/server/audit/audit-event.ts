// The event of audit.k8s.io/v1, in the order in which upstream writes its fields.
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import type { AuditLevel, AuditStage } from '#server/audit/audit-policy.ts';

export interface AuditUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: AuditUser;
  readonly impersonatedUser?: AuditUser;
  readonly authenticationMetadata?: { readonly impersonationConstraint: string };
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: ObjectReference;
  readonly responseStatus?: object;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface AuditSink {
  /** Never waits: what cannot be taken is dropped and counted. */
  write(event: AuditEvent): void;
  /** Only there in the modes in which requests wait: resolves when the event is stored, to false when it is lost. */
  readonly store?: ((event: AuditEvent) => Promise<boolean>) | undefined;
  /** A request whose event cannot be stored is refused. */
  readonly strict?: boolean;
  /** Resolves when what was taken is written. */
  close(): Promise<void>;
  readonly dropped: number;
}

/** Where events end up: a file, another server. */
export interface AuditBackend {
  /** Rejects when they could not be stored. */
  deliver(events: readonly AuditEvent[]): Promise<void>;
  /** The server stops: what does not go through now is lost. */
  hurry?(): void;
  close(): Promise<void>;
}

export function auditUser({ name, uid, groups, extra }: User): AuditUser {
  return {
    username: name,
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

export function referenceOf({ isResource, resource, namespace, name, group, version, subresource }: RequestInfo): ObjectReference | undefined {
  if (!isResource) return undefined;
  return {
    resource,
    ...(namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
    ...(group !== '' && { apiGroup: group }),
    apiVersion: version,
    ...(subresource !== '' && { subresource }),
  };
}

/** What the object of the request knows better than its URL. */
export function withObject(reference: ObjectReference, object: unknown): ObjectReference {
  const { name, namespace, uid, resourceVersion } = (object as { metadata?: Readonly<Record<string, string | undefined>> } | undefined)?.metadata ?? {};
  const { resource, apiGroup, apiVersion, subresource } = reference;
  return compact({
    resource,
    namespace: reference.namespace ?? namespace,
    name: reference.name ?? name,
    uid,
    apiGroup,
    apiVersion,
    resourceVersion,
    subresource,
  });
}

export function compact<T extends object>(values: { [Key in keyof T]?: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as T;
}

const maxUserAgent = 1024;

export function auditUserAgent(given: string): string {
  return given.length <= maxUserAgent ? given : `${given.slice(0, maxUserAgent)}...TRUNCATED`;
}

/** Milliseconds are all we have; the form has microseconds. */
export function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}

/** As Go writes JSON: characters that mean something in HTML are escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? Number(member) : member));
  return text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The form of one line that upstream had before events were JSON. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser: acting, objectRef, responseStatus, sourceIPs } = event;
  const named = (user.username ?? '') !== '';
  const facts = {
    id: event.auditID,
    stage: event.stage,
    ip: sourceIPs?.[0] ?? '<unknown>',
    method: event.verb,
    user: named ? (user.username ?? '') : '<none>',
    groups: named ? quotedList(user.groups, '<none>') : '<none>',
    as: acting?.username ?? '<self>',
    asgroups: acting ? quotedList(acting.groups, '<lookup>') : '<lookup>',
    'user-agent': event.userAgent ?? '',
    namespace: objectRef?.namespace ?? '<none>',
    uri: event.requestURI,
    response: String((responseStatus as { code?: number } | undefined)?.code ?? '<deferred>'),
  };
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${event.requestReceivedTimestamp} AUDIT: ${pairs.join(' ')}`;
}

function quotedList(values: readonly string[] | undefined, none: string): string {
  return values === undefined || values.length === 0 ? none : values.map((value) => JSON.stringify(value)).join(',');
}
