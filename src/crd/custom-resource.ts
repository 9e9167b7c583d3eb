// A CustomResourceDefinition as the resources it defines: one per version, in the same form in which built-in kinds are declared.
import { createHash } from 'node:crypto';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import { lazily } from '#base/lazily.ts';
import type { Converter } from '#crd/converter.ts';
import { customForm } from '#crd/custom-form.ts';
import { customResourceStrategy, type CustomVersion, selectorName } from '#crd/custom-resource-strategy.ts';
import { printerColumns } from '#crd/printer-columns.ts';
import { namesIn } from '#crd/scale-rules.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import {
  type Conversion,
  defineResource,
  type ResourceDefinition,
  type ScalePaths,
  type StorageDefinition,
  type SubresourceDefinition,
} from '#resource/definition.ts';
import { compareVersions } from '#resource/version-order.ts';
import type { StructSchema } from '#schema/build.ts';
import type { RuleTimes } from '#schema/cel/rule-tree.ts';
import { prune } from '#schema/structural/prune.ts';

export interface CustomResourceParts {
  /** The schema of a version; the same object for versions whose schemas are equal. */
  readonly schemaOf: (version: string) => StructSchema;
  readonly convert: Converter;
  /** The definition is being deleted. */
  readonly isTerminating: () => boolean;
  readonly ruleTimes?: RuleTimes | undefined;
}

/** Served versions are enabled; the stored one is always there, because the others convert around it. */
export function customResources(definition: CustomResourceDefinition, parts: CustomResourceParts): readonly ResourceDefinition[] {
  const versions = definition.spec.versions ?? [];
  const storage = versions.find((version) => version.storage);
  if (storage === undefined) return [];
  const kind = new KindInVersions(definition, parts, storage);
  return versions.map((version) => kind.resource(version));
}

type Names = CustomResourceDefinition['status']['acceptedNames'];

/** The original's order. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const terminating = 'create not allowed while custom resource definition is terminating';

class KindInVersions {
  readonly #spec: CustomResourceDefinition['spec'];
  readonly #names: Names;
  readonly #parts: CustomResourceParts;
  readonly #storage: CustomResourceDefinitionVersion;
  readonly #stamp: string;
  readonly #stored: StorageDefinition;

  constructor({ spec, status, metadata }: CustomResourceDefinition, parts: CustomResourceParts, storage: CustomResourceDefinitionVersion) {
    this.#spec = spec;
    this.#names = status.acceptedNames;
    this.#parts = parts;
    this.#storage = storage;
    this.#stamp = `${metadata.uid} ${metadata.generation} ${JSON.stringify(status.acceptedNames)}`;
    this.#stored = this.#storedAs();
  }

  resource(version: CustomResourceDefinitionVersion): ResourceDefinition {
    const { group } = this.#spec;
    const { plural, kind, singular = '', listKind = `${kind}List`, shortNames = [], categories = [] } = this.#names;
    const schema = this.#parts.schemaOf(version.name);
    const isHub = version === this.#storage;
    const resource = defineResource({
      group,
      version: version.name,
      kind,
      listKind,
      plural,
      singular,
      schema,
      shortNames,
      categories,
      verbs,
      namespaced: this.#namespaced,
      enabled: version.served,
      patchFormats: ['json', 'merge', 'apply'],
      refusals: 'handler',
      stamp: this.#stamp,
      protobuf: false,
      kindIsValidated: true,
      createRefusal: () => (this.#parts.isTerminating() ? terminating : undefined),
      storage: this.#stored,
      subresources: subresourcesOf(version, kind),
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => selectorName(jsonPath)),
      lifecycle: version.deprecated ? { warning: version.deprecationWarning ?? this.#deprecation(version.name) } : {},
      ...(!isHub && { conversion: this.#conversion(version.name) }),
    });
    // Made for the first object, or the first Table: a start would make those of all definitions.
    const made = {
      columns: () => printerColumns(version.additionalPrinterColumns),
      ...(isHub && { strategy: () => this.#strategy(), form: () => this.#form() }),
    };
    for (const [name, make] of Object.entries<() => object>(made)) Object.defineProperty(resource, name, { get: lazily(make), enumerable: true });
    return resource;
  }

  /** Names the highest version above it that is served and not deprecated. */
  #deprecation(name: string): string {
    const { group } = this.#spec;
    const { kind } = this.#names;
    const better = this.#versions.filter(({ served, deprecated, name: other }) => served && deprecated !== true && compareVersions(other, name) > 0);
    const [best] = better.toSorted((a, b) => compareVersions(b.name, a.name));
    return `${group}/${name} ${kind} is deprecated${best === undefined ? '' : `; use ${group}/${best.name} ${kind}`}`;
  }

  #storedAs(): StorageDefinition {
    const { group } = this.#spec;
    const { plural, kind } = this.#names;
    const version = this.#storage.name;
    let hash: string | undefined;
    return {
      version,
      prefix: `${group}/${plural}`,
      // Only discovery shows it.
      get hash() {
        return (hash ??= storageHash(group, version, kind));
      },
    };
  }

  get #namespaced(): boolean {
    return this.#spec.scope === 'Namespaced';
  }

  get #versions(): readonly CustomResourceDefinitionVersion[] {
    return this.#spec.versions ?? [];
  }

  #apiVersion(version: string): string {
    return apiVersionOf({ group: this.#spec.group, version });
  }

  #strategy() {
    const selectablePaths = this.#versions.flatMap(({ selectableFields = [] }) => selectableFields.map(({ jsonPath }) => jsonPath));
    return customResourceStrategy({
      kind: this.#names.kind,
      namespaced: this.#namespaced,
      ruleTimes: this.#parts.ruleTimes,
      hub: this.#rulesOf(this.#storage),
      versions: this.#versions.map((version) => this.#rulesOf(version)),
      ...(this.#spec.conversion?.strategy === 'Webhook' && { convert: this.#parts.convert }),
      selectablePaths: [...new Set(selectablePaths)],
    });
  }

  #rulesOf({ name, subresources }: CustomResourceDefinitionVersion): CustomVersion {
    return {
      apiVersion: this.#apiVersion(name),
      schema: this.#parts.schemaOf(name),
      hasStatus: subresources?.status !== undefined,
      scale: subresources?.scale,
    };
  }

  #form() {
    const { group } = this.#spec;
    const { kind, listKind } = this.#names;
    const { schemaOf, convert } = this.#parts;
    const version = this.#storage.name;
    const schemas = new Map(this.#versions.map(({ name }) => [this.#apiVersion(name), schemaOf(name)]));
    return customForm({ kind: { group, version, kind, listKind, schema: schemaOf(version) }, apiVersion: this.#apiVersion(version), schemas, convert });
  }

  /** What a version does not know is not shown in it; what the stored one does not know is dropped when it is stored. */
  #conversion(version: string): Conversion {
    const { convert, schemaOf } = this.#parts;
    const [own, hub] = [this.#apiVersion(version), this.#apiVersion(this.#storage.name)];
    const schema = schemaOf(version);
    const shown = schema === schemaOf(this.#storage.name) ? (object: KubernetesObject) => object : (object: KubernetesObject) => prune(schema, object).value;
    const first = ([object]: readonly KubernetesObject[]) => object as KubernetesObject;
    return {
      ownedAsSent: true,
      toHub: (object: KubernetesObject) => andThen(convert([object], hub), first),
      fromHub: (object: KubernetesObject) => andThen(convert([object], own), (made) => shown(first(made))),
      allFromHub: (objects: readonly KubernetesObject[]) => andThen(convert(objects, own), (made) => made.map(shown)),
    };
  }
}

function subresourcesOf({ subresources }: CustomResourceDefinitionVersion, kind: string): readonly SubresourceDefinition[] {
  const partVerbs = ['get', 'patch', 'update'];
  const { scale, status } = subresources ?? { scale: undefined, status: undefined };
  const scaleKind = { kind: 'Scale', group: 'autoscaling', version: 'v1' };
  return [
    ...(status === undefined ? [] : [{ name: 'status', kind, verbs: partVerbs }]),
    ...(scale === undefined ? [] : [{ name: 'scale', ...scaleKind, verbs: partVerbs, scale: scalePaths(scale) }]),
  ];
}

function scalePaths({ specReplicasPath, statusReplicasPath, labelSelectorPath }: CustomResourceSubresourceScale): ScalePaths {
  return {
    specReplicas: namesIn(specReplicasPath),
    statusReplicas: namesIn(statusReplicasPath),
    ...(labelSelectorPath !== undefined && { selector: namesIn(labelSelectorPath) }),
    judgedInParent: true,
  };
}

/** storageVersionHash of discovery: eight bytes of the SHA-256 of the stored group, version and kind. */
function storageHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
