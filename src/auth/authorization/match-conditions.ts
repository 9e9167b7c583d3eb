// `matchConditions` of an authorization webhook: only requests for which all are true are put to it.
import type { Program } from '#cel/evaluate/program.ts';
import { jsonValue } from '#cel/json-value.ts';
import { boolType, listType, mapType, objectType, stringType } from '#cel/type.ts';
import { typedCompiler } from '#cel/typed-environment.ts';

const texts = listType(stringType);
const requirements = (name: string) => ({ rawSelector: stringType, requirements: listType(objectType(name)) });
const requirement = { key: stringType, operator: stringType, values: texts };

const types = {
  'kubernetes.SubjectAccessReviewSpec': {
    resourceAttributes: objectType('kubernetes.ResourceAttributes'),
    nonResourceAttributes: objectType('kubernetes.NonResourceAttributes'),
    user: stringType,
    groups: texts,
    extra: mapType(stringType, texts),
    uid: stringType,
  },
  'kubernetes.ResourceAttributes': {
    namespace: stringType,
    verb: stringType,
    group: stringType,
    version: stringType,
    resource: stringType,
    subresource: stringType,
    name: stringType,
    fieldSelector: objectType('kubernetes.FieldSelectorAttributes'),
    labelSelector: objectType('kubernetes.LabelSelectorAttributes'),
  },
  'kubernetes.NonResourceAttributes': { path: stringType, verb: stringType },
  'kubernetes.FieldSelectorAttributes': requirements('kubernetes.FieldSelectorRequirement'),
  'kubernetes.LabelSelectorAttributes': requirements('kubernetes.LabelSelectorRequirement'),
  'kubernetes.FieldSelectorRequirement': requirement,
  'kubernetes.LabelSelectorRequirement': requirement,
};

/** Undefined: some condition could not be told and none was false. `spec` is that of a SubjectAccessReview of v1. */
export type MatchesReview = (spec: object) => boolean | undefined;

/** Throws an Error for an expression that does not compile, with its place in the list. */
export function compileReviewConditions(expressions: readonly string[]): MatchesReview {
  const compile = typedCompiler({ request: objectType('kubernetes.SubjectAccessReviewSpec') }, types);
  const programs = expressions.map((expression, index): Program => {
    try {
      return compile(expression, [boolType]);
    } catch (error) {
      throw new Error(
        `matchConditions[${index}].expression: Invalid value: ${JSON.stringify(expression)}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });
  return (spec) => {
    const request = jsonValue(spec);
    const outcomes = programs.map((program) => program.evaluate({ get: (name) => (name === 'request' ? request : undefined) }));
    if (outcomes.some((outcome) => outcome.status === 'value' && outcome.value === false)) return false;
    return outcomes.every((outcome) => outcome.status === 'value') ? true : undefined;
  };
}
