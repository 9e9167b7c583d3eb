// A CustomResourceDefinition as the resources it defines: one per version, in the same form in which built-in kinds are declared.
import { createHash } from 'node:crypto';
import { customResourceStrategy } from '#crd/custom-resource-strategy.ts';
import { printerColumns } from '#crd/printer-columns.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { defineResource, type ResourceDefinition, type SubresourceDefinition } from '#resource/definition.ts';
import type { StructSchema } from '#schema/build.ts';
import { type OpenApiSource, schemaFromOpenApi } from '#schema/structural/from-openapi.ts';

/** Served versions are enabled; the stored one is always there, because the others convert around it. */
export function customResources({ spec, status }: CustomResourceDefinition): readonly ResourceDefinition[] {
  const versions = spec.versions ?? [];
  const storage = versions.find((version) => version.storage)?.name ?? '';
  const { acceptedNames: names } = status;
  return versions.map((version) => customResource(spec, names, version, storage));
}

type Spec = CustomResourceDefinition['spec'];
type Names = CustomResourceDefinition['status']['acceptedNames'];

function customResource(spec: Spec, names: Names, version: CustomResourceDefinitionVersion, storage: string): ResourceDefinition {
  const { group } = spec;
  const { plural, kind, singular = '', listKind = `${kind}List` } = names;
  const namespaced = spec.scope === 'Namespaced';
  const schema = schemaOf(version);
  const hasStatus = version.subresources?.status !== undefined;
  const selectablePaths = (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath);
  return defineResource({
    group,
    version: version.name,
    kind,
    listKind,
    plural,
    singular,
    namespaced,
    schema,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    enabled: version.served,
    storage: { version: storage, prefix: `${group}/${plural}`, hash: storageHash(group, storage, kind) },
    subresources: subresourcesOf(version, kind),
    strategy: customResourceStrategy({ namespaced, schema, hasStatus, selectablePaths }),
    columns: printerColumns(version.additionalPrinterColumns),
    ...(version.name !== storage && { conversion: renaming(group, version.name, storage) }),
  });
}

/** A definition from before structural schemas were required keeps everything. */
function schemaOf({ schema }: CustomResourceDefinitionVersion): StructSchema {
  const source = (schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }) as OpenApiSource;
  return schemaFromOpenApi(source, ObjectMeta);
}

function subresourcesOf({ subresources }: CustomResourceDefinitionVersion, kind: string): readonly SubresourceDefinition[] {
  const verbs = ['get', 'patch', 'update'];
  return [
    ...(subresources?.scale === undefined ? [] : [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs, tables: false as const }]),
    ...(subresources?.status === undefined ? [] : [{ name: 'status', kind, verbs }]),
  ];
}

/** Conversion strategy None: the versions differ in nothing but their name. */
function renaming(group: string, version: string, storage: string) {
  return {
    toHub: (object: object) => ({ ...object, apiVersion: `${group}/${storage}` }),
    fromHub: (hub: object) => ({ ...hub, apiVersion: `${group}/${version}` }),
  };
}

/** storageVersionHash of discovery: eight bytes of the SHA-256 of the stored group, version and kind. */
function storageHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
