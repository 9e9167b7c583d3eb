// What is wrong with a field, in the words of the original. Collected, never thrown one by one.
import type { MaybePromise } from '#base/maybe-promise.ts';
import { andThen } from '#base/and-then.ts';
import { inShortTurns } from '#base/short-turns.ts';
import { goJson, goNumber, goQuote } from '#base/go-text.ts';

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
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
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
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
  'FieldValueTooFew',
]);

/** The field of an error about the object as a whole. */
export const wholeObject = '[]';

/** In place of a value that the message must not show. */
export const OMITTED: unique symbol = Symbol('omitted');

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
    const shown = showsValue.has(this.reason) && this.value !== OMITTED;
    const head = shown ? `${headline[this.reason]}: ${this.#shownValue()}` : headline[this.reason];
    return this.detail === '' ? head : `${head}: ${this.detail}`;
  }

  /** Enumerations are types of their own in Go, which prints those as JSON and plain text in its own quotes. */
  #shownValue(): string {
    if (this.reason === 'FieldValueNotSupported' && typeof this.value === 'string') return goJson(this.value);
    return formatValue(this.value);
  }

  toString(): string {
    return `${this.field}: ${this.body()}`;
  }
}

/** As many mistakes are collected before the object is refused; upstream collects all, which costs it as much as the sender likes. */
export const mostErrors = 1000;

/** Thrown out of a validation that has found more than enough; the list is what to refuse the object with. */
export class TooManyFieldErrors extends Error {
  override readonly name = 'TooManyFieldErrors';
  readonly list: readonly FieldError[];

  constructor(list: readonly FieldError[]) {
    super(`more than ${mostErrors} fields are invalid`);
    this.list = list;
  }
}

type Check = (errors: FieldErrors) => void;

interface Postponed {
  readonly check: Check;
  /** How many errors come before its own. */
  readonly at: number;
  readonly found: FieldErrors;
}

/** True when it has found more than enough. */
function judge({ check, found }: Postponed): boolean {
  try {
    check(found);
    return false;
  } catch (problem) {
    if (problem instanceof TooManyFieldErrors) return true;
    throw problem;
  }
}

/** Lists that are longer are looked at in turns, so many items at a time. */
const itemsAtATime = 100;

/** Everything wrong with one object. Paths are dotted JSON paths: `spec.containers[0].name`, `metadata.labels[a]`. */
export class FieldErrors {
  #list: FieldError[] = [];
  #postponed: Postponed[] | undefined;

  /** Whoever looks has everything: what was put off is done now. */
  get list(): readonly FieldError[] {
    if (this.#postponed !== undefined) {
      for (const one of this.#postponed) if (judge(one)) break;
      this.#takeOver(this.#postponed);
    }
    return this.#list;
  }

  get empty(): boolean {
    return this.list.length === 0;
  }

  /** Without those of checks that are put off. */
  get countSoFar(): number {
    return this.#list.length;
  }

  /** A check that takes a while, of which an object may need many. What it finds is told in this place. */
  later(check: Check): void {
    this.#postponed ??= [];
    this.#postponed.push({ check, at: this.#list.length, found: new FieldErrors() });
  }

  /** Does what was put off, and lets other requests have their turns meanwhile. */
  settled(): MaybePromise<void> {
    const postponed = this.#postponed;
    if (postponed === undefined) return undefined;
    let isEnough = false;
    const judgeNext = (one: Postponed) => () => {
      isEnough ||= judge(one);
      // What a check puts off has its turns as well.
      return isEnough ? undefined : one.found.#settledOrFull((isFull) => (isEnough = isFull));
    };
    return inShortTurns([...postponed.map(judgeNext), () => this.#takeOver(postponed)]);
  }

  #settledOrFull(tell: (isFull: boolean) => void): MaybePromise<void> {
    if (this.#postponed === undefined) return undefined;
    const notePlenty = (problem: unknown) => {
      if (!(problem instanceof TooManyFieldErrors)) throw problem;
      tell(true);
    };
    try {
      const settling = this.settled();
      return settling instanceof Promise ? settling.catch(notePlenty) : undefined;
    } catch (problem) {
      notePlenty(problem);
    }
  }

  /** `check` of each item, in order; long lists are put off, and looked at in turns. */
  each<T>(items: readonly T[] | undefined, check: (item: T, index: number, errors: FieldErrors) => void): void {
    if (items === undefined) return;
    if (items.length <= itemsAtATime) return items.forEach((item, index) => check(item, index, this));
    for (let from = 0; from < items.length; from += itemsAtATime) {
      this.later((found) => items.slice(from, from + itemsAtATime).forEach((item, index) => check(item, from + index, found)));
    }
  }

  #takeOver(postponed: readonly Postponed[]): void {
    this.#postponed = undefined;
    const own = this.#list;
    this.#list = [];
    let next = 0;
    for (const { at, found } of postponed) {
      this.add(...own.slice(next, at), ...found.list);
      next = at;
    }
    this.add(...own.slice(next));
  }

  add(...errors: readonly FieldError[]): void {
    for (const error of errors) this.#add(error);
  }

  #add(error: FieldError): void {
    this.#list.push(error);
    if (this.#list.length > mostErrors) throw new TooManyFieldErrors(this.#list);
  }

  required(field: string, detail = ''): void {
    this.#add(new FieldError('FieldValueRequired', field, undefined, detail));
  }

  invalid(field: string, value: unknown, detail: string): void {
    this.#add(new FieldError('FieldValueInvalid', field, value, detail));
  }

  /** One error per problem; the usual way to report a format check. */
  invalidEach(field: string, value: unknown, problems: readonly string[]): void {
    for (const problem of problems) this.invalid(field, value, problem);
  }

  typeInvalid(field: string, value: unknown, detail: string): void {
    this.#add(new FieldError('FieldValueTypeInvalid', field, value, detail));
  }

  forbidden(field: string, detail: string): void {
    this.#add(new FieldError('FieldValueForbidden', field, undefined, detail));
  }

  duplicate(field: string, value: unknown): void {
    this.#add(new FieldError('FieldValueDuplicate', field, value, ''));
  }

  notFound(field: string, value: unknown): void {
    this.#add(new FieldError('FieldValueNotFound', field, value, ''));
  }

  /** Upstream lists the values in the order given; where its source is a set, that order is sorted. */
  notSupported(field: string, value: unknown, supported: readonly string[]): void {
    const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
    this.#add(new FieldError('FieldValueNotSupported', field, value, detail));
  }

  /** Upstream counts bytes here, and says so. */
  tooLong(field: string, maximum: number, unit: 'byte' | 'character' = 'byte'): void {
    const detail = maximum >= 0 ? `may not be more than ${counted(maximum, unit)}` : 'value is too long';
    this.#add(new FieldError('FieldValueTooLong', field, undefined, detail));
  }

  tooShort(field: string, minimum: number): void {
    const detail = minimum >= 0 ? `must be at least ${counted(minimum, 'character')}` : 'value is too short';
    this.#add(new FieldError('FieldValueTooShort', field, undefined, detail));
  }

  /** A negative count is not shown. */
  tooMany(field: string, actual: number, maximum: number): void {
    const detail = maximum >= 0 ? `must have at most ${counted(maximum, 'item')}` : 'has too many items';
    this.#add(new FieldError('FieldValueTooMany', field, actual >= 0 ? actual : OMITTED, detail));
  }

  tooFew(field: string, actual: number, minimum: number): void {
    const detail = minimum >= 0 ? `must have at least ${counted(minimum, 'item')}` : 'has too few items';
    this.#add(new FieldError('FieldValueTooFew', field, actual, detail));
  }

  internal(field: string, detail: string): void {
    this.#add(new FieldError('InternalError', field, undefined, detail));
  }
}

/** What `validate` finds, or the first of it when that is too much. */
export function errorsIn(validate: (errors: FieldErrors) => MaybePromise<void>): MaybePromise<readonly FieldError[]> {
  const errors = new FieldErrors();
  try {
    const validating = andThen(validate(errors), () => errors.settled());
    return validating instanceof Promise ? validating.then(() => errors.list).catch(firstErrors) : errors.list;
  } catch (problem) {
    return firstErrors(problem);
  }
}

function firstErrors(problem: unknown): readonly FieldError[] {
  if (problem instanceof TooManyFieldErrors) return problem.list;
  throw problem;
}

/** Text that Go holds behind a pointer or in a type of its own: shown as JSON. */
export function asJson(text: string): object {
  return { toJSON: () => text };
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Text is quoted, numbers and booleans are bare, everything else is JSON. */
function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'object') return goJson(value);
  return typeof value === 'number' ? goNumber(value) : String(value);
}
