/** What names mean in an environment: variables, functions, types and constants, looked up as cel-go's checker does. */
import type { FunctionDeclaration, Library, Overload } from '../library.ts';
import { type Type, type TypeProvider, typeTypeOf } from '../type.ts';
import { type CelValue, TypeValue } from '../value.ts';

export interface Identifier {
  readonly name: string;
  readonly type: Type;
  /** The value of a constant. */
  readonly value?: CelValue;
}

export interface Declarations {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly constants: ReadonlyMap<string, Identifier>;
  readonly variables: ReadonlyMap<string, Type>;
  readonly types: TypeProvider | undefined;
  /** The namespace names are resolved in; empty in Kubernetes. */
  readonly container: string;
}

/** Functions of all libraries by name: overloads of the same name come together. */
export function mergeFunctions(libraries: readonly Library[]): ReadonlyMap<string, FunctionDeclaration> {
  const merged = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flatMap((library) => library.functions)) {
    const known = merged.get(declaration.name);
    merged.set(
      declaration.name,
      known === undefined ? declaration : { name: declaration.name, overloads: mergeOverloads(known.overloads, declaration.overloads) },
    );
  }
  return merged;
}

/** A later overload of the same id replaces the earlier one in its place. */
function mergeOverloads(known: readonly Overload[], added: readonly Overload[]): readonly Overload[] {
  const byId = new Map(known.map((overload) => [overload.id, overload]));
  for (const overload of added) byId.set(overload.id, overload);
  return [...byId.values()];
}

/** Constants and type names of all libraries. */
export function mergeConstants(libraries: readonly Library[]): ReadonlyMap<string, Identifier> {
  const constants = new Map<string, Identifier>();
  for (const library of libraries) {
    for (const type of library.types ?? []) constants.set(type.name, typeIdentifier(type.name, type));
    for (const constant of library.constants ?? []) constants.set(constant.name, constant);
  }
  return constants;
}

export function typeIdentifier(name: string, type: Type): Identifier {
  return { name, type: typeTypeOf(type), value: new TypeValue(type.name) };
}

export function findIdentifier(declarations: Declarations, name: string): Identifier | undefined {
  for (const candidate of candidateNames(declarations.container, name)) {
    const variable = declarations.variables.get(candidate);
    if (variable !== undefined) return { name: candidate, type: variable };
    const type = declarations.types?.findType(candidate);
    if (type !== undefined) return typeIdentifier(candidate, type);
    const constant = declarations.constants.get(candidate);
    if (constant !== undefined) return constant;
  }
  return undefined;
}

export function findFunction(declarations: Declarations, name: string): FunctionDeclaration | undefined {
  for (const candidate of candidateNames(declarations.container, name)) {
    const found = declarations.functions.get(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** From the innermost namespace outwards; a leading dot names the outermost. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  const candidates: string[] = [];
  for (let prefix = container; prefix !== ''; prefix = prefix.slice(0, Math.max(prefix.lastIndexOf('.'), 0))) candidates.push(`${prefix}.${name}`);
  candidates.push(name);
  return candidates;
}
