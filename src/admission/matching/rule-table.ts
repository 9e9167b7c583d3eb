// Who of many has rules that are about a request. Worked out once for each kind of request: one that nothing is about costs look-ups and makes nothing.
import type { Operation } from '#admission/admission.ts';
import { matchedResource, type Rules } from '#admission/matching/matched-resource.ts';
import type { RuleSubject } from '#admission/matching/rule.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export interface Candidate<T> {
  readonly entry: T;
  /** The resource in the version to ask in. */
  readonly definition: ResourceDefinition;
}

/** Under any name; where `areNamed`, the name decides in the end. */
interface Found<T> {
  readonly all: readonly Candidate<T>[];
  readonly areNamed: boolean;
}

export interface Exemptions {
  /** Requests that no entry is asked about, whatever its rules say. */
  readonly isNeverAsked?: (subject: RuleSubject) => boolean;
  /** Requests that only entries of static manifests are asked about. */
  readonly isExempt: (subject: RuleSubject) => boolean;
}

export class RuleTable<T extends Rules> {
  readonly #entries: readonly T[];
  readonly #exemptions: Exemptions;
  #revision = -1;
  /** By definition, operation and subresource; all come from the catalog, so there are few. */
  #known = new WeakMap<ResourceDefinition, Map<Operation, Map<string, Found<T>>>>();

  constructor(entries: readonly T[], exemptions: Exemptions) {
    this.#entries = entries;
    this.#exemptions = exemptions;
  }

  get entries(): readonly T[] {
    return this.#entries;
  }

  /** In the order of the entries. */
  candidates(subject: RuleSubject, catalog: ResourceCatalog): readonly Candidate<T>[] {
    if (this.#entries.length === 0) return none;
    if (this.#revision !== catalog.revision) {
      this.#known = new WeakMap();
      this.#revision = catalog.revision;
    }
    const { all, areNamed } = this.#knownFor(subject).get(subject.subresource) ?? this.#find(subject, catalog);
    return areNamed ? all.flatMap((candidate) => byName(candidate, subject, catalog)) : all;
  }

  #knownFor({ definition, operation }: RuleSubject): Map<string, Found<T>> {
    let byOperation = this.#known.get(definition);
    if (byOperation === undefined) this.#known.set(definition, (byOperation = new Map()));
    let bySubresource = byOperation.get(operation);
    if (bySubresource === undefined) byOperation.set(operation, (bySubresource = new Map()));
    return bySubresource;
  }

  #find(subject: RuleSubject, catalog: ResourceCatalog): Found<T> {
    const all = this.#matching({ ...subject, name: undefined }, catalog);
    const found = { all, areNamed: all.some(({ entry }) => namesResources(entry)) };
    this.#knownFor(subject).set(subject.subresource, found);
    return found;
  }

  #matching(subject: RuleSubject, catalog: ResourceCatalog): readonly Candidate<T>[] {
    if (this.#exemptions.isNeverAsked?.(subject) === true) return none;
    const isExempt = this.#exemptions.isExempt(subject);
    return this.#entries.flatMap((entry) => {
      if (isExempt && entry.isStatic !== true) return [];
      const definition = matchedResource(entry, subject, catalog);
      return definition === undefined ? [] : [{ entry, definition }];
    });
  }
}

function namesResources({ rules }: Rules): boolean {
  return rules.some(({ resourceNames }) => resourceNames?.length);
}

/** Which rule matches may depend on the name of the object. */
function byName<T extends Rules>(candidate: Candidate<T>, subject: RuleSubject, catalog: ResourceCatalog): readonly Candidate<T>[] {
  if (!namesResources(candidate.entry)) return [candidate];
  const definition = matchedResource(candidate.entry, subject, catalog);
  return definition === undefined ? [] : [{ entry: candidate.entry, definition }];
}

const none: readonly never[] = [];
