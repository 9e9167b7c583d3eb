// May this user do this? One function per mode, the first with an opinion decides.
import type { RequestInfo } from '#api/request-info.ts';
import { MASTERS, type User } from '#api/user.ts';

/** What is asked for; a request's RequestInfo is one, an access review makes its own. */
export type AccessAttributes = Pick<
  RequestInfo,
  'isResource' | 'verb' | 'path' | 'group' | 'version' | 'resource' | 'subresource' | 'namespace' | 'name' | 'labelSelector' | 'fieldSelector'
>;

export interface Verdict {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
}

export type Authorizer = (user: User, attributes: AccessAttributes) => Promise<Verdict>;

const noOpinion: Verdict = { decision: 'no-opinion', reason: '' };

export const alwaysAllow: Authorizer = () => Promise.resolve({ decision: 'allow', reason: '' });
export const alwaysDeny: Authorizer = () => Promise.resolve({ decision: 'no-opinion', reason: 'Everything is forbidden.' });

/** Members of system:masters bypass all modes. */
export const allowMasters: Authorizer = (user) => Promise.resolve(user.groups.includes(MASTERS) ? { decision: 'allow', reason: '' } : noOpinion);

/** No opinion at all is a refusal too; its reason is all the reasons given. */
export function firstOpinion(authorizers: readonly Authorizer[]): Authorizer {
  return async (user, attributes) => {
    const reasons: string[] = [];
    for (const authorize of authorizers) {
      const verdict = await authorize(user, attributes);
      if (verdict.decision !== 'no-opinion') return verdict;
      if (verdict.reason !== '') reasons.push(verdict.reason);
    }
    return { decision: 'no-opinion', reason: reasons.join('\n') };
  };
}
