// Refusals. An ApiError *is* a Status: throw one anywhere below the pipeline and the client reads it.
import type { FieldError } from '#api/field-error.ts';
import { goQuote } from '#base/go-text.ts';
import { formatGroupKind, formatGroupResource, type GroupKind, type GroupResource } from '#api/names.ts';
import type { Status, StatusCause, StatusDetails, StatusReason } from '#api/status.ts';

export interface ApiErrorOptions {
  readonly details?: StatusDetails;
  /** A list token for inconsistent continuation (410 Expired), or what a webhook put there. */
  readonly metadata?: Status['metadata'];
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  /** Undefined for the errors that upstream answers without a reason. */
  readonly reason: StatusReason | undefined;
  readonly details: StatusDetails | undefined;
  readonly metadata: Status['metadata'] | undefined;

  constructor(code: number, reason: StatusReason | undefined, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = reason;
    this.details = options.details;
    this.metadata = options.metadata;
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.metadata ?? {},
      status: 'Failure',
      ...(this.message !== '' && { message: this.message }),
      ...(this.reason !== undefined && { reason: this.reason }),
      ...(this.details !== undefined && { details: this.details }),
      code: this.code,
    };
  }
}

export function notFound(resource: GroupResource, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${formatGroupResource(resource)} ${goQuote(name)} not found`, { details: detailsOf(resource, name) });
}

/** A path under a served group that leads nowhere. */
export function noSuchPath(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', { details: {} });
}

export function alreadyExists(resource: GroupResource, name: string): ApiError {
  return new ApiError(409, 'AlreadyExists', `${formatGroupResource(resource)} ${goQuote(name)} already exists`, { details: detailsOf(resource, name) });
}

/** `taken` is what the last name drawn was refused with. */
export function generateNameExhausted({ message, details }: ApiError): ApiError {
  const why = `${message}, the server was not able to generate a unique name for the object`;
  return new ApiError(409, 'AlreadyExists', why, { details: { ...details, retryAfterSeconds: 1 } });
}

export function conflict(resource: GroupResource, name: string, why: string): ApiError {
  return new ApiError(409, 'Conflict', `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${goQuote(name)}: ${why}`, {
    details: detailsOf(resource, name),
  });
}

export function forbidden(resource: GroupResource, name: string, why: string): ApiError {
  const subject = [formatGroupResource(resource), ...(name === '' ? [] : [goQuote(name)])].join(' ');
  const message = resource.resource === '' && resource.group === '' ? `forbidden: ${why}` : `${subject} is forbidden: ${why}`;
  return new ApiError(403, 'Forbidden', message, { details: detailsOf(resource, name) });
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(410, 'Expired', message, continueToken === undefined ? {} : { metadata: { continue: continueToken } });
}

export function methodNotAllowed(): ApiError {
  return new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', { details: {} });
}

/** The same in the words of a handler that knows which resource it serves. */
export function methodNotSupported(resource: GroupResource, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(formatGroupResource(resource))}`;
  return new ApiError(405, 'MethodNotAllowed', message, { details: { ...(resource.group !== '' && { group: resource.group }), kind: resource.resource } });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(429, 'TooManyRequests', message, { details: { retryAfterSeconds } });
}

export function tooLarge(message: string): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

export function internalError(message: string, cause?: unknown): ApiError {
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { details: { causes: [{ message }] }, cause });
}

/** A mistake of the client that upstream answers with a plain Go error, a 500 without a reason: the same words, but as the client's mistake. */
export function unclassified(message: string): ApiError {
  return new ApiError(400, undefined, message);
}

/** What this server cannot do, however it is asked. */
export function notImplemented(message: string): ApiError {
  return new ApiError(501, undefined, message);
}

/** How much of what is wrong with an object is said; errors that quote megabytes would fill the memory otherwise. */
const mostText = 256 << 10;

/** 422 for all field errors of an object at once. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const { messages, causes } = wording(errors);
  const list = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  const details: StatusDetails = {
    ...(name !== '' && { name }),
    ...(kind.group !== '' && { group: kind.group }),
    ...(kind.kind !== '' && { kind: kind.kind }),
    causes,
  };
  return new ApiError(422, 'Invalid', `${formatGroupKind(kind)} ${goQuote(name)} is invalid${messages.length > 0 ? `: ${list}` : ''}`, { details });
}

/** Each message once, as Go's aggregated errors have it; every error as a cause. */
function wording(errors: readonly FieldError[]): { messages: readonly string[]; causes: StatusCause[] } {
  const messages = new Set<string>();
  const causes: StatusCause[] = [];
  let length = 0;
  for (const error of errors) {
    if (length > mostText) break;
    const { reason, field } = error;
    const message = error.body();
    length += field.length + message.length;
    messages.add(`${field}: ${message}`);
    causes.push({ reason, message, field });
  }
  return { messages: [...messages], causes };
}

function detailsOf({ group, resource }: GroupResource, name: string): StatusDetails {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), ...(resource !== '' && { kind: resource }) };
}
