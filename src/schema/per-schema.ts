import type { AnySchema } from '#schema/build.ts';

/** What `make` makes of a schema, once for each. */
export function perSchema<T extends object>(make: (schema: AnySchema) => T): (schema: AnySchema) => T {
  const made = new WeakMap<AnySchema, T>();
  return (schema) => {
    let one = made.get(schema);
    if (one === undefined) {
      one = make(schema);
      made.set(schema, one);
    }
    return one;
  };
}
