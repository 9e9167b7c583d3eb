// Everything a user may do in a namespace, as far as RBAC can tell.
import type { User } from '#api/user.ts';
import type { PolicyRule } from '#auth/authorization/policy-rule.ts';
import type { RbacPolicy } from '#auth/authorization/rbac.ts';

export interface UserRules {
  readonly resourceRules: readonly object[];
  readonly nonResourceRules: readonly object[];
}

/** What nobody can add to. */
export const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

export function rulesOfUser(policy: RbacPolicy, user: User, namespace: string): UserRules {
  const rules = policy.rulesFor(user, namespace);
  return {
    resourceRules: rules
      .filter(({ resources }) => resources?.length)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({ verbs, apiGroups, resources, ...(resourceNames?.length && { resourceNames }) })),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs?.length).map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
  };
}
