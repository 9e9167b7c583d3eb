/** What one type has to do with another: assignability with type parameters bound on the way, and the more general of two types. */
import { dynType, isOptionalType, listType, mapType, nullType, opaqueType, sameType, type Type, typeTypeOf } from '../type.ts';

/** Types bound to type parameters. Bindings made in a failed attempt are taken back. */
export class Bindings {
  readonly #types = new Map<string, Type>();
  /** Every change with what was there before, to take it back by. */
  readonly #trail: [string, Type | undefined][] = [];

  find(type: Type): Type | undefined {
    return type.kind === 'typeParam' ? this.#types.get(type.name) : undefined;
  }

  bind(param: Type, type: Type): void {
    this.#trail.push([param.name, this.#types.get(param.name)]);
    this.#types.set(param.name, type);
  }

  /** Keeps the bindings an attempt made only if it succeeds. */
  attempt(assign: () => boolean): boolean {
    const mark = this.#trail.length;
    if (assign()) return true;
    for (
      let entry = this.#trail.length > mark ? this.#trail.pop() : undefined;
      entry !== undefined;
      entry = this.#trail.length > mark ? this.#trail.pop() : undefined
    ) {
      const [name, previous] = entry;
      if (previous === undefined) this.#types.delete(name);
      else this.#types.set(name, previous);
    }
    return false;
  }
}

export function isAssignable(bindings: Bindings, a: Type, b: Type): boolean {
  return bindings.attempt(() => assignable(bindings, a, b));
}

export function areAssignable(bindings: Bindings, a: readonly Type[], b: readonly Type[]): boolean {
  return bindings.attempt(() => allAssignable(bindings, a, b));
}

export function isDyn(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

export function isDynOrError(type: Type): boolean {
  return isDyn(type) || type.kind === 'error';
}

/** The value type of an optional, or the type itself. */
export function unwrapOptional(type: Type): Type {
  return isOptionalType(type) ? (type.params[0] ?? dynType) : type;
}

export function mostGeneral(a: Type, b: Type): Type {
  return equalOrLessSpecific(a, b) ? a : b;
}

/** The type with bound parameters replaced; free ones become dyn when asked. */
export function substitute(bindings: Bindings, type: Type, freeToDyn: boolean): Type {
  const bound = bindings.find(type);
  if (bound !== undefined) return substitute(bindings, bound, freeToDyn);
  if (type.kind === 'typeParam') return freeToDyn ? dynType : type;
  if (type.params.length === 0) return type;
  const params = type.params.map((param) => substitute(bindings, param, freeToDyn));
  const [first = dynType, second = dynType] = params;
  switch (type.kind) {
    case 'opaque':
      return opaqueType(type.name, ...params);
    case 'list':
      return listType(first);
    case 'map':
      return mapType(first, second);
    case 'type':
      return typeTypeOf(first);
    default:
      return type;
  }
}

function allAssignable(bindings: Bindings, a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, index) => assignable(bindings, type, b[index] ?? dynType));
}

/** cel-go's internalIsAssignable: the order of its tests decides what is bound to what. */
function assignable(bindings: Bindings, a: Type, b: Type): boolean {
  if (b.kind === 'typeParam') {
    const substitution = substitutes(bindings, a, b);
    if (substitution.valid) return true;
    if (substitution.bound) return false;
  }
  if (a.kind === 'typeParam') return substitutes(bindings, b, a).valid;
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return acceptsNull(b);
  if (b.kind === 'null') return acceptsNull(a);
  switch (a.kind) {
    case 'opaque':
    case 'list':
    case 'map':
      return a.kind === b.kind && a.name === b.name && allAssignable(bindings, a.params, b.params);
    case 'type':
      return b.kind === 'type';
    default:
      return accepts(b, a);
  }
}

/** Whether `type` may stand for the parameter, binding it; `bound` tells that the parameter had a type before. */
function substitutes(bindings: Bindings, type: Type, param: Type): { readonly valid: boolean; readonly bound: boolean } {
  if (sameType(type, param)) return { valid: true, bound: true };
  const current = bindings.find(param);
  if (current !== undefined) {
    if (sameType(type, current)) return { valid: true, bound: true };
    if (!assignable(bindings, type, current)) return { valid: false, bound: true };
    const general = mostGeneral(type, current);
    if (!occursIn(bindings, param, general)) bindings.bind(param, general);
    return { valid: true, bound: true };
  }
  if (occursIn(bindings, param, type)) return { valid: false, bound: false };
  bindings.bind(param, type);
  return { valid: true, bound: false };
}

function occursIn(bindings: Bindings, param: Type, within: Type): boolean {
  if (sameType(param, within)) return true;
  if (within.kind === 'typeParam') {
    const bound = bindings.find(within);
    return bound !== undefined && occursIn(bindings, param, bound);
  }
  return within.params.some((inner) => occursIn(bindings, param, inner));
}

function acceptsNull(type: Type): boolean {
  return type.kind === 'opaque' || type.kind === 'struct' || type.kind === 'duration' || type.kind === 'timestamp' || accepts(type, nullType);
}

/** cel-go's IsAssignableType: no parameters are bound, a wrapper takes null and what it wraps. */
function accepts(target: Type, from: Type): boolean {
  if (target === from || isDyn(target) || target.kind === 'typeParam') return true;
  if (target.nullable === true && from.kind === 'null') return true;
  if (target.kind !== from.kind || target.name !== from.name || target.params.length !== from.params.length) return false;
  return target.params.every((param, index) => accepts(param, from.params[index] ?? dynType));
}

function equalOrLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'typeParam') return true;
  if (isDyn(b) || b.kind === 'typeParam' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name && a.params.length === b.params.length && a.params.every((param, index) => equalOrLessSpecific(param, b.params[index] ?? dynType))
      );
    case 'type':
      return true;
    default:
      return sameType(a, b);
  }
}
