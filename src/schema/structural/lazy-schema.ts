// The schema of a custom resource that is read when it is first looked at. What its author explains is left out: only published documents show
// it, and they read the source again.
import type { StructOptions, StructSchema } from '#schema/build.ts';
import { type OpenApiSource, schemaFromOpenApi } from '#schema/structural/from-openapi.ts';

/** `metadata` is the table of ObjectMeta. `load` may be called again. */
export function lazySchema(load: () => OpenApiSource, metadata: StructSchema): StructSchema {
  let made: StructSchema | undefined;
  const whole = (): StructSchema => {
    made ??= schemaFromOpenApi(withoutTexts(load()) as OpenApiSource, metadata);
    return made;
  };
  let options: StructOptions | undefined;
  return {
    is: 'struct',
    name: '',
    get options() {
      options ??= publishing(whole().options, load);
      return options;
    },
    get rules() {
      return whole().rules ?? {};
    },
    get fields() {
      return whole().fields;
    },
  };
}

function publishing(options: StructOptions, load: () => OpenApiSource): StructOptions {
  return Object.defineProperty({ ...options }, 'source', { get: load, enumerable: true });
}

/** Keywords whose values are data of the author, not schemas: a property may be called `description`. */
const data = new Set(['default', 'enum', 'example', 'x-kubernetes-validations', 'required']);
const namedSchemas = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);

function withoutTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== 'description' && keyword !== 'externalDocs');
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, partOf(keyword, value)]));
}

function partOf(keyword: string, value: unknown): unknown {
  if (data.has(keyword)) return value;
  if (!namedSchemas.has(keyword) || typeof value !== 'object' || value === null) return withoutTexts(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutTexts(schema)]));
}
