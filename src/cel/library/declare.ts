// Short forms for declaring functions of a library. Bodies may declare narrow parameter types: see Overload.
import type { FunctionDeclaration, Overload } from '#cel/library.ts';
import type { Type } from '#cel/type.ts';
import { CelError } from '#cel/value.ts';

type Body = NonNullable<Overload['call']>;

export function declare(name: string, ...overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads };
}

/** `name(args)`. */
export function global(id: string, args: readonly Type[], result: Type, call: Body): Overload {
  return { id, member: false, args, result, call };
}

/** `receiver.name(args)`; the receiver is the first of `args`. */
export function member(id: string, args: readonly Type[], result: Type, call: Body): Overload {
  return { id, member: true, args, result, call };
}

/** What values of most libraries say when compared with a value of another type: unlike the language's own, they refuse. */
export function noSuchOverload(): never {
  throw new CelError('no such overload');
}
