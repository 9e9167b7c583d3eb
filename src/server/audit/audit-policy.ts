// What is written about which request: the first rule that matches decides.
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';

export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

export interface PolicyRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly { readonly group?: string; readonly resources?: readonly string[]; readonly resourceNames?: readonly string[] }[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export interface AuditPolicy {
  readonly rules: readonly PolicyRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export interface AuditVerdict {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<string>;
  readonly omitManagedFields: boolean;
}

const levels = ['None', 'Metadata', 'Request', 'RequestResponse'];
const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];
const nothing: AuditVerdict = { level: 'None', omitStages: new Set(), omitManagedFields: false };

/** Throws an Error that says what is wrong with the file. */
export function parseAuditPolicy(document: unknown): AuditPolicy {
  const { kind, apiVersion, rules, ...policy } = (document ?? {}) as Partial<AuditPolicy> & { kind?: unknown; apiVersion?: unknown };
  if (kind !== 'Policy' || apiVersion !== 'audit.k8s.io/v1') throw new Error(`unknown group version field ${String(apiVersion)} in policy`);
  if (!Array.isArray(rules) || rules.length === 0) throw new Error('loaded illegal policy with 0 rules');
  for (const rule of rules as readonly PolicyRule[]) refuseBadRule(rule);
  refuseBadStages(policy.omitStages);
  return { ...policy, rules };
}

function refuseBadRule(rule: PolicyRule): void {
  if (!levels.includes(rule.level)) throw new Error(`rules: unsupported level ${JSON.stringify(rule.level)}`);
  const resource = (rule.resources?.length ?? 0) > 0 || (rule.namespaces?.length ?? 0) > 0;
  if (resource && (rule.nonResourceURLs?.length ?? 0) > 0) throw new Error('rules cannot apply to both regular resources and non-resource URLs');
  refuseBadStages(rule.omitStages);
}

function refuseBadStages(given: readonly string[] | undefined): void {
  for (const stage of given ?? []) if (!stages.includes(stage)) throw new Error(`omitStages: unsupported stage ${JSON.stringify(stage)}`);
}

/** `user` is undefined for a request that could not be authenticated. */
export function judgeRequest(policy: AuditPolicy, user: User | undefined, info: RequestInfo): AuditVerdict {
  const rule = policy.rules.find((candidate) => matches(candidate, user, info));
  if (rule === undefined) return nothing;
  return {
    level: rule.level,
    omitStages: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

function matches(rule: PolicyRule, user: User | undefined, info: RequestInfo): boolean {
  if (given(rule.users) && !rule.users.includes(user?.name ?? '')) return false;
  if (given(rule.userGroups) && !rule.userGroups.some((group) => user?.groups.includes(group))) return false;
  if (given(rule.verbs) && !rule.verbs.includes(info.verb)) return false;
  if (given(rule.namespaces) || given(rule.resources)) return matchesResource(rule, info);
  return !given(rule.nonResourceURLs) || (!info.isResource && rule.nonResourceURLs.some((pattern) => matchesPath(pattern, info.path)));
}

function given<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list !== null && list.length > 0;
}

function matchesResource({ namespaces, resources }: PolicyRule, info: RequestInfo): boolean {
  if (!info.isResource || (given(namespaces) && !namespaces.includes(info.namespace))) return false;
  if (!given(resources)) return true;
  return resources.some(
    ({ group = '', resources: patterns, resourceNames }) =>
      group === info.group &&
      (!given(patterns) || (patterns.some((pattern) => matchesPattern(pattern, info)) && (!given(resourceNames) || resourceNames.includes(info.name)))),
  );
}

/** `pods`, `pods/log`, `pods/*`, `*` for all, `*` followed by `/scale` for that part of all. */
function matchesPattern(pattern: string, { resource, subresource }: RequestInfo): boolean {
  if (pattern === '*') return true;
  if (pattern === (subresource === '' ? resource : `${resource}/${subresource}`)) return true;
  if (pattern.startsWith('*/')) return pattern.slice(2) === subresource;
  return pattern.endsWith('/*') && pattern.slice(0, -2) === resource;
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));
}
