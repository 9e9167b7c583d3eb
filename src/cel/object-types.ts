// Object types by a table of their fields, as users of the language declare them.
import { objectType, type Type, type TypeProvider } from '#cel/type.ts';

/** The fields of object types, by the name of the type. */
export type ObjectTypes = Readonly<Record<string, Readonly<Record<string, Type>>>>;

/** What no table has is looked up in the providers that follow. */
export function objectTypes(types: ObjectTypes, ...others: readonly TypeProvider[]): TypeProvider {
  const fieldsOf = (name: string) => (Object.hasOwn(types, name) ? types[name] : undefined);
  const builder = others.find(({ create }) => create !== undefined);
  return {
    findType: (name) => (fieldsOf(name) === undefined ? firstOf(others, (other) => other.findType(name)) : objectType(name)),
    findField: (name, field) => {
      const fields = fieldsOf(name);
      if (fields === undefined) return firstOf(others, (other) => other.findField(name, field));
      return Object.hasOwn(fields, field) ? fields[field] : undefined;
    },
    ...(builder?.create && { create: builder.create.bind(builder) }),
  };
}

function firstOf(providers: readonly TypeProvider[], find: (provider: TypeProvider) => Type | undefined): Type | undefined {
  for (const provider of providers) {
    const found = find(provider);
    if (found !== undefined) return found;
  }
  return undefined;
}
