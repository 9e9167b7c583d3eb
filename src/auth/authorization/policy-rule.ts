// What one RBAC rule allows.
import type { AccessAttributes } from '#auth/authorizer.ts';

export interface PolicyRule {
  readonly verbs?: readonly string[] | undefined;
  readonly apiGroups?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly nonResourceURLs?: readonly string[] | undefined;
}

export function ruleAllows(rule: PolicyRule, attributes: AccessAttributes): boolean {
  if (!includes(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResource) return (rule.nonResourceURLs ?? []).some((url) => urlMatches(url, attributes.path));
  return includes(rule.apiGroups, attributes.group) && resourceMatches(rule, attributes.resource, attributes.subresource) && nameMatches(rule, attributes.name);
}

function includes(values: readonly string[] | undefined, wanted: string): boolean {
  return values !== undefined && (values.includes('*') || values.includes(wanted));
}

/** `*` is every resource and subresource, `*` + `/sub` that subresource of any. */
export function resourceMatches({ resources = [] }: PolicyRule, resource: string, subresource: string): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some((pattern) => pattern === '*' || pattern === combined || (subresource !== '' && pattern === `*/${subresource}`));
}

function nameMatches({ resourceNames = [] }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

export function urlMatches(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}
