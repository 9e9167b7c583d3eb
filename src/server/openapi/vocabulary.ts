// The structs and texts that documents need beyond those of the resources; app/ hands them over from kinds/.
import type { StructSchema } from '#schema/build.ts';
import type { Descriptions } from '#schema/openapi.ts';
import type { Model } from '#server/openapi/operation.ts';
import { openApiDefinition } from '#schema/openapi.ts';

export interface OpenApiVocabulary {
  readonly objectMeta: StructSchema;
  readonly listMeta: StructSchema;
  readonly status: StructSchema;
  readonly deleteOptions: StructSchema;
  readonly patch: StructSchema;
  readonly watchEvent: StructSchema;
  readonly apiVersions: StructSchema;
  readonly apiGroup: StructSchema;
  readonly apiGroupList: StructSchema;
  readonly apiResourceList: StructSchema;
  readonly versionInfo: StructSchema;
  /** The kinds of subresources that are not those of a resource: Scale, Eviction, PodExecOptions … */
  readonly subresources: readonly StructSchema[];
  readonly descriptions: () => Promise<Descriptions>;
}

export function modelOf(schema: StructSchema): Model {
  return { name: schema.name, publish: (dialect) => openApiDefinition(schema, dialect) };
}
