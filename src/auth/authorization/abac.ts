// Attribute-based access control: a file with one JSON policy per line (`--authorization-policy-file`).
import { AUTHENTICATED, type User } from '#api/user.ts';
import { urlMatches } from '#auth/authorization/policy-rule.ts';
import type { AccessAttributes, Authorizer } from '#auth/authorizer.ts';

interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly namespace: string;
  readonly resource: string;
  readonly apiGroup: string;
  readonly nonResourcePath: string;
}

export function abacAuthorizer(text: string): Authorizer {
  const policies = text.split('\n').flatMap((line, i) => (line.trim() === '' || line.trimStart().startsWith('#') ? [] : [parsePolicy(line, i + 1)]));
  return async (user, access) =>
    policies.some((policy) => allows(policy, user, access)) ? { decision: 'allow', reason: '' } : { decision: 'no-opinion', reason: 'No policy matched.' };
}

const noPolicy: Policy = { user: '', group: '', readonly: false, namespace: '', resource: '', apiGroup: '', nonResourcePath: '' };

function parsePolicy(line: string, number: number): Policy {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw new Error(`authorization policy file, line ${number}: not a JSON object`);
  }
  const versioned = value['apiVersion'] !== undefined || value['kind'] !== undefined;
  if (versioned && (value['apiVersion'] !== 'abac.authorization.kubernetes.io/v1beta1' || value['kind'] !== 'Policy'))
    throw new Error(`authorization policy file, line ${number}: not a Policy of abac.authorization.kubernetes.io/v1beta1`);
  return forEveryone(versioned ? { ...noPolicy, ...(value['spec'] as Partial<Policy>) } : oldPolicy(value as Partial<Policy>));
}

/** Lines without a version: about resources of all groups, or about everything when they name neither resource nor namespace. */
function oldPolicy(value: Partial<Policy>): Policy {
  const policy = { ...noPolicy, ...value, apiGroup: '*' };
  const everything = policy.resource === '' && policy.namespace === '';
  const named = { ...policy, namespace: policy.namespace || '*', resource: policy.resource || '*', ...(everything && { nonResourcePath: '*' }) };
  return named.user === '' && named.group === '' ? { ...named, user: '*' } : named;
}

/** `*` stands for everybody who is known, never for the anonymous. */
function forEveryone(policy: Policy): Policy {
  return policy.user === '*' || policy.group === '*'
    ? { ...policy, user: policy.user === '*' ? '' : policy.user, group: policy.group === '*' || policy.group === '' ? AUTHENTICATED : policy.group }
    : policy;
}

const readVerbs = new Set(['get', 'list', 'watch']);

function allows(policy: Policy, user: User, access: AccessAttributes): boolean {
  if (!isAbout(policy, user) || (policy.readonly && !readVerbs.has(access.verb))) return false;
  if (!access.isResource) return urlMatches(policy.nonResourcePath, access.path);
  return fits(policy.namespace, access.namespace) && fits(policy.resource, access.resource) && fits(policy.apiGroup, access.group);
}

function isAbout({ user, group }: Policy, { name, groups }: User): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === name) && (group === '' || groups.includes(group));
}

function fits(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value;
}
