// Expressions of Stages: CEL over `object` and `now`.
import type { KubernetesObject } from '#api/object.ts';
import { lazily } from '#base/lazily.ts';
import { jsonOf } from '#cel/json-of.ts';
import { jsonValue } from '#cel/json-value.ts';
import { kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import { dynType, timestampType, type Type } from '#cel/type.ts';
import { Timestamp } from '#cel/value.ts';
import type { CompileExpression } from '#nodes/stages/stage.ts';

const variables = new Map<string, Type>([
  ['object', dynType],
  ['now', timestampType],
]);
const environment = lazily(() => kubernetesEnvironment('stored').extend({ variables }));
/** Of a single evaluation: they run in the turn of the loop. */
const costLimit = 100_000;

export const compileStageExpression: CompileExpression = (expression) => {
  const compiled = environment().compile(expression);
  if (compiled.program === undefined) throw new Error(`${expression}: ${compiled.text}`);
  const { program } = compiled;
  return (object: KubernetesObject, now: Date) => {
    const values = { object: jsonValue(object), now: timestampOf(now) };
    const outcome = program.evaluate({ get: (name) => values[name as keyof typeof values] }, { costLimit });
    if (outcome.status !== 'value') throw new Error('message' in outcome ? outcome.message : 'no value');
    return jsonOf(outcome.value);
  };
};

function timestampOf(date: Date): Timestamp {
  return new Timestamp(BigInt(date.getTime()) * 1_000_000n);
}
