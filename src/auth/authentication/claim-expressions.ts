// CEL in the `jwt` part of an AuthenticationConfiguration: who the bearer of a token is, and which tokens and users are let in.
import type { User } from '#api/user.ts';
import type { Program } from '#cel/evaluate/program.ts';
import { jsonOf } from '#cel/json-of.ts';
import { jsonValue } from '#cel/json-value.ts';
import { boolType, dynType, listType, mapType, nullType, objectType, stringType, type Type } from '#cel/type.ts';
import { type CompileTyped, typedCompiler } from '#cel/typed-environment.ts';

type Claims = Readonly<Record<string, unknown>>;

export interface RuleText {
  readonly expression: string;
  readonly message?: string;
}

export interface ClaimExpressions {
  readonly username?: string | undefined;
  readonly groups?: string | undefined;
  readonly uid?: string | undefined;
  readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[];
  readonly claimRules?: readonly RuleText[];
  readonly userRules?: readonly RuleText[];
}

/** Each throws an Error that says why a token or its user is refused. */
export interface ClaimReader {
  readonly username: ((claims: Claims) => string) | undefined;
  readonly groups: ((claims: Claims) => readonly string[]) | undefined;
  readonly uid: ((claims: Claims) => string) | undefined;
  readonly extra: (claims: Claims) => Readonly<Record<string, readonly string[]>>;
  readonly checkClaims: (claims: Claims) => void;
  readonly checkUser: (user: User) => void;
}

const texts = listType(stringType);
const userType = 'kubernetes.UserInfo';
const userFields = { username: stringType, uid: stringType, groups: texts, extra: mapType(stringType, texts) };

/** Throws an Error for an expression that does not compile. */
export function compileClaims(expressions: ClaimExpressions): ClaimReader {
  const ofClaims = typedCompiler({ claims: mapType(stringType, dynType) });
  const ofUser = typedCompiler({ user: objectType(userType) }, { [userType]: userFields });
  const { username, groups, uid, extra = [], claimRules = [], userRules = [] } = expressions;
  const extras = extra.map(({ key, valueExpression }) => ({ key, read: claimOf(ofClaims, valueExpression, [stringType, texts, nullType, dynType]) }));
  const claimChecks = claimRules.map((rule) => checkOf(ofClaims, rule, 'claims', 'error evaluating claim validation expression'));
  const userChecks = userRules.map((rule) => checkOf(ofUser, rule, 'user', 'error evaluating user info validation rule'));
  return {
    username: username === undefined ? undefined : textOf(claimOf(ofClaims, username, [stringType, dynType]), 'error evaluating username claim expression'),
    groups: groups === undefined ? undefined : textsOf(claimOf(ofClaims, groups, [stringType, texts, dynType]), 'error evaluating group claim expression'),
    uid: uid === undefined ? undefined : textOf(claimOf(ofClaims, uid, [stringType, dynType]), 'error evaluating uid claim expression'),
    extra: (claims) => Object.fromEntries(extras.flatMap(({ key, read }) => extraEntry(key, textsOf(read, 'error evaluating extra claim expression')(claims)))),
    checkClaims: (claims) => claimChecks.forEach((check) => check(claims)),
    checkUser: ({ name, uid: id = '', groups: member, extra: more = {} }) => {
      for (const check of userChecks) check({ username: name, uid: id, groups: member, extra: more });
    },
  };
}

function extraEntry(key: string, values: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  return values.length === 0 ? [] : [[key, values]];
}

function claimOf(compile: CompileTyped, expression: string, wanted: readonly Type[]): (claims: Claims) => unknown {
  const program = compile(expression, wanted);
  return (claims) => jsonOf(valueOf(program, 'claims', claims));
}

function valueOf(program: Program, variable: string, json: object) {
  const value = jsonValue(json);
  const outcome = program.evaluate({ get: (name) => (name === variable ? value : undefined) });
  if (outcome.status === 'error') throw new Error(outcome.message);
  return outcome.value;
}

function textOf(read: (claims: Claims) => unknown, head: string): (claims: Claims) => string {
  return (claims) => {
    const value = told(head, () => read(claims));
    if (typeof value !== 'string') throw new Error(`oidc: ${head}: the expression gave no text`);
    return value;
  };
}

/** A text is a list of one; an empty text, null and nothing are none. */
function textsOf(read: (claims: Claims) => unknown, head: string): (claims: Claims) => readonly string[] {
  return (claims) => {
    const value = told(head, () => read(claims));
    const list = value === null || value === '' ? [] : [value].flat();
    if (!list.every((each): each is string => typeof each === 'string')) throw new Error(`oidc: ${head}: the expression gave no list of texts`);
    return list;
  };
}

function told<T>(head: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`oidc: ${head}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checkOf(compile: CompileTyped, { expression, message = '' }: RuleText, variable: string, head: string): (json: object) => void {
  const program = compile(expression, [boolType]);
  return (json) => {
    const value = told(head, () => valueOf(program, variable, json));
    if (value !== true) throw new Error(`oidc: ${head}: validation expression '${expression}' failed: ${message}`);
  };
}
