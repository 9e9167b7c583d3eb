// An environment for one user of the language whose variables have object types of their own: compiled once, at the start of the server.
import type { Program } from '#cel/evaluate/program.ts';
import { kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import { objectType, sameType, type Type, typeToString } from '#cel/type.ts';

/** The fields of object types, by the name of the type. */
export type ObjectTypes = Readonly<Record<string, Readonly<Record<string, Type>>>>;

/** Throws an Error with the compiler's words. */
export type CompileTyped = (expression: string, wanted: readonly Type[]) => Program;

export function typedCompiler(variables: Readonly<Record<string, Type>>, types: ObjectTypes = {}): CompileTyped {
  const fieldsOf = (name: string) => (Object.hasOwn(types, name) ? types[name] : undefined);
  const environment = kubernetesEnvironment('stored').extend({
    variables: new Map(Object.entries(variables)),
    types: {
      findType: (name) => (fieldsOf(name) === undefined ? undefined : objectType(name)),
      findField: (name, field) => {
        const fields = fieldsOf(name);
        return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
      },
    },
  });
  return (expression, wanted) => {
    const compiled = environment.compile(expression);
    if (compiled.program === undefined) throw new Error(`compilation failed: ${compiled.text}`);
    const { outputType } = compiled.program;
    if (wanted.some((type) => sameType(type, outputType))) return compiled.program;
    const asked = wanted.map(typeToString);
    throw new Error(`must evaluate to ${asked.length === 1 ? asked[0] : `one of [${asked.join(' ')}]`} but got ${typeToString(outputType)}`);
  };
}
