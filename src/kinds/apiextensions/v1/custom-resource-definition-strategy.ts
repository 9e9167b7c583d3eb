// How custom resource definitions are written: stored versions are remembered, deletion waits for the objects.
import { goQuote } from '#base/go-text.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { validateDefinition, validateDefinitionStatusUpdate, validateDefinitionUpdate } from '#kinds/apiextensions/v1/custom-resource-definition-validation.ts';
import { settleDefaults } from '#kinds/apiextensions/v1/json-schema-defaults-validation.ts';
import { surveyOf } from '#kinds/apiextensions/v1/json-schema-survey.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import { timestamp } from '#kinds/rules/timestamps.ts';
import type { Strategy } from '#resource/strategy.ts';

const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export function defaultDefinitionSpec(spec: CustomResourceDefinitionSpec): void {
  const { names } = spec;
  names.singular ||= names.kind.toLowerCase();
  if (!names.listKind && names.kind !== '') names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
}

/** A definition never is without the version it is stored in. */
export function defaultStoredVersions(definition: CustomResourceDefinition): void {
  if (!definition.status.storedVersions?.length) rememberStorage(definition);
}

export function defaultServiceReference(service: { port?: number | undefined }): void {
  service.port ??= 443;
}

export const customResourceDefinitionStrategy: Strategy<CustomResourceDefinition> = {
  allowUnconditionalUpdate: false,
  prepareForCreate(definition) {
    definition.status = { acceptedNames: { plural: '', kind: '' } };
    rememberStorage(definition);
    startGeneration(definition.metadata);
    settleSchemas(definition.spec);
  },
  validate: validateDefinition,
  warnOnCreate: ({ spec }) => formatWarnings(unknownFormats(spec)),

  prepareForUpdate(definition, old) {
    definition.status = { ...old.status };
    countGeneration(definition.metadata, old.metadata, definition.spec, old.spec);
    rememberStorage(definition);
    settleSchemas(definition.spec);
  },
  validateUpdate: validateDefinitionUpdate,
  warnOnUpdate({ spec }, old) {
    const known = new Set(unknownFormats(old.spec));
    return formatWarnings(unknownFormats(spec).filter((format) => !known.has(format)));
  },

  markDeleted(definition, { now }) {
    const { metadata, status } = definition;
    if (!metadata.finalizers?.includes(cleanupFinalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
    const others = (status.conditions ?? []).filter(({ type }) => type !== 'Terminating');
    status.conditions = [
      ...others,
      {
        type: 'Terminating',
        status: 'True',
        lastTransitionTime: timestamp(now),
        reason: 'InstanceDeletionPending',
        message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      },
    ];
  },

  subresources: { status: statusStrategy({ validateUpdate: validateDefinitionStatusUpdate }) },
};

/** A version that once was the storage version stays listed until somebody has migrated the objects. */
function rememberStorage({ spec, status }: CustomResourceDefinition): void {
  const name = spec.versions?.find(({ storage }) => storage)?.name;
  const stored = status.storedVersions ?? [];
  if (name !== undefined && !stored.includes(name)) status.storedVersions = [...stored, name];
}

function settleSchemas({ versions = [] }: CustomResourceDefinitionSpec): void {
  for (const { schema } of versions) {
    const root = schema?.openAPIV3Schema;
    if (root !== undefined && surveyOf(root).statesDefaults) settleDefaults(root);
  }
}

function unknownFormats({ versions }: CustomResourceDefinitionSpec): string[] {
  const schemas = (versions ?? []).map(({ schema }) => schema?.openAPIV3Schema);
  // What all versions share is looked at once.
  const [first, ...rest] = schemas;
  const looked = rest.every((schema) => semanticEqual(schema, first)) ? [first] : schemas;
  return looked.flatMap((schema) => (schema === undefined ? [] : surveyOf(schema).unknownFormats));
}

function formatWarnings(formats: readonly string[]): readonly string[] {
  return formats.map((format) => `unrecognized format ${goQuote(format)}`);
}
