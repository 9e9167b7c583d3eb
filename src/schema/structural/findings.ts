// What a check of a value against a schema found. Findings know more than field errors: alternatives (anyOf, oneOf) are
// compared by how much of them fits, and the same text is said once.
import { type FieldErrors, mostErrors } from '#api/field-error.ts';

export interface Finding {
  readonly what: 'type' | 'required' | 'enum' | 'tooLong' | 'tooMany' | 'value' | 'general';
  /** Path below the checked value: `.spec.items[0]`, `..key` for what a map has at its top; general findings have none. */
  readonly at: string;
  readonly value: unknown;
  readonly text: string;
  /** The limit of `tooLong` and `tooMany`. */
  readonly limit?: number;
  /** The values an enum allows. */
  readonly allowed?: readonly string[];
}

const few = 16;

export class Findings {
  readonly list: Finding[] = [];
  /** Checks that fitted: of several alternatives that fail, the one with most of them explains the failure. */
  matches = 0;
  /** Of all findings, once they are so many that looking through them would take long. */
  #texts: Set<string> | undefined;

  /** More than an answer tells: what else is wrong need not be looked for. */
  get full(): boolean {
    return this.list.length > mostErrors;
  }

  get none(): boolean {
    return this.list.length === 0;
  }

  add(finding: Finding): void {
    if (this.#knows(finding.text)) return;
    this.list.push(finding);
    this.#texts?.add(finding.text);
  }

  #knows(text: string): boolean {
    if (this.list.length < few) return this.list.some((known) => known.text === text);
    this.#texts ??= new Set(this.list.map((known) => known.text));
    return this.#texts.has(text);
  }

  merge(other: Findings): void {
    for (const finding of other.list) this.add(finding);
    this.matches += other.matches;
  }

  /** As field errors below `prefix` (a path without leading dot, or nothing). */
  report(prefix: string, errors: FieldErrors): void {
    for (const finding of this.list) reportOne(finding, prefix, errors);
  }
}

/** The original's path of the whole object. */
const wholeObject = '<nil>';

function reportOne({ what, at, value, text, limit = -1, allowed = [] }: Finding, prefix: string, errors: FieldErrors): void {
  const path = [prefix, at.replace(/^\.+/, '')].filter((part) => part !== '').join('.') || wholeObject;
  switch (what) {
    case 'type':
      return errors.typeInvalid(path, value ?? '', text);
    case 'required':
      return errors.required(path);
    case 'enum':
      return errors.notSupported(path, value, allowed);
    case 'tooLong':
      return errors.tooLong(path, limit);
    case 'tooMany':
      return errors.tooMany(path, value as number, limit);
    case 'value':
      return errors.invalid(path, value ?? '', text);
    case 'general':
      return errors.invalid(prefix || wholeObject, '', text);
  }
}
