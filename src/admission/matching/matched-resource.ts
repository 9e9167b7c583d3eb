// Whether one of several rules is about a request, and in which version of the resource: with matchPolicy Equivalent a rule that names another
// version counts too, and what is asked is asked in that version.
import { type Rule, ruleMatches, type RuleSubject } from '#admission/matching/rule.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export interface Rules {
  readonly rules: readonly Rule[];
  /** `Equivalent` when unset. */
  readonly matchPolicy?: string | undefined;
  /** From a manifest: counts for configurations of webhooks and policies too, which cannot lock it in. */
  readonly isStatic?: boolean;
}

/** The resource in the version to ask in; undefined when no rule matches. The version of the request wins, then the first rule. */
export function matchedResource({ rules, matchPolicy }: Rules, subject: RuleSubject, catalog: ResourceCatalog): ResourceDefinition | undefined {
  if (rules.some((rule) => ruleMatches(rule, subject))) return subject.definition;
  if (matchPolicy === 'Exact') return undefined;
  const others = equivalents(subject, catalog);
  for (const rule of rules) {
    const found = others.find((definition) => ruleMatches(rule, { ...subject, definition }));
    if (found) return found;
  }
  return undefined;
}

/** Other served resources with the same stored form: other versions, and events of the other group. */
function equivalents({ definition, subresource }: RuleSubject, catalog: ResourceCatalog): readonly ResourceDefinition[] {
  const hub = catalog.hubOf(definition);
  const groups = new Set([definition.group, hub.group, ...(definition.plural === 'events' ? ['events.k8s.io'] : [])]);
  return [...groups]
    .flatMap((group) => catalog.versionsOf(group, definition.plural))
    .filter((other) => other !== definition && catalog.hubOf(other) === hub && hasPart(other, subresource));
}

function hasPart({ subresources }: ResourceDefinition, name: string): boolean {
  return name === '' || subresources.some((part) => part.name === name);
}
