// Which definitions are served: enters the resources of established definitions into the catalog, and takes them out again.
import { noSuchPath } from '#api/api-error.ts';
import type { GroupVersion } from '#api/names.ts';
import type { CacheSet } from '#cache/cache-set.ts';
import { converterOf, type WebhookConverterOf } from '#crd/converter.ts';
import { customResources } from '#crd/custom-resource.ts';
import { type DefinitionFacts, schemaSource } from '#crd/definition-facts.ts';
import { isTerminating } from '#crd/definition-status.ts';
import type { DocumentChange, OnDocumentChanges } from '#crd/document-metrics.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { StructSchema } from '#schema/build.ts';
import type { RuleTimes } from '#schema/cel/rule-tree.ts';
import { equal } from '#schema/equal.ts';
import type { OpenApiSource } from '#schema/structural/from-openapi.ts';
import { lazySchema } from '#schema/structural/lazy-schema.ts';

interface Registered {
  facts: DefinitionFacts;
  readonly resources: readonly ResourceDefinition[];
  /** By digest. */
  readonly schemas: ReadonlyMap<string, StructSchema>;
}

/** An established definition of which no more is known yet than what discovery shows of its group. */
export interface DeferredDefinition {
  readonly name: string;
  readonly group: string;
  readonly plural: string;
  /** Those that are served, at least one. */
  readonly versions: readonly string[];
  readonly facts: () => DefinitionFacts;
}

export interface RegistryOptions {
  readonly catalog: ResourceCatalog;
  readonly caches: CacheSet;
  /** The JSON of a stored definition, from which its schemas are read; undefined when it is gone. */
  readonly read: (name: string) => Buffer | undefined;
  readonly webhookConverterOf?: WebhookConverterOf | undefined;
  readonly ruleTimes?: RuleTimes | undefined;
  readonly onDocumentChanges?: OnDocumentChanges | undefined;
  /** Gives resources the form in which they lie in the store of this server; default: the one of their definition. */
  readonly asStored?: ((resources: readonly ResourceDefinition[]) => readonly ResourceDefinition[]) | undefined;
}

export class DefinitionRegistry {
  readonly #options: RegistryOptions;
  readonly #registered = new Map<string, Registered>();
  /** Those whose resources nobody has asked the catalog for yet. */
  readonly #deferred = new Map<string, DeferredDefinition>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** Definitions that are established: their versions are served from now on. Watches of a kind that has changed end. */
  put(...all: readonly DefinitionFacts[]): void {
    const changed = all.filter((facts) => !this.#isServed(facts));
    if (changed.length === 0) return;
    const before = changed.flatMap(({ definition }) => this.#registered.get(nameOf(definition)) ?? []);
    const now = changed.map((facts) => this.#register(facts));
    this.#options.catalog.change({ remove: before.flatMap(({ resources }) => resources), add: now.flatMap(({ resources }) => resources) });
    const renewed = new Set(before.map(({ facts }) => nameOf(facts.definition)));
    for (const { facts, resources } of now) if (renewed.has(nameOf(facts.definition))) this.#renewCache(resources);
    this.#options.onDocumentChanges?.(now.map((one) => documentChange(one, renewed.has(nameOf(one.facts.definition)) ? 'update' : 'add')));
  }

  /** The same for definitions that are not known here yet; their resources are made when they are first asked for. */
  putDeferred(all: readonly DeferredDefinition[]): void {
    if (all.length === 0) return;
    for (const one of all) this.#deferred.set(one.name, one);
    this.#options.catalog.addDeferred(all.map((one) => ({ group: one.group, plural: one.plural, versions: one.versions, make: () => this.#made(one) })));
    this.#options.onDocumentChanges?.(
      all.map(({ name, group, versions }) => ({ name, reason: 'add', groupVersions: versions.map((version) => ({ group, version })) })),
    );
  }

  #made({ name, facts }: DeferredDefinition): readonly ResourceDefinition[] {
    this.#deferred.delete(name);
    return this.#register(facts()).resources;
  }

  /** What is registered under a name, made if it was put off. */
  #get(name: string): Registered | undefined {
    const deferred = this.#deferred.get(name);
    if (deferred !== undefined) this.#options.catalog.settle(deferred.group, deferred.plural);
    return this.#registered.get(name);
  }

  drop(name: string): void {
    const before = this.#get(name);
    if (before === undefined) return;
    this.#registered.delete(name);
    this.#options.catalog.remove(...before.resources);
    const hub = storedVersion(before.resources);
    if (hub !== undefined) this.#options.caches.drop(hub);
    this.#options.onDocumentChanges?.([documentChange(before, 'remove')]);
  }

  /** The stored version of a definition that is served. */
  hubOf(name: string): ResourceDefinition | undefined {
    return storedVersion(this.#get(name)?.resources ?? []);
  }

  /** In which something is served, sorted. */
  groupVersions(): readonly GroupVersion[] {
    const found = new Map<string, GroupVersion>();
    for (const { resources } of this.#registered.values()) {
      for (const { group, version, enabled } of resources) if (enabled) found.set(`${group}/${version}`, { group, version });
    }
    for (const { group, versions } of this.#deferred.values()) for (const version of versions) found.set(`${group}/${version}`, { group, version });
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, groupVersion]) => groupVersion);
  }

  /** True, with the facts brought up to date, when nothing changed about how objects are served. */
  #isServed(facts: DefinitionFacts): boolean {
    const before = this.#get(nameOf(facts.definition));
    if (before === undefined || !isSameKind(before.facts, facts)) return false;
    before.facts = facts;
    return true;
  }

  #register(facts: DefinitionFacts): Registered {
    const { definition } = facts;
    const name = nameOf(definition);
    const known = this.#registered.get(name)?.schemas;
    const schemas = new Map<string, StructSchema>();
    for (const [version, digest] of facts.digests) if (!schemas.has(digest)) schemas.set(digest, known?.get(digest) ?? this.#schemaOf(name, version));
    const defined = customResources(definition, {
      schemaOf: (version) => schemas.get(facts.digests.get(version) ?? '') as StructSchema,
      convert: converterOf(definition, this.#options.webhookConverterOf),
      ruleTimes: this.#options.ruleTimes,
      isTerminating: () => isTerminating(this.#registered.get(name)?.facts.definition.status ?? definition.status),
    });
    const resources = this.#options.asStored?.(defined) ?? defined;
    const registered = { facts, resources, schemas };
    this.#registered.set(name, registered);
    return registered;
  }

  #schemaOf(name: string, version: string): StructSchema {
    return lazySchema(() => {
      const json = this.#options.read(name);
      // A request that began before the definition went.
      if (json === undefined) throw noSuchPath();
      return schemaSource(json, version) ?? anything;
    }, ObjectMeta);
  }

  #renewCache(resources: readonly ResourceDefinition[]): void {
    const hub = storedVersion(resources);
    if (hub !== undefined) this.#options.caches.renew(hub);
  }
}

/** A definition from before structural schemas were required keeps everything. */
const anything: OpenApiSource = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function nameOf({ metadata }: DefinitionFacts['definition']): string {
  return metadata.name ?? '';
}

function documentChange({ facts, resources }: Registered, reason: DocumentChange['reason']): DocumentChange {
  const served = resources.filter(({ enabled }) => enabled);
  return { name: nameOf(facts.definition), reason, groupVersions: served.map(({ group, version }) => ({ group, version })) };
}

function storedVersion(resources: readonly ResourceDefinition[]): ResourceDefinition | undefined {
  return resources.find(({ version, storage }) => version === storage?.version);
}

/** Status beyond the accepted names says nothing about how objects are served. */
function isSameKind(a: DefinitionFacts, b: DefinitionFacts): boolean {
  const [before, after] = [a.definition, b.definition];
  return (
    before.metadata.uid === after.metadata.uid &&
    equal(before.spec, after.spec) &&
    equal(before.status.acceptedNames, after.status.acceptedNames) &&
    equal(Object.fromEntries(a.digests), Object.fromEntries(b.digests))
  );
}
