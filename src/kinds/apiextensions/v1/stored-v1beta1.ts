// Definitions as the original stores them: in v1beta1, which says once what all versions of a kind have in common and so takes less room.
// Nobody is served that version any more; it is read here, and written never: the original reads v1 as well.
import type { KubernetesObject } from '#api/object.ts';

interface Column {
  readonly JSONPath?: string;
  readonly [field: string]: unknown;
}

interface OldVersion {
  readonly name: string;
  readonly additionalPrinterColumns?: readonly Column[];
  readonly [field: string]: unknown;
}

interface OldConversion {
  readonly strategy: string;
  readonly webhookClientConfig?: object;
  readonly conversionReviewVersions?: readonly string[];
}

interface OldSpec {
  readonly version?: string;
  readonly versions?: readonly OldVersion[];
  readonly validation?: object;
  readonly subresources?: object;
  readonly additionalPrinterColumns?: readonly Column[];
  readonly selectableFields?: readonly object[];
  readonly conversion?: OldConversion;
  readonly preserveUnknownFields?: boolean;
  readonly [field: string]: unknown;
}

/** The same definition in v1. */
export function definitionFromV1beta1(object: KubernetesObject): KubernetesObject {
  const { spec, ...rest } = object as KubernetesObject & { readonly spec: OldSpec };
  return { ...rest, apiVersion: 'apiextensions.k8s.io/v1', spec: specFromV1beta1(spec) } as KubernetesObject;
}

function specFromV1beta1(spec: OldSpec): object {
  const { version, versions, validation, subresources, additionalPrinterColumns, selectableFields, conversion, ...rest } = spec;
  const named: readonly OldVersion[] = versions?.length ? versions : version ? [{ name: version, served: true, storage: true }] : [];
  const common = {
    ...(validation && { schema: validation }),
    ...(subresources && { subresources }),
    ...(additionalPrinterColumns && { additionalPrinterColumns }),
    ...(selectableFields && { selectableFields }),
  };
  return {
    ...rest,
    versions: named.map((one) => withColumns({ ...one, ...common })),
    ...(conversion && { conversion: conversionFromV1beta1(conversion) }),
  };
}

function withColumns(version: OldVersion): object {
  const { additionalPrinterColumns: columns, ...rest } = version;
  if (columns === undefined) return rest;
  return { ...rest, additionalPrinterColumns: columns.map(({ JSONPath, ...column }) => ({ ...column, jsonPath: JSONPath ?? '' })) };
}

function conversionFromV1beta1({ strategy, webhookClientConfig: clientConfig, conversionReviewVersions }: OldConversion): object {
  if (clientConfig === undefined && conversionReviewVersions === undefined) return { strategy };
  return { strategy, webhook: { ...(clientConfig && { clientConfig }), conversionReviewVersions: conversionReviewVersions ?? [] } };
}
