// One operation of the API as both OpenAPI dialects describe it, before it is written in either of them.
import type { Dialect, OpenApiSchema } from '#schema/openapi.ts';

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly action?: string;
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly model: Model; readonly required: boolean };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** By status code. 401 is added to every operation. */
  readonly responses: Readonly<Record<number, Model | 'string'>>;
}

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  /** The name under which a Swagger document defines the parameter once for all; others are written in place. */
  readonly shared?: string;
}

/** Something with a definition of its own. */
export interface Model {
  readonly name: string;
  readonly publish: (dialect: Dialect) => OpenApiSchema;
}
