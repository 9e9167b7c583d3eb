// What a refusal is in a table of cases: code, reason, and field, reason and message of every cause.
// Tables write a cause as one text, `field: message`; its reason follows from how the message begins.
import type { Status, StatusCause } from '#api/status.ts';

/** A cause as Status shows it, without repetitions, sorted. */
export interface Refused {
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly StatusCause[];
}

/** One case of the suite: through which write, of which kind, with which causes. */
export interface RegisteredRefusal {
  readonly write: string;
  readonly kind: string;
  readonly causes: readonly StatusCause[];
}

/** Stands for every uid in a message. */
export const someUid = '0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11';

const reasons: Readonly<Record<string, string>> = {
  'Not found': 'FieldValueNotFound',
  'Required value': 'FieldValueRequired',
  'Duplicate value': 'FieldValueDuplicate',
  'Invalid value': 'FieldValueInvalid',
  'Unsupported value': 'FieldValueNotSupported',
  Forbidden: 'FieldValueForbidden',
  'Too long': 'FieldValueTooLong',
  'Too short': 'FieldValueTooShort',
  'Too many': 'FieldValueTooMany',
  'Too few': 'FieldValueTooFew',
  'Internal error': 'InternalError',
};
const causeText = new RegExp(`^(?<field>[\\s\\S]*?): (?<message>(?<headline>${Object.keys(reasons).join('|')})[\\s\\S]*)$`);

const registered: RegisteredRefusal[] = [];

export function registerRefusals(write: string, kind: string, refusals: readonly (readonly [string, unknown, ...string[]])[]): void {
  for (const [, , ...errors] of refusals) registered.push({ write, kind, causes: errors.map(causeOf) });
}

/** Every case of the tables loaded so far. */
export function registeredRefusals(): readonly RegisteredRefusal[] {
  return registered;
}

/** No errors: the object is taken. */
export function refusedWith(errors: readonly string[]): Refused {
  if (errors.length === 0) return shownRefusal(undefined);
  return { code: 422, reason: 'Invalid', causes: inOrder(errors.map(causeOf)) };
}

/** Undefined: nothing was refused. */
export function shownRefusal(status: Status | undefined): Refused {
  if (status === undefined) return { code: 200, reason: '', causes: [] };
  const { code = 0, reason = '', details, message = '' } = status;
  return { code, reason, causes: inOrder(details?.causes ?? [{ message }]) };
}

function causeOf(error: string): StatusCause {
  const { field = '', message = '', headline = '' } = causeText.exec(error)?.groups ?? {};
  if (headline === '') throw new Error(`not the text of a field error: ${error}`);
  const reason = message.includes(' in body must be of type ') ? 'FieldValueTypeInvalid' : (reasons[headline] ?? '');
  return { reason, message, field };
}

function inOrder(causes: readonly StatusCause[]): StatusCause[] {
  const shown = causes.map(({ reason = '', message = '', field = '' }) => ({ reason, message: shownMessage(message), field }));
  const byText = new Map(shown.map((cause) => [`${cause.field}: ${cause.message} (${cause.reason})`, cause]));
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cause]) => cause);
}

/** Without uids and without the text of a difference, which Go prints with blanks at random. */
function shownMessage(message: string): string {
  return message.replace(/\n[\s\S]*/, '').replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, someUid);
}
