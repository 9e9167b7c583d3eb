// What is wrong with a field, in the words of the original. Collected, never thrown one by one.

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

const headline: Record<FieldErrorReason, string> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

const showsValue = new Set<FieldErrorReason>([
  'FieldValueNotFound',
  'FieldValueDuplicate',
  'FieldValueInvalid',
  'FieldValueNotSupported',
  'FieldValueTypeInvalid',
  'FieldValueTooMany',
]);

export class FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly value: unknown;
  readonly detail: string;

  constructor(reason: FieldErrorReason, field: string, value: unknown, detail: string) {
    this.reason = reason;
    this.field = field;
    this.value = value;
    this.detail = detail;
  }

  /** The message without the field, as it stands in `causes`. */
  body(): string {
    const head = showsValue.has(this.reason) ? `${headline[this.reason]}: ${formatValue(this.value)}` : headline[this.reason];
    return this.detail === '' ? head : `${head}: ${this.detail}`;
  }

  toString(): string {
    return `${this.field}: ${this.body()}`;
  }
}

/** Everything wrong with one object. Paths are dotted JSON paths: `spec.containers[0].name`, `metadata.labels[a]`. */
export class FieldErrors {
  readonly list: FieldError[] = [];

  get empty(): boolean {
    return this.list.length === 0;
  }

  add(...errors: readonly FieldError[]): void {
    this.list.push(...errors);
  }

  required(field: string, detail = ''): void {
    this.list.push(new FieldError('FieldValueRequired', field, undefined, detail));
  }

  invalid(field: string, value: unknown, detail: string): void {
    this.list.push(new FieldError('FieldValueInvalid', field, value, detail));
  }

  typeInvalid(field: string, value: unknown, detail: string): void {
    this.list.push(new FieldError('FieldValueTypeInvalid', field, value, detail));
  }

  forbidden(field: string, detail: string): void {
    this.list.push(new FieldError('FieldValueForbidden', field, undefined, detail));
  }

  duplicate(field: string, value: unknown): void {
    this.list.push(new FieldError('FieldValueDuplicate', field, value, ''));
  }

  notFound(field: string, value: unknown): void {
    this.list.push(new FieldError('FieldValueNotFound', field, value, ''));
  }

  notSupported(field: string, value: unknown, supported: readonly string[]): void {
    const detail = supported.length === 0 ? '' : `supported values: ${supported.map((text) => JSON.stringify(text)).join(', ')}`;
    this.list.push(new FieldError('FieldValueNotSupported', field, value, detail));
  }

  /** Upstream counts bytes here, and says so. */
  tooLong(field: string, maximum: number): void {
    this.list.push(new FieldError('FieldValueTooLong', field, undefined, maximum >= 0 ? `may not be more than ${maximum} bytes` : 'value is too long'));
  }

  tooMany(field: string, actual: number, maximum: number): void {
    this.list.push(new FieldError('FieldValueTooMany', field, actual, maximum >= 0 ? `must have at most ${maximum} items` : 'has too many items'));
  }

  internal(field: string, detail: string): void {
    this.list.push(new FieldError('InternalError', field, undefined, detail));
  }
}

/** Text is quoted, numbers and booleans are bare, everything else is JSON. */
function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
