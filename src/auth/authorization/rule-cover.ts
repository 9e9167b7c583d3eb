// Do rules that somebody holds cover rules that he wants to give away? Everything is taken apart to single permissions first.
import { type PolicyRule, urlMatches } from '#auth/authorization/policy-rule.ts';

/** At most one verb, one group, one resource, one name or one URL. */
export interface Permission {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly url?: string;
}

/** What is missing is said up to here; the original says it all, which may be a product of megabytes. */
const mostMissing = 1000;

/** As many lookups in held rules are made before the answer is no. */
const mostComparisons = 10_000_000;

/**
 * The permissions of `wanted` that no rule of `held` gives, the first of them. Rules that would take too long to compare count as not held:
 * whoever may give so much away at once has `escalate` or `bind`.
 */
export function missingPermissions(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Permission[] {
  const holdings = held.map(holdingOf);
  const missing: Permission[] = [];
  let comparisons = 0;
  for (const rule of wanted) {
    comparisons += holdings.length * sizeOf(rule);
    if (comparisons <= mostComparisons && holdings.some((holding) => coversWhole(holding, rule))) continue;
    for (const permission of permissionsOf(rule)) {
      comparisons += holdings.length;
      if (comparisons > mostComparisons || !holdings.some((holding) => covers(holding, permission))) missing.push(permission);
      if (missing.length >= mostMissing || comparisons > mostComparisons) return missing;
    }
  }
  return missing;
}

/** One by one: a rule of a few kilobytes is a product of millions. */
function* permissionsOf({ verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule): Generator<Permission> {
  const names = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ name }));
  for (const group of apiGroups) for (const resource of resources) for (const verb of verbs) for (const name of names) yield { verb, group, resource, ...name };
  for (const url of nonResourceURLs) for (const verb of verbs) yield { verb, url };
}

function sizeOf({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): number {
  return verbs.length + apiGroups.length + resources.length + resourceNames.length;
}

/** A rule with its lists as sets. */
interface Holding {
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly urls: readonly string[];
}

function holdingOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs = [] }: PolicyRule): Holding {
  return { verbs: new Set(verbs), groups: new Set(apiGroups), resources: new Set(resources), names: new Set(resourceNames), urls: nonResourceURLs };
}

/** All the rule gives on resources, in one look; says no to much that is covered nevertheless. */
function coversWhole(holding: Holding, { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule): boolean {
  if (nonResourceURLs.length > 0) return false;
  return (
    verbs.every((verb) => holds(holding.verbs, verb)) &&
    apiGroups.every((group) => holds(holding.groups, group)) &&
    resources.every((resource) => holdsResource(holding.resources, resource)) &&
    (resourceNames.length === 0 ? holding.names.size === 0 : resourceNames.every((name) => holdsName(holding.names, name)))
  );
}

function covers(holding: Holding, { verb, group, resource, name, url }: Permission): boolean {
  if (!holds(holding.verbs, verb)) return false;
  if (url !== undefined) return holding.names.size === 0 && holding.urls.some((pattern) => urlMatches(pattern, url));
  return holds(holding.groups, group ?? '') && holdsResource(holding.resources, resource ?? '') && holdsName(holding.names, name);
}

function holds(values: ReadonlySet<string>, wanted: string): boolean {
  return values.has('*') || values.has(wanted);
}

function holdsResource(resources: ReadonlySet<string>, wanted: string): boolean {
  const slash = wanted.indexOf('/');
  return holds(resources, wanted) || (slash >= 0 && resources.has(`*${wanted.slice(slash)}`));
}

/** Rules without names are about all objects. */
function holdsName(names: ReadonlySet<string>, wanted: string | undefined): boolean {
  return names.size === 0 || (wanted !== undefined && names.has(wanted));
}

/** One line per group, resource and name, the verbs together; sorted. */
export function describePermissions(permissions: readonly Permission[]): string {
  const verbs = new Map<string, string[]>();
  for (const permission of permissions) {
    const subject = describeSubject(permission);
    // Permissions on URLs are never joined.
    const key = permission.url === undefined ? subject : `${subject}\0${permission.verb}`;
    const together = permission.url === undefined ? verbs.get(key) : undefined;
    if (together === undefined) verbs.set(key, [permission.verb]);
    else together.push(permission.verb);
  }
  const lines = [...verbs].map(([subject, list]) => `{${subject.split('\0')[0]}, Verbs:${goList(list)}}`);
  return [...new Set(lines)].sort().join('\n');
}

function describeSubject({ group, resource, name, url }: Permission): string {
  if (url !== undefined) return `NonResourceURLs:${goList([url])}`;
  return `APIGroups:${goList([group ?? ''])}, Resources:${goList([resource ?? ''])}${name === undefined ? '' : `, ResourceNames:${goList([name])}`}`;
}

export function goList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
