// Impersonation: acting as another user. Constrained modes ask for two rights: to take that identity, and to do under it what is being
// done; the old way asks for one right per name, group, uid and extra value.
import { ApiError, badRequest } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import { TextMemo } from '#base/text-memo.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, domainPrefixedPathProblems } from '#base/formats.ts';
import { AUTHENTICATED, anonymousUser, MASTERS, UNAUTHENTICATED, type User } from '#api/user.ts';
import { extraInHeaders } from '#auth/extra-in-headers.ts';
import { headerText } from '#auth/header-text.ts';
import type { AccessAttributes, Authorizer } from '#auth/authorizer.ts';
import type { Exchange, Handler, Middleware } from '#server/front/exchange.ts';
import { accessDenied } from '#server/middleware/authorize.ts';

/** Under this key the audit log learns by which right a user impersonates another. */
export const impersonationConstraint = 'authentication.k8s.io/impersonation-constraint';

export function impersonate(authorizer: Authorizer): Middleware {
  /** The mode that worked last, by requestor. */
  const lastMode = new TextMemo<Mode>();
  const serveAs = async (wanted: Wanted, exchange: Exchange, next: Handler) => {
    const requestor = exchange.user.name;
    const mode = await allowedMode(authorizer, exchange, wanted, lastMode.get(requestor)).catch((refusal: unknown) => refuse(exchange, refusal));
    lastMode.add(requestor, () => mode);
    if (mode !== 'legacy') exchange.annotate(impersonationConstraint, `impersonate:${mode}`);
    exchange.user = impersonated(wanted, mode);
    await next(exchange);
  };
  return (next) => (exchange) => {
    const wanted = wantedUser(exchange);
    if (wanted instanceof ApiError) refuse(exchange, wanted);
    return wanted === undefined ? next(exchange) : serveAs(wanted, exchange, next);
  };
}

interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const extraPrefixes = ['impersonate-extra-'];

/** As upstream's responsewriters.RespondWithError answers. */
function refuse(exchange: Exchange, refusal: unknown): never {
  exchange.setHeader('x-content-type-options', 'nosniff');
  throw refusal;
}

function wantedUser(exchange: Exchange): Wanted | ApiError | undefined {
  const extra = extraInHeaders(exchange, extraPrefixes, unescapeKey);
  const wanted: Wanted = {
    name: headerText(exchange.headerValues('impersonate-user')[0] ?? ''),
    uid: headerText(exchange.headerValues('impersonate-uid')[0] ?? ''),
    groups: exchange.headerValues('impersonate-group').map(headerText),
    extra,
  };
  if (wanted.name !== '') return wanted;
  if (wanted.uid === '' && wanted.groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  return badRequest(`requested ${goText(wanted)} without impersonating a user name`);
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key.toLowerCase());
  } catch {
    return key.toLowerCase();
  }
}

/** As Go prints the struct. */
function goText({ name, uid, groups, extra }: Wanted): string {
  const list = (values: readonly string[]) => (values.length === 0 ? '[]string(nil)' : `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`);
  const members = Object.entries(extra)
    .toSorted()
    .map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
  const map = members.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${members.join(', ')}}`;
  return `&user.DefaultInfo{Name:${JSON.stringify(name)}, UID:${JSON.stringify(uid)}, Groups:${list(groups)}, Extra:${map}}`;
}

type Mode = 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';

/** The mode that worked last goes first: most clients always use the same. Throws the first refusal when none works. */
async function allowedMode(authorizer: Authorizer, exchange: Exchange, wanted: Wanted, last: Mode | undefined): Promise<Mode> {
  const modes = modesFor(exchange.user, wanted);
  const ordered = last !== undefined && modes.includes(last) ? [last, ...modes.filter((mode) => mode !== last)] : modes;
  let refusal: Error | undefined;
  for (const mode of ordered) {
    const requestor = mode === 'associated-node' ? withoutExtra(exchange.user) : exchange.user;
    const denied = await firstDenied(authorizer, requestor, checksOf(mode, exchange, wanted));
    if (denied === undefined) return mode;
    refusal ??= denied;
  }
  throw refusal ?? new Error('no mode of impersonation applies');
}

/** Nodes and service accounts have groups of their own; a client that asks for others needs the plain `impersonate` right. */
function modesFor(requestor: User, wanted: Wanted): readonly Mode[] {
  const nameOnly = wanted.uid === '' && wanted.groups.length === 0 && Object.keys(wanted.extra).length === 0;
  const node = nodeName(wanted.name);
  if (node !== undefined) {
    if (!nameOnly) return ['legacy'];
    return isAgentOf(requestor, node) ? ['associated-node', 'arbitrary-node', 'legacy'] : ['arbitrary-node', 'legacy'];
  }
  if (serviceAccount(wanted.name) !== undefined) return nameOnly ? ['serviceaccount', 'legacy'] : ['legacy'];
  return ['user-info', 'legacy'];
}

/** A service account whose token says that it runs on the node. */
function isAgentOf({ name, extra }: User, node: string): boolean {
  const names = extra?.['authentication.kubernetes.io/node-name'] ?? [];
  return serviceAccount(name) !== undefined && names.length === 1 && names[0] === node;
}

/** The right must hold for all nodes, so nothing that tells one node from another is shown to authorizers. */
function withoutExtra(requestor: User): User {
  return { ...requestor, extra: { 'authentication.kubernetes.io/associated-node-keys': Object.keys(requestor.extra ?? {}).sort() } };
}

function nodeName(name: string): string | undefined {
  const node = name.startsWith('system:node:') ? name.slice('system:node:'.length) : '';
  return node !== '' && dns1123SubdomainProblems(node).length === 0 ? node : undefined;
}

function serviceAccount(name: string): { namespace: string; name: string } | undefined {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
  if (namespace === undefined || account === undefined) return undefined;
  return dns1123LabelProblems(namespace).length === 0 && dns1123SubdomainProblems(account).length === 0 ? { namespace, name: account } : undefined;
}

/** One question; `refused` answers it without asking, `instead` is a right that makes the others needless. */
interface Check {
  readonly attributes: AccessAttributes;
  readonly refused?: string | undefined;
  readonly instead?: AccessAttributes | undefined;
}

function checksOf(mode: Mode, { info }: Exchange, wanted: Wanted): readonly Check[] {
  if (mode === 'legacy') return identities(wanted, 'impersonate', '', false);
  const onRequest = { attributes: { ...info, verb: `impersonate-on:${mode}:${info.verb}` } };
  if (mode === 'user-info') return [onRequest, ...identities(wanted, 'impersonate:user-info', authenticationGroup, true)];
  return [onRequest, { attributes: identityOf(mode, wanted) }];
}

const authenticationGroup = 'authentication.k8s.io';

function identityOf(mode: Mode, wanted: Wanted): AccessAttributes {
  const verb = `impersonate:${mode}`;
  const account = serviceAccount(wanted.name);
  if (mode === 'serviceaccount' && account) return identity(verb, { group: authenticationGroup, resource: 'serviceaccounts', ...account });
  return identity(verb, { group: authenticationGroup, resource: 'nodes', name: mode === 'associated-node' ? '*' : (nodeName(wanted.name) ?? '') });
}

/** One check per part of the identity; users, groups and service accounts live in `group`. */
function identities(wanted: Wanted, verb: string, group: string, constrained: boolean): Check[] {
  const account = serviceAccount(wanted.name);
  const user = account ? identity(verb, { group, resource: 'serviceaccounts', ...account }) : identity(verb, { group, resource: 'users', name: wanted.name });
  return [
    { attributes: user },
    ...(wanted.uid === '' ? [] : [{ attributes: identity(verb, { group: authenticationGroup, resource: 'uids', name: wanted.uid }) }]),
    ...groupChecks(wanted.groups, verb, group, constrained),
    ...extraChecks(wanted.extra, verb, constrained),
  ];
}

/** From this many values on, the right to all of them is looked for first. */
const many = 4;

function groupChecks(groups: readonly string[], verb: string, group: string, constrained: boolean): Check[] {
  const about = (name: string) => identity(verb, { group, resource: 'groups', name });
  if (constrained && groups.includes('')) return [{ attributes: about(''), refused: 'impersonating the empty string group is not allowed' }];
  if (constrained && groups.includes(MASTERS)) return [{ attributes: about(MASTERS), refused: `impersonating the ${MASTERS} group is not allowed` }];
  const instead = constrained && groups.length >= many ? about('*') : undefined;
  return groups.map((name) => ({ attributes: about(name), instead }));
}

function extraChecks(extra: Wanted['extra'], verb: string, constrained: boolean): Check[] {
  const about = (name: string, subresource: string) => identity(verb, { group: authenticationGroup, resource: 'userextras', subresource, name });
  const refused = constrained ? problemWithExtra(extra) : undefined;
  if (refused !== undefined) return [{ attributes: about('', ''), refused }];
  const values = Object.entries(extra).flatMap(([key, list]) => list.map((value) => about(value, key)));
  const instead = constrained && (values.length >= many || Object.keys(extra).length >= many) ? about('*', '*') : undefined;
  return values.map((attributes) => ({ attributes, instead }));
}

function problemWithExtra(extra: Wanted['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const problem = problemWithKey(key);
    if (problem !== undefined) return `impersonating an invalid key in extra is not allowed: ${problem}`;
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${JSON.stringify(key)}`;
    if (values.length === 0) return 'impersonating empty values in extra is not allowed';
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

function problemWithKey(key: string): string | undefined {
  const errors = new FieldErrors();
  for (const { value, problem } of domainPrefixedPathProblems(key)) errors.invalid('extra.key', value, problem);
  if (errors.empty) return undefined;
  return errors.list.length === 1 ? String(errors.list[0]) : `[${errors.list.join(', ')}]`;
}

interface Identity {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource?: string;
  readonly namespace?: string;
}

function identity(verb: string, { group, resource, name, subresource = '', namespace = '' }: Identity): AccessAttributes {
  return { isResource: true, verb, path: '', group, version: 'v1', resource, subresource, namespace, name, labelSelector: '', fieldSelector: '' };
}

async function firstDenied(authorizer: Authorizer, user: User, checks: readonly Check[]): Promise<Error | undefined> {
  const granted = new Set<AccessAttributes>();
  const refused = new Set<AccessAttributes>();
  for (const { attributes, refused: why, instead } of checks) {
    if (why !== undefined) return accessDenied(user, attributes, why);
    if (instead !== undefined && !refused.has(instead)) {
      if (granted.has(instead) || (await authorizer(user, instead)).decision === 'allow') {
        granted.add(instead);
        continue;
      }
      refused.add(instead);
    }
    const { decision, reason } = await authorizer(user, attributes);
    if (decision !== 'allow') return accessDenied(user, attributes, reason);
  }
  return undefined;
}

function impersonated({ name, uid, groups, extra }: Wanted, mode: Mode): User {
  const own = mode === 'associated-node' || mode === 'arbitrary-node' ? ['system:nodes'] : groups;
  return { name, groups: groupsOf(name, own), ...(uid !== '' && { uid }), ...(Object.keys(extra).length > 0 && { extra }) };
}

function groupsOf(name: string, asked: readonly string[]): readonly string[] {
  const account = serviceAccount(name);
  const groups = asked.length === 0 && account ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`] : asked;
  const missing = name === anonymousUser.name ? UNAUTHENTICATED : AUTHENTICATED;
  return groups.includes(missing) || (missing === AUTHENTICATED && groups.includes(UNAUTHENTICATED)) ? groups : [...groups, missing];
}
