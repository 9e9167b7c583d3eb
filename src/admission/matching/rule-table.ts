// Who of many has rules that are about a request. Worked out once for each kind of request: a request that nothing is about costs two look-ups.
import { matchedResource, type Rules } from '#admission/matching/matched-resource.ts';
import type { RuleSubject } from '#admission/matching/rule.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export interface Candidate<T> {
  readonly entry: T;
  /** The resource in the version to ask in. */
  readonly definition: ResourceDefinition;
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
  /** By definition, then by operation and subresource; both come from the catalog, so there are few. */
  #known = new WeakMap<ResourceDefinition, Map<string, readonly Candidate<T>[]>>();

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
    let known = this.#known.get(subject.definition);
    if (known === undefined) this.#known.set(subject.definition, (known = new Map()));
    const key = `${subject.operation}/${subject.subresource}`;
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = this.#find({ ...subject, name: undefined }, catalog)));
    return found.some(({ entry }) => namesResources(entry)) ? found.flatMap((candidate) => byName(candidate, subject, catalog)) : found;
  }

  #find(subject: RuleSubject, catalog: ResourceCatalog): readonly Candidate<T>[] {
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
