import { sharedMemo } from '#base/shared-memos.ts';
import type { AnySchema } from '#schema/build.ts';

/** What `make` makes of a schema, once for each. It may come to know the keys that objects of the schema have. */
export function perSchema<T extends object>(make: (schema: AnySchema) => T): (schema: AnySchema) => T {
  let made = new WeakMap<AnySchema, T>();
  sharedMemo({
    clear: () => {
      made = new WeakMap();
    },
  });
  return (schema) => {
    let one = made.get(schema);
    if (one === undefined) {
      one = make(schema);
      made.set(schema, one);
    }
    return one;
  };
}
