// kubernetes.authz: expressions that ask whether a user may do something. The answer may have to be fetched: a check suspends the evaluation.
import { nameIsLabel, nameIsSubdomain } from '#base/formats.ts';
import { declare, member, noSuchOverload } from '#cel/library/declare.ts';
import { trimSpace } from '#cel/library/go-strings.ts';
import type { AsyncBody, Library, Overload } from '#cel/library.ts';
import { boolType, objectType, stringType, type Type } from '#cel/type.ts';
import { CelError, type CelObject } from '#cel/value.ts';

/** Whose permissions are asked about: the one who sent the request, or a service account that the expression names. */
export type Subject = { readonly is: 'requester' } | { readonly is: 'serviceAccount'; readonly namespace: string; readonly name: string };

export interface PathQuestion {
  readonly is: 'path';
  readonly subject: Subject;
  readonly verb: string;
  readonly path: string;
}

export interface ResourceQuestion {
  readonly is: 'resource';
  readonly subject: Subject;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As written; the authorizer parses it, and goes on without it when it cannot. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
  /** The text of the error that the authorizer met. */
  readonly error?: string;
}

/** Answers for the requester of one request. */
export type Authorize = (question: PathQuestion | ResourceQuestion) => Promise<Decision>;

export const authorizerType = objectType('kubernetes.authorization.Authorizer');
export const pathCheckType = objectType('kubernetes.authorization.PathCheck');
export const groupCheckType = objectType('kubernetes.authorization.GroupCheck');
export const resourceCheckType = objectType('kubernetes.authorization.ResourceCheck');
export const decisionType = objectType('kubernetes.authorization.Decision');

/** A value without fields that cannot be compared, not even with itself. */
export class AuthorizationValue<Facts> implements CelObject {
  readonly kind = 'object';
  readonly typeName: string;
  readonly facts: Facts;
  constructor(type: Type, facts: Facts) {
    this.typeName = type.name;
    this.facts = facts;
  }
  equals(): boolean {
    return noSuchOverload();
  }
}

interface Asking {
  readonly authorize: Authorize;
  readonly subject: Subject;
}
type AuthorizerValue = AuthorizationValue<Asking>;
type PathCheckValue = AuthorizationValue<Asking & { readonly path: string }>;
type GroupCheckValue = AuthorizationValue<Asking & { readonly group: string }>;
type ResourceCheckValue = AuthorizationValue<Asking & { readonly what: ResourceFacts }>;
type DecisionValue = AuthorizationValue<Decision>;
type ResourceFacts = Omit<ResourceQuestion, 'is' | 'subject' | 'verb'>;

/** The variable `authorizer`. */
export function authorizerValue(authorize: Authorize): AuthorizerValue {
  return new AuthorizationValue(authorizerType, { authorize, subject: { is: 'requester' } });
}

/** The variable `authorizer.requestResource`. */
export function requestResourceValue(authorize: Authorize, about: Omit<ResourceFacts, 'fieldSelector' | 'labelSelector'>): ResourceCheckValue {
  return resourceCheck({ authorize, subject: { is: 'requester' } }, { ...about, fieldSelector: '', labelSelector: '' });
}

export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  introduced: 27,
  functions: [
    declare('path', member('authorizer_path', [authorizerType, stringType], pathCheckType, path)),
    declare('group', member('authorizer_group', [authorizerType, stringType], groupCheckType, group)),
    declare('serviceAccount', member('authorizer_serviceaccount', [authorizerType, stringType, stringType], authorizerType, serviceAccount)),
    declare('resource', member('groupcheck_resource', [groupCheckType, stringType], resourceCheckType, resource)),
    declare('subresource', narrowing('resourcecheck_subresource', 'subresource')),
    declare('namespace', narrowing('resourcecheck_namespace', 'namespace')),
    declare('name', narrowing('resourcecheck_name', 'name')),
    declare('check', asking('pathcheck_check', pathCheckType, pathCheck), asking('resourcecheck_check', resourceCheckType, checkResource)),
    declare(
      'errored',
      member('decision_errored', [decisionType], boolType, ({ facts }: DecisionValue) => facts.error !== undefined),
    ),
    declare(
      'error',
      member('decision_error', [decisionType], stringType, ({ facts }: DecisionValue) => facts.error ?? ''),
    ),
    declare(
      'allowed',
      member('decision_allowed', [decisionType], boolType, ({ facts }: DecisionValue) => facts.allowed),
    ),
    declare(
      'reason',
      member('decision_reason', [decisionType], stringType, ({ facts }: DecisionValue) => facts.reason),
    ),
  ],
};

export const authorizerSelectorsLibrary: Library = {
  name: 'kubernetes.authzSelectors',
  introduced: 31,
  functions: [
    declare('fieldSelector', narrowing('authorizer_fieldselector', 'fieldSelector')),
    declare('labelSelector', narrowing('authorizer_labelselector', 'labelSelector')),
  ],
};

function path({ facts }: AuthorizerValue, text: string): PathCheckValue {
  if (isBlank(text)) throw new CelError('path must not be empty');
  return new AuthorizationValue(pathCheckType, { ...facts, path: text });
}

function group({ facts }: AuthorizerValue, name: string): GroupCheckValue {
  return new AuthorizationValue(groupCheckType, { ...facts, group: name });
}

function serviceAccount({ facts }: AuthorizerValue, namespace: string, name: string): AuthorizerValue {
  if (nameIsSubdomain(name, false).length > 0) throw new CelError('Invalid service account name');
  if (nameIsLabel(namespace, false).length > 0) throw new CelError('Invalid service account namespace');
  return new AuthorizationValue(authorizerType, { ...facts, subject: { is: 'serviceAccount', namespace, name } });
}

function resource({ facts }: GroupCheckValue, name: string): ResourceCheckValue {
  if (isBlank(name)) throw new CelError('resource must not be empty');
  return resourceCheck(facts, { group: facts.group, resource: name, subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' });
}

function resourceCheck({ authorize, subject }: Asking, what: ResourceFacts): ResourceCheckValue {
  return new AuthorizationValue(resourceCheckType, { authorize, subject, what });
}

/** A step that adds one fact to what is asked about. */
function narrowing(id: string, fact: keyof ResourceFacts): Overload {
  return member(id, [resourceCheckType, stringType], resourceCheckType, ({ facts }: ResourceCheckValue, value: string) =>
    resourceCheck(facts, { ...facts.what, [fact]: value }),
  );
}

function pathCheck({ facts }: PathCheckValue, verb: string): PathQuestion {
  return { is: 'path', subject: facts.subject, verb, path: facts.path };
}

function checkResource({ facts }: ResourceCheckValue, verb: string): ResourceQuestion {
  return { is: 'resource', subject: facts.subject, verb, ...facts.what };
}

/** A check; the same question has the same answer within one evaluation. */
function asking<Check extends AuthorizationValue<Asking>>(
  id: string,
  type: Type,
  questionOf: (check: Check, verb: string) => PathQuestion | ResourceQuestion,
): Overload {
  const callAsync: AsyncBody = {
    key: (check: Check, verb: string) => JSON.stringify(questionOf(check, verb)),
    start: async (check: Check, verb: string) => new AuthorizationValue(decisionType, await check.facts.authorize(questionOf(check, verb))),
  };
  return { id, member: true, args: [type, stringType], result: decisionType, callAsync };
}

function isBlank(text: string): boolean {
  return trimSpace(text) === '';
}
