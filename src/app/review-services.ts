// What reviews ask: the very authenticators and authorizers that requests meet.
import { ApiError } from '#api/api-error.ts';
import type { User } from '#api/user.ts';
import type { ServerOptions } from '#app/options.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import type { RbacPolicy } from '#auth/authorization/rbac.ts';
import { rulesOfUser } from '#auth/authorization/rules-of-user.ts';
import type { ReviewServices, TokenVerdict } from '#verbs/subresources/reviews.ts';

export interface ReviewParts {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly policy: RbacPolicy;
  /** What a token is good for when the review does not say. */
  readonly audiences: readonly string[];
}

export function reviewServices({ authenticator, authorizer, policy, audiences }: ReviewParts): ReviewServices {
  return {
    authorize: authorizer,
    authenticateToken: (token, asked) => authenticateToken(authenticator, token, asked.length === 0 ? audiences : asked),
    rulesFor: async (user, namespace) => ({ ...rulesOfUser(policy, user, namespace), incomplete: false }),
  };
}

async function authenticateToken(authenticator: Authenticator, token: string, audiences: readonly string[]): Promise<TokenVerdict> {
  try {
    const authorization = `Bearer ${token}`;
    const user: User | undefined = await authenticator({
      headers: { authorization },
      headerValues: (name) => (name === 'authorization' ? [authorization] : []),
      clientCertificates: [],
      remoteAddress: '',
      warn: () => undefined,
    });
    return user === undefined ? { error: 'invalid bearer token' } : { user, audiences };
  } catch (error) {
    if (error instanceof ApiError) return { error: 'invalid bearer token' };
    throw error;
  }
}

export function apiAudiences({ authentication, serviceAccounts }: ServerOptions): readonly string[] {
  return authentication.audiences.length > 0 ? authentication.audiences : serviceAccounts.issuers.slice(0, 1);
}
