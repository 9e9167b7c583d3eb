// May this user do this? One function per mode, the first with an opinion decides.
import type { RequestInfo } from '#api/request-info.ts';
import { MASTERS, type User } from '#api/user.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

/** What is asked for; a request's RequestInfo is one, an access review makes its own. */
export type AccessAttributes = Pick<
  RequestInfo,
  'isResource' | 'verb' | 'path' | 'group' | 'version' | 'resource' | 'subresource' | 'namespace' | 'name' | 'labelSelector' | 'fieldSelector'
>;

export interface Verdict {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
}

/** One that need not wait returns no promise. */
export type Authorizer = (user: User, attributes: AccessAttributes) => MaybePromise<Verdict>;

const allowed: Verdict = { decision: 'allow', reason: '' };
const noOpinion: Verdict = { decision: 'no-opinion', reason: '' };

export const alwaysAllow: Authorizer = () => allowed;
export const alwaysDeny: Authorizer = () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' });

/** Members of system:masters bypass all modes. */
export const allowMasters: Authorizer = (user) => (user.groups.includes(MASTERS) ? allowed : noOpinion);

/** No opinion at all is a refusal too; its reason is all the reasons given. */
export function firstOpinion(authorizers: readonly Authorizer[]): Authorizer {
  return (user, attributes) => askFrom(authorizers, { user, attributes, reasons: [] }, 0);
}

interface Question {
  readonly user: User;
  readonly attributes: AccessAttributes;
  /** Of those who had no opinion. */
  readonly reasons: string[];
}

function askFrom(authorizers: readonly Authorizer[], question: Question, first: number): MaybePromise<Verdict> {
  const { user, attributes, reasons } = question;
  for (let index = first; index < authorizers.length; index++) {
    const verdict = (authorizers[index] as Authorizer)(user, attributes);
    if (verdict instanceof Promise) return verdict.then((answer) => (isOpinion(answer, reasons) ? answer : askFrom(authorizers, question, index + 1)));
    if (isOpinion(verdict, reasons)) return verdict;
  }
  return { decision: 'no-opinion', reason: reasons.join('\n') };
}

function isOpinion({ decision, reason }: Verdict, reasons: string[]): boolean {
  if (decision !== 'no-opinion') return true;
  if (reason !== '') reasons.push(reason);
  return false;
}
