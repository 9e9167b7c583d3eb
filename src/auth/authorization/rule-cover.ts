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

export function missingPermissions(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Permission[] {
  return wanted.flatMap(permissionsOf).filter((permission) => !held.some((rule) => covers(rule, permission)));
}

function permissionsOf({ verbs = [], apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): Permission[] {
  const names = resourceNames?.length ? resourceNames.map((name) => ({ name })) : [{}];
  const onResources = (apiGroups ?? []).flatMap((group) =>
    (resources ?? []).flatMap((resource) => verbs.flatMap((verb) => names.map((name) => ({ verb, group, resource, ...name })))),
  );
  return [...onResources, ...(nonResourceURLs ?? []).flatMap((url) => verbs.map((verb) => ({ verb, url })))];
}

function covers(rule: PolicyRule, { verb, group, resource, name, url }: Permission): boolean {
  if (!holds(rule.verbs, verb)) return false;
  if (url !== undefined) return !rule.resourceNames?.length && (rule.nonResourceURLs ?? []).some((pattern) => urlMatches(pattern, url));
  return holds(rule.apiGroups, group ?? '') && holdsResource(rule.resources ?? [], resource ?? '') && holdsName(rule.resourceNames ?? [], name);
}

function holds(values: readonly string[] | undefined, wanted: string): boolean {
  return values !== undefined && (values.includes('*') || values.includes(wanted));
}

function holdsResource(resources: readonly string[], wanted: string): boolean {
  const slash = wanted.indexOf('/');
  return holds(resources, wanted) || (slash >= 0 && resources.includes(`*${wanted.slice(slash)}`));
}

/** Rules without names are about all objects. */
function holdsName(names: readonly string[], wanted: string | undefined): boolean {
  return names.length === 0 || (wanted !== undefined && names.includes(wanted));
}

/** One line per group, resource and name, the verbs together; sorted. */
export function describePermissions(permissions: readonly Permission[]): string {
  const verbs = new Map<string, string[]>();
  for (const permission of permissions) {
    const subject = describeSubject(permission);
    // Permissions on URLs are never joined.
    if (permission.url !== undefined) verbs.set(`${subject}\0${permission.verb}`, [permission.verb]);
    else verbs.set(subject, [...(verbs.get(subject) ?? []), permission.verb]);
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
