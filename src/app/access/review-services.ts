// What reviews ask: the very authenticators and authorizers that requests meet.
import type { User } from '#api/user.ts';
import type { Authentication } from '#app/access/authentication.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import { nodeNameOf } from '#auth/authorization/node.ts';
import type { RbacPolicy } from '#auth/authorization/rbac.ts';
import { rulesOfUser } from '#auth/authorization/rules-of-user.ts';
import type { ReviewedRules, ReviewServices } from '#verbs/subresources/reviews.ts';

export interface ReviewParts {
  readonly judgeToken: Authentication['judgeToken'];
  readonly authorizer: Authorizer;
  readonly policy: RbacPolicy;
  /** What a token is good for when the review does not say. */
  readonly audiences: readonly string[];
  /** Of authorization. */
  readonly modes: () => readonly string[];
}

export function reviewServices({ judgeToken, authorizer, policy, audiences, modes }: ReviewParts): ReviewServices {
  return {
    authorize: authorizer,
    authenticateToken: async (token, asked) => {
      const verdict = await judgeToken(token, { audiences: asked.length === 0 ? audiences : asked, warn: () => undefined });
      return 'refused' in verdict ? { error: verdict.refused } : verdict;
    },
    rulesFor: async (user, namespace) => rulesIn(modes(), policy, user, namespace),
  };
}

/** Only RBAC can tell what somebody may do; the other modes say that they cannot. */
function rulesIn(modes: readonly string[], policy: RbacPolicy, user: User, namespace: string): ReviewedRules {
  const rules = modes.includes('RBAC') ? rulesOfUser(policy, user, namespace) : { resourceRules: [], nonResourceRules: [] };
  const silent = modes.flatMap((mode) => {
    if (mode === 'Node' && nodeNameOf(user) !== undefined) return ['node authorizer does not support user rule resolution'];
    return mode === 'Webhook' ? ['webhook authorizer does not support user rule resolution'] : [];
  });
  const problems = modes.includes('RBAC') ? [...silent, ...policy.gapsFor(user, namespace)] : silent;
  const everyone = modes.includes('AlwaysAllow') ? everyRule : rules;
  return { ...everyone, incomplete: silent.length > 0, ...(problems.length > 0 && { evaluationError: listed(problems) }) };
}

const everyRule = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

function listed(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

export function apiAudiences({ authentication, serviceAccounts }: ServerOptions): readonly string[] {
  return authentication.audiences.length > 0 ? authentication.audiences : serviceAccounts.issuers.slice(0, 1);
}
