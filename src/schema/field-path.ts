// Paths that name a field below a schema, as `fieldPath` of a validation rule and `jsonPath` of a selectable field do: `.spec.replicas`,
// `.labels['a.b']`. Whether a step names a property or the key of a map is said by the schema, not by its notation.

export interface FoundField<Schema> {
  readonly steps: readonly string[];
  readonly schema: Schema;
}

export interface FieldPathProblem {
  readonly problem: string;
}

/** The schema of a member; undefined where the schema has none of that name. */
export type MemberOf<Schema> = (schema: Schema, name: string) => Schema | undefined;

/** What is wrong is told in the words of apiextensions' ValidFieldPath. */
export function findField<Schema>(path: string, root: Schema, memberOf: MemberOf<Schema>, allowsBrackets = true): FoundField<Schema> | FieldPathProblem {
  const steps: string[] = [];
  let schema = root;
  const tokens = path.match(token) ?? [];
  for (let at = 0; at < tokens.length; ) {
    const step = tokens[at] === '[' ? bracketed(tokens, at, allowsBrackets) : dotted(tokens, at);
    if ('problem' in step) return step;
    const member = memberOf(schema, step.name);
    if (member === undefined) return { problem: 'does not refer to a valid field' };
    const unclosed = tokens[at] === '[' ? whyNotClosed(tokens[at + 2]) : undefined;
    if (unclosed !== undefined) return { problem: unclosed };
    schema = member;
    steps.push(step.name);
    at += step.length;
  }
  return { steps, schema };
}

/** A quoted name ends at the first quote without a backslash before it. */
const token = /'(?:[^']|(?<=\\)')*(?<!\\)'|'[^]*|[.[\]]|[^.[\]]+/g;
const endOfPath = 'unexpected end of JSON path';

type Step = { readonly name: string; readonly length: number } | FieldPathProblem;

function dotted(tokens: readonly string[], at: number): Step {
  if (tokens[at] !== '.') return { problem: `expected [ or . but got: ${String(tokens[at])}` };
  const name = tokens[at + 1];
  return name === undefined ? { problem: endOfPath } : { name, length: 2 };
}

function bracketed(tokens: readonly string[], at: number, allowed: boolean): Step {
  if (!allowed) return { problem: 'array notation is not allowed' };
  const quoted = tokens[at + 1];
  if (quoted === undefined) return { problem: endOfPath };
  if (!/^'[^]*'$/.test(quoted)) return { problem: `expected single quoted string but got ${quoted}` };
  const inside = quoted.slice(1, -1);
  const bad = [...inside.matchAll(/\\./gs)].find(([escape]) => escapes[escape] === undefined)?.[0];
  if (bad !== undefined) return { problem: `invalid string literal: invalid escape char ${bad}` };
  return { name: inside.replace(/\\./gs, (escape) => escapes[escape] ?? ''), length: 3 };
}

const escapes: Readonly<Record<string, string>> = {
  '\\a': '\x07',
  '\\b': '\b',
  '\\f': '\f',
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
  '\\v': '\v',
  "\\'": "'",
  '\\\\': '\\',
};

function whyNotClosed(end: string | undefined): string | undefined {
  if (end === undefined) return endOfPath;
  return end === ']' ? undefined : `expected ] but got ${end}`;
}
