// Query parameters as the options of a verb, with the checks and words of the original.
import { ApiError, badRequest, invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import { parseFieldSelector, type FieldSelector } from '#api/field-selector.ts';
import type { FieldValidation } from '#api/field-validation.ts';
import { type LabelSelector, parseLabelSelector } from '#api/label-selector.ts';
import { isPrintable, isPrintableAscii } from '#base/go-text.ts';
import type { PatchType } from '#verbs/compute-patch.ts';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** The options object as admission sees it. */
  readonly sent: Readonly<Record<string, unknown>>;
}

export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

export function parseWriteOptions(kind: WriteOptionsKind, query: URLSearchParams): WriteOptions {
  return parseChecked(kind, query, new FieldErrors());
}

/** Apply needs to know who applies; other patches cannot force anything. */
export function parsePatchOptions(type: PatchType | 'apply', query: URLSearchParams): WriteOptions {
  const errors = new FieldErrors();
  if (type !== 'apply') {
    if (query.has('force')) errors.forbidden('force', 'may not be specified for non-apply patch');
  } else if (!query.get('fieldManager')) errors.required('fieldManager', 'is required for apply patch');
  return parseChecked('PatchOptions', query, errors);
}

function parseChecked(kind: WriteOptionsKind, query: URLSearchParams, errors: FieldErrors): WriteOptions {
  const dryRun = query.getAll('dryRun');
  checkFieldManager(query.get('fieldManager') ?? '', errors);
  checkDryRun(dryRun, errors);
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) errors.notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']);
  refuse(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: query.get('fieldManager') ?? '',
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    sent: optionsObject(kind, query, dryRun),
  };
}

function optionsObject(kind: string, query: URLSearchParams, dryRun: readonly string[]): Record<string, unknown> {
  const sent: Record<string, unknown> = { kind, apiVersion: 'meta.k8s.io/v1' };
  if (dryRun.length > 0) sent['dryRun'] = dryRun;
  for (const name of ['fieldManager', 'fieldValidation']) if (query.get(name)) sent[name] = query.get(name);
  if (query.has('force')) sent['force'] = parseFlag(query, 'force');
  return sent;
}

export function checkDryRun(dryRun: readonly string[], errors: FieldErrors): void {
  if (dryRun.some((value) => value !== 'All')) errors.notSupported('dryRun', dryRun, ['All']);
}

const longestQuoted = 256;

function checkFieldManager(manager: string, errors: FieldErrors): void {
  // Counted in bytes, as upstream does.
  const bytes = Buffer.byteLength(manager);
  if (bytes > longestManager) errors.tooLong('fieldManager', longestManager);
  // Every finding below quotes the whole text.
  if (bytes > longestQuoted || isPrintableAscii(manager)) return;
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) errors.invalid('fieldManager', manager, `invalid character ${codePoint(character)} (at position ${position})`);
    position += Buffer.byteLength(character);
  }
}

/** In bytes. */
const longestManager = 128;

/** The first part of a User-Agent, cut to what a field manager may hold; anything unprintable makes it unusable. */
export function managerFromUserAgent(userAgent: string): string {
  const prefix = userAgent.split('/', 1)[0] ?? '';
  if (prefix !== '' && prefix.length <= longestManager && isPrintableAscii(prefix)) return prefix;
  let manager = '';
  for (const character of prefix) {
    if (!isPrintable(character)) continue;
    if (Buffer.byteLength(manager) + Buffer.byteLength(character) > longestManager) break;
    manager += character;
  }
  return manager === '' ? 'unknown' : manager;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

export function refuse(kind: string, errors: FieldErrors): void {
  if (!errors.empty) throw invalid({ group: 'meta.k8s.io', kind }, '', errors.list);
}

/** Go's reading of a boolean parameter: there at all is true, unless it says `false` or `0`. */
export function parseFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && !['false', '0'].includes(value.toLowerCase());
}

/** Undefined when absent. 400 with the words of Go's strconv when it is no int64. */
export function parseInteger(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[+-]?\d+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  if (!isInt64(value)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
  return Number(value);
}

export interface ListOptions {
  readonly labels: LabelSelector | undefined;
  /** As sent: unknown fields are refused later. */
  readonly fields: FieldSelector | undefined;
  /** As sent: '' when unset. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continue: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** For list, watch and deletecollection. What cannot be read is refused before what makes no sense. */
export function parseListOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const timeoutSeconds = parseInteger(query, 'timeoutSeconds');
  const limit = parseInteger(query, 'limit') ?? 0;
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  const options: ListOptions = {
    labels: labels ? parseLabelSelector(labels) : undefined,
    fields: fields ? parseFieldSelector(fields) : undefined,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit,
    continue: query.get('continue') ?? '',
    timeoutSeconds,
    allowWatchBookmarks: parseFlag(query, 'allowWatchBookmarks'),
    sendInitialEvents: query.has('sendInitialEvents') ? parseFlag(query, 'sendInitialEvents') : undefined,
  };
  checkListOptions(options, watch);
  return options;
}

function checkListOptions(options: ListOptions, watch: boolean): void {
  const errors = new FieldErrors();
  if (watch) checkWatchMatch(options, errors);
  else {
    checkListMatch(options, errors);
    if (options.sendInitialEvents !== undefined) errors.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  }
  refuse('ListOptions', errors);
}

function checkWatchMatch(options: ListOptions, errors: FieldErrors): void {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const field = 'resourceVersionMatch';
  if (sendInitialEvents === undefined) {
    if (match !== '') errors.forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  } else if (match !== 'NotOlderThan') {
    errors.forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  // Who names no version begins with what is there, which is a list.
  const lists = sendInitialEvents ?? ['', '0'].includes(options.resourceVersion);
  if (lists && options.continue !== '') errors.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
  if (match !== '' && match !== 'NotOlderThan') errors.notSupported(field, match, ['NotOlderThan']);
}

function checkListMatch(options: ListOptions, errors: FieldErrors): void {
  const { resourceVersionMatch: match, resourceVersion } = options;
  const field = 'resourceVersionMatch';
  if (match === '') return;
  if (resourceVersion === '') errors.forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (options.continue !== '') errors.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') errors.notSupported(field, match, ['Exact', 'NotOlderThan', '']);
  if (match === 'Exact' && resourceVersion === '0') errors.forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
}

/** 0 when unset; undefined when it is no resource version. */
export function parseResourceVersion(text: string): number | undefined {
  if (text === '' || text === '0') return 0;
  return /^\d+$/.test(text) && isUint64(text) ? Number(text) : undefined;
}

/** Digits with a sign before them, or none. */
function isInt64(text: string): boolean {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length < 19) return true;
  return digits.length === 19 && digits <= (text.startsWith('-') ? '9223372036854775808' : '9223372036854775807');
}

/** Digits only; BigInt takes more than linear time to read a long row of them. */
function isUint64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length < 20 || (significant.length === 20 && significant <= '18446744073709551615');
}

export function badResourceVersion(text: string): string {
  const why = /^\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  return `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`;
}

/** `asked` as it was given: numbers are exact only up to 2^53. */
export function tooLargeResourceVersion(asked: number | string, current: number, retryAfterSeconds: number | undefined = 1): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${BigInt(asked)}, current: ${current}`, {
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], ...(retryAfterSeconds && { retryAfterSeconds }) },
  });
}
