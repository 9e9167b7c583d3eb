// Whether the patterns of a schema compile. Compiling some takes milliseconds, and a definition may have thousands of them: they are judged in short
// turns before the schema is validated.
import { BoundedPattern } from '#base/bounded-pattern.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { inShortTurns } from '#base/short-turns.ts';
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { surveyOf } from '#kinds/apiextensions/v1/json-schema-survey.ts';

interface Judged {
  readonly pattern: string;
  readonly problem: string | undefined;
}

/** Ends with the request that the schema came with. */
const judged = new WeakMap<JSONSchemaProps, Judged>();

export function judgePatterns(root: JSONSchemaProps): MaybePromise<void> {
  return inShortTurns(
    [...surveyOf(root).patterns].map(([pattern, schemas]) => () => {
      const problem = problemOf(pattern);
      for (const schema of schemas) judged.set(schema, { pattern, problem });
    }),
  );
}

export function patternProblem(schema: JSONSchemaProps): string | undefined {
  if (!schema.pattern) return undefined;
  const known = judged.get(schema);
  return known?.pattern === schema.pattern ? known.problem : problemOf(schema.pattern);
}

function problemOf(pattern: string): string | undefined {
  try {
    void new BoundedPattern(pattern);
    return undefined;
  } catch (problem) {
    return (problem as Error).message;
  }
}
