// An environment for one user of the language whose variables have object types of their own: compiled once, at the start of the server.
import type { Program } from '#cel/evaluate/program.ts';
import { kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import { type ObjectTypes, objectTypes } from '#cel/object-types.ts';
import { sameType, type Type, typeToString } from '#cel/type.ts';

/** Throws an Error with the compiler's words. */
export type CompileTyped = (expression: string, wanted: readonly Type[]) => Program;

export function typedCompiler(variables: Readonly<Record<string, Type>>, types: ObjectTypes = {}): CompileTyped {
  const environment = kubernetesEnvironment('stored').extend({ variables: new Map(Object.entries(variables)), types: objectTypes(types) });
  return (expression, wanted) => {
    const compiled = environment.compile(expression);
    if (compiled.program === undefined) throw new Error(`compilation failed: ${compiled.text}`);
    const { outputType } = compiled.program;
    if (wanted.some((type) => sameType(type, outputType))) return compiled.program;
    const asked = wanted.map(typeToString);
    throw new Error(`must evaluate to ${asked.length === 1 ? asked[0] : `one of [${asked.join(' ')}]`} but got ${typeToString(outputType)}`);
  };
}
