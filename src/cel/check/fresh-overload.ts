/** An overload's signature with type parameters of its own for one call. */
import type { Overload } from '../library.ts';
import { type Type } from '../type.ts';

export function freshOverload(overload: Overload, freeType: () => Type): { readonly args: readonly Type[]; readonly result: Type } {
  if (!overload.args.some(isParametric) && !isParametric(overload.result)) return overload;
  const fresh = new Map<string, Type>();
  const renamed = (type: Type): Type => {
    if (type.kind === 'typeParam') {
      const known = fresh.get(type.name) ?? freeType();
      fresh.set(type.name, known);
      return known;
    }
    return isParametric(type) ? { ...type, params: type.params.map(renamed) } : type;
  };
  return { args: overload.args.map(renamed), result: renamed(overload.result) };
}

function isParametric(type: Type): boolean {
  return type.kind === 'typeParam' || type.params.some(isParametric);
}
