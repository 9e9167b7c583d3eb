// The authorizer as expressions know it: answers for one requester, or for a service account that the expression names.
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import type { Authorize, PathQuestion, ResourceQuestion, Subject } from '#cel/library/authorizer.ts';

export type AccessQuestion = Pick<
  RequestInfo,
  'isResource' | 'verb' | 'path' | 'group' | 'version' | 'resource' | 'subresource' | 'namespace' | 'name' | 'labelSelector' | 'fieldSelector'
>;

/** The server's authorizer; `app/` hands it in. */
export type CheckAccess = (user: User, question: AccessQuestion) => MaybePromise<{ readonly decision: string; readonly reason: string }>;

export function authorizeFor(check: CheckAccess, requester: User): Authorize {
  return async (question) => {
    try {
      const { decision, reason } = await check(subjectOf(question.subject, requester), question.is === 'path' ? ofPath(question) : ofResource(question));
      return { allowed: decision === 'allow', reason };
    } catch (error) {
      return { allowed: false, reason: '', error: error instanceof Error ? error.message : String(error) };
    }
  };
}

const nothing = { path: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: '', labelSelector: '', fieldSelector: '' };

function ofPath({ verb, path }: PathQuestion): AccessQuestion {
  return { ...nothing, isResource: false, verb, path };
}

function ofResource({ is: _is, subject: _subject, ...asked }: ResourceQuestion): AccessQuestion {
  return { ...nothing, ...asked, version: '*', isResource: true };
}

function subjectOf(subject: Subject, requester: User): User {
  if (subject.is === 'requester') return requester;
  const { namespace, name } = subject;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
}
