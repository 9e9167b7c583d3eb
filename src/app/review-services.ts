// What reviews ask: the very authenticators and authorizers that requests meet.
import type { Authentication } from '#app/authentication.ts';
import type { ServerOptions } from '#app/options.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import type { RbacPolicy } from '#auth/authorization/rbac.ts';
import { rulesOfUser } from '#auth/authorization/rules-of-user.ts';
import type { ReviewServices } from '#verbs/subresources/reviews.ts';

export interface ReviewParts {
  readonly judgeToken: Authentication['judgeToken'];
  readonly authorizer: Authorizer;
  readonly policy: RbacPolicy;
  /** What a token is good for when the review does not say. */
  readonly audiences: readonly string[];
}

export function reviewServices({ judgeToken, authorizer, policy, audiences }: ReviewParts): ReviewServices {
  return {
    authorize: authorizer,
    authenticateToken: async (token, asked) => {
      const verdict = await judgeToken(token, { audiences: asked.length === 0 ? audiences : asked, warn: () => undefined });
      return 'refused' in verdict ? { error: verdict.refused } : verdict;
    },
    rulesFor: async (user, namespace) => ({ ...rulesOfUser(policy, user, namespace), incomplete: false }),
  };
}

export function apiAudiences({ authentication, serviceAccounts }: ServerOptions): readonly string[] {
  return authentication.audiences.length > 0 ? authentication.audiences : serviceAccounts.issuers.slice(0, 1);
}
