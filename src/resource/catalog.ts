// Which resources this server knows, and which of them it serves. Built-in kinds enter at start, custom ones come and go.
import { Turn } from '#base/next-turn.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { compareVersions } from '#resource/version-order.ts';

/** The place of a group among the others, and of its versions among each other: the higher the earlier. */
export interface GroupPriority {
  readonly name: string;
  readonly priority: number;
  readonly versions: Readonly<Record<string, number>>;
}

export interface ServedGroup {
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly string[];
  readonly preferred: string;
}

export interface CatalogOptions {
  /** What the operator asks for; undefined leaves it to the definition. */
  readonly enabled?: (group: string, version: string, plural: string) => boolean | undefined;
  /** Is this feature gate on? Default: every gate. */
  readonly gate?: (name: string) => boolean;
  readonly priorities?: readonly GroupPriority[];
}

/** Resources of one kind that are made when they, or all of their group, are first asked for. A kind has one of it in its group. */
export interface DeferredResources {
  readonly group: string;
  readonly plural: string;
  /** Those that are enabled, at least one. */
  readonly versions: readonly string[];
  readonly make: () => readonly ResourceDefinition[];
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: Set<ResourceDefinition>;
  /** By name; undefined after a change. */
  sorted: readonly ResourceDefinition[] | undefined;
}

/** What the automatic APIServices of custom resources get. */
const customPriority = { group: 1000, version: 100 };

export class ResourceCatalog {
  readonly #options: CatalogOptions;
  readonly #priorities: ReadonlyMap<string, GroupPriority>;
  readonly #known = new Map<string, ResourceDefinition>();
  readonly #served = new Map<string, ResourceDefinition>();
  readonly #kinds = new Map<string, ResourceDefinition>();
  /** Served, by group-version. */
  readonly #versions = new Map<string, GroupVersion>();
  /** Those that nobody has asked for yet, by group and plural. Their group-versions stand in `#versions` already. */
  readonly #deferred = new Map<string, Map<string, DeferredResources>>();
  /** By name, in the order of discovery. */
  #groups: ReadonlyMap<string, ServedGroup> | undefined;
  #inOrder: readonly ResourceDefinition[] | undefined;
  #hubs = new WeakMap<ResourceDefinition, ResourceDefinition>();
  #revision = 0;
  readonly #listeners = new Set<() => void>();

  constructor(definitions: readonly ResourceDefinition[], options: CatalogOptions = {}) {
    this.#options = options;
    this.#priorities = new Map((options.priorities ?? []).map((group) => [group.name, group]));
    this.add(...definitions);
  }

  /** Grows with every change, so that documents made from the catalog know when they are old. */
  get revision(): number {
    return this.#revision;
  }

  /** Calls the listener after every change. Returns how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  add(...definitions: readonly ResourceDefinition[]): void {
    this.change({ add: definitions });
  }

  remove(...definitions: readonly ResourceDefinition[]): void {
    this.change({ remove: definitions });
  }

  /** All of it at once: documents that are made from the catalog are made anew once. */
  change({ remove = [], add = [] }: { readonly remove?: readonly ResourceDefinition[]; readonly add?: readonly ResourceDefinition[] }): void {
    for (const { group, version, plural } of remove) {
      this.settle(group);
      this.#forget(keyOfResource(group, version, plural));
    }
    for (const definition of add) {
      this.settle(definition.group);
      this.#enter(definition);
    }
    this.#changed();
  }

  /** The same as `add`, but the resources are made when they are asked for: a start with many definitions makes none of theirs. */
  addDeferred(all: readonly DeferredResources[]): void {
    for (const deferred of all) {
      const { group, plural, versions } = deferred;
      const others = this.#deferred.get(group);
      if (others === undefined) this.#deferred.set(group, new Map([[plural, deferred]]));
      else others.set(plural, deferred);
      for (const version of versions) if (this.#options.enabled?.(group, version, plural) ?? true) this.#groupVersion(group, version);
    }
    this.#changed();
  }

  /** Makes what was put off of a group, or of one kind of it. For those who ask the catalog nothing changes by that. */
  settle(group: string, plural?: string): void {
    const deferred = this.#deferred.get(group);
    if (deferred === undefined) return;
    const made = plural === undefined ? [...deferred.values()] : [deferred.get(plural) ?? []].flat();
    for (const one of made) {
      deferred.delete(one.plural);
      for (const definition of one.make()) this.#enter(definition);
    }
    if (deferred.size === 0) this.#deferred.delete(group);
  }

  /** The same in turns, of a group or of all: for those who are about to look at very many. Undefined where nothing is left. */
  settleInTurns(group?: string): Promise<void> | undefined {
    return this.#firstDeferred(group) === undefined ? undefined : this.#settleInTurns(group);
  }

  async #settleInTurns(group: string | undefined): Promise<void> {
    const turn = new Turn();
    for (let next = this.#firstDeferred(group); next !== undefined; next = this.#firstDeferred(group)) {
      this.settle(next.group, next.plural);
      await turn.next();
    }
  }

  #firstDeferred(group: string | undefined): DeferredResources | undefined {
    const kinds = group === undefined ? firstOf(this.#deferred) : this.#deferred.get(group);
    return kinds && firstOf(kinds);
  }

  #enter(definition: ResourceDefinition): void {
    const key = keyOfResource(definition.group, definition.version, definition.plural);
    this.#forget(key);
    this.#known.set(key, definition);
    if (this.#isServed(definition)) this.#serve(key, definition);
  }

  #serve(key: string, definition: ResourceDefinition): void {
    const { group, version } = definition;
    this.#served.set(key, definition);
    this.#kinds.set(keyOfResource(group, version, definition.kind), definition);
    const served = this.#groupVersion(group, version);
    served.resources.add(definition);
    served.sorted = undefined;
  }

  #groupVersion(group: string, version: string): GroupVersion {
    const key = keyOfVersion(group, version);
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const made: GroupVersion = { group, version, resources: new Set(), sorted: undefined };
    this.#versions.set(key, made);
    return made;
  }

  /** A served resource. */
  find(group: string, version: string, plural: string): ResourceDefinition | undefined {
    const key = keyOfResource(group, version, plural);
    const found = this.#served.get(key);
    if (found !== undefined || !this.#deferred.has(group)) return found;
    this.settle(group, plural);
    return this.#served.get(key);
  }

  /** The same, whether it is served or not. */
  findKnown(group: string, version: string, plural: string): ResourceDefinition | undefined {
    return this.find(group, version, plural) ?? this.#known.get(keyOfResource(group, version, plural));
  }

  /** The served resource whose objects have this kind. */
  byKind(group: string, version: string, kind: string): ResourceDefinition | undefined {
    const key = keyOfResource(group, version, kind);
    const found = this.#kinds.get(key);
    if (found !== undefined || !this.#deferred.has(group)) return found;
    this.settle(group);
    return this.#kinds.get(key);
  }

  /** The definition of the stored version, which need not be served itself. */
  hubOf(definition: ResourceDefinition): ResourceDefinition {
    if (definition.storage === undefined) return definition;
    let hub = this.#hubs.get(definition);
    if (hub === undefined) {
      hub = this.#findHub(definition, definition.storage);
      this.#hubs.set(definition, hub);
    }
    return hub;
  }

  #findHub(definition: ResourceDefinition, storage: NonNullable<ResourceDefinition['storage']>): ResourceDefinition {
    return this.#known.get(keyOfResource(storage.group ?? definition.group, storage.version, definition.plural)) ?? definition;
  }

  /** The hubs of all served resources that are stored, each once. */
  hubs(): readonly ResourceDefinition[] {
    return [
      ...new Set(
        this.served()
          .filter((definition) => definition.storage !== undefined)
          .map((definition) => this.hubOf(definition)),
      ),
    ];
  }

  /** Every served resource, in the order of discovery: groups, versions, then names. */
  served(): readonly ResourceDefinition[] {
    this.#inOrder ??= this.groups().flatMap(({ name, versions }) => versions.flatMap((version) => this.resourcesOf(name, version)));
    return this.#inOrder;
  }

  /** The served resources of one group-version, by name. */
  resourcesOf(group: string, version: string): readonly ResourceDefinition[] {
    this.settle(group);
    const served = this.#versions.get(keyOfVersion(group, version));
    if (served === undefined) return [];
    served.sorted ??= [...served.resources].sort((a, b) => compareText(a.plural, b.plural));
    return served.sorted;
  }

  /** The served versions of one resource, the preferred one first. */
  versionsOf(group: string, plural: string): readonly ResourceDefinition[] {
    const versions = this.group(group)?.versions ?? [];
    return versions.flatMap((version) => this.find(group, version, plural) ?? []);
  }

  /** What people type: a plural, singular or short name, or a kind in lower case; the first group in discovery order wins. */
  byName(text: string, group?: string): ResourceDefinition | undefined {
    const candidates = this.served().filter((definition) => group === undefined || definition.group === group);
    return (
      candidates.find(({ plural, singular }) => plural === text || singular === text) ??
      candidates.find(({ shortNames, kind }) => shortNames.includes(text) || kind.toLowerCase() === text)
    );
  }

  /** The served groups in the order of discovery, the core group first. */
  groups(): readonly ServedGroup[] {
    return [...this.#groupsByName().values()];
  }

  /** Some resource of the group stands behind a router, which knows its paths. */
  isRouted(group: string): boolean {
    const versions = this.group(group)?.versions ?? [];
    return versions.some((version) => this.resourcesOf(group, version).some(({ refusals }) => refusals === 'router'));
  }

  /** Undefined when no version of it is served. */
  group(name: string): ServedGroup | undefined {
    return this.#groupsByName().get(name);
  }

  #groupsByName(): ReadonlyMap<string, ServedGroup> {
    this.#groups ??= new Map(this.#sortGroups().map((group) => [group.name, group]));
    return this.#groups;
  }

  /** groupPriorityMinimum and versionPriority of the APIService that stands for a group-version. */
  priorityOf(group: string, version: string): { readonly group: number; readonly version: number } {
    const known = this.#priorities.get(group);
    return { group: known?.priority ?? customPriority.group, version: known?.versions[version] ?? customPriority.version };
  }

  #sortGroups(): ServedGroup[] {
    const versions = new Map<string, Set<string>>();
    for (const { group, version } of this.#versions.values()) versions.set(group, (versions.get(group) ?? new Set()).add(version));
    const groups = [...versions].map(([name, found]) => this.#groupOf(name, [...found]));
    const ranked = groups.map((group) => ({ group, priority: this.priorityOf(group.name, group.preferred).group, serviceName: firstServiceName(group) }));
    return ranked.sort(compareRanked).map(({ group }) => group);
  }

  #groupOf(name: string, versions: string[]): ServedGroup {
    if (versions.length > 1) versions.sort((a, b) => this.priorityOf(name, b).version - this.priorityOf(name, a).version || compareVersions(b, a));
    return { name, versions, preferred: versions[0] ?? '' };
  }

  #isServed({ group, version, plural, featureGate, enabled }: ResourceDefinition): boolean {
    if (featureGate !== undefined && this.#options.gate?.(featureGate) === false) return false;
    return this.#options.enabled?.(group, version, plural) ?? enabled;
  }

  #forget(key: string): void {
    const definition = this.#known.get(key);
    if (definition === undefined) return;
    this.#known.delete(key);
    if (this.#served.delete(key)) this.#unserve(definition);
    const kindKey = keyOfResource(definition.group, definition.version, definition.kind);
    if (this.#kinds.get(kindKey) === definition) this.#kinds.delete(kindKey);
  }

  #unserve(definition: ResourceDefinition): void {
    const key = keyOfVersion(definition.group, definition.version);
    const served = this.#versions.get(key);
    if (served === undefined) return;
    served.resources.delete(definition);
    served.sorted = undefined;
    if (served.resources.size === 0) this.#versions.delete(key);
  }

  #changed(): void {
    this.#groups = undefined;
    this.#inOrder = undefined;
    this.#hubs = new WeakMap();
    this.#revision += 1;
    for (const listener of this.#listeners) listener();
  }
}

interface RankedGroup {
  readonly group: ServedGroup;
  readonly priority: number;
  readonly serviceName: string;
}

/** The core group is the first. */
function compareRanked(a: RankedGroup, b: RankedGroup): number {
  if (a.group.name === '' || b.group.name === '') return compareText(a.group.name, b.group.name);
  return b.priority - a.priority || compareText(a.serviceName, b.serviceName);
}

/** Groups of equal priority stand in the order of their APIServices, whose names begin with the version. */
function firstServiceName({ name, versions }: ServedGroup): string {
  return versions.map((version) => `${version}.${name}`).sort(compareText)[0] ?? '';
}

function firstOf<T>(values: ReadonlyMap<string, T>): T | undefined {
  for (const value of values.values()) return value;
  return undefined;
}

function keyOfResource(group: string, version: string, name: string): string {
  return `${group}/${version}/${name}`;
}

function keyOfVersion(group: string, version: string): string {
  return `${group}/${version}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
