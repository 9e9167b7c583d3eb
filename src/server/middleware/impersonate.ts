// Acting as somebody else. Constrained modes ask for two rights: to take that identity, and to do under it what is being
// done; the old way asks for one right per name, group, uid and extra value.
import { badRequest } from '#api/api-error.ts';
import { AUTHENTICATED, anonymousUser, UNAUTHENTICATED, type User } from '#api/user.ts';
import type { AccessAttributes, Authorizer } from '#auth/authorizer.ts';
import type { Exchange, Middleware } from '#server/exchange.ts';
import { accessDenied } from '#server/middleware/authorize.ts';

/** How many requestors are remembered with the mode that worked for them last. */
const maxRemembered = 1000;

export function impersonate(authorizer: Authorizer): Middleware {
  const lastMode = new Map<string, Mode>();
  return (next) => async (exchange) => {
    const wanted = wantedUser(exchange);
    if (wanted === undefined) return next(exchange);
    const mode = await allowedMode(authorizer, exchange, wanted, lastMode.get(exchange.user.name));
    if (lastMode.size >= maxRemembered) lastMode.clear();
    lastMode.set(exchange.user.name, mode);
    exchange.user = impersonated(wanted);
    return next(exchange);
  };
}

interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const extraPrefix = 'impersonate-extra-';

function wantedUser(exchange: Exchange): Wanted | undefined {
  const extra: Record<string, readonly string[]> = {};
  for (const header of Object.keys(exchange.headers)) {
    if (header.startsWith(extraPrefix)) extra[unescapeKey(header.slice(extraPrefix.length))] = exchange.headerValues(header);
  }
  const wanted: Wanted = {
    name: exchange.headerValues('impersonate-user')[0] ?? '',
    uid: exchange.headerValues('impersonate-uid')[0] ?? '',
    groups: exchange.headerValues('impersonate-group'),
    extra,
  };
  if (wanted.name !== '') return wanted;
  if (wanted.uid === '' && wanted.groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw badRequest(`requested ${goText(wanted)} without impersonating a user name`);
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key).toLowerCase();
  } catch {
    return key.toLowerCase();
  }
}

/** As Go prints the struct. */
function goText({ name, uid, groups, extra }: Wanted): string {
  const list = (values: readonly string[]) => (values.length === 0 ? '[]string(nil)' : `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`);
  const members = Object.entries(extra).map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
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
    const denied = await firstDenied(authorizer, exchange, checksOf(mode, exchange, wanted));
    if (denied === undefined) return mode;
    refusal ??= denied;
  }
  throw refusal ?? new Error('no mode of impersonation applies');
}

function modesFor(requestor: User, wanted: Wanted): readonly Mode[] {
  const nameOnly = wanted.uid === '' && wanted.groups.length === 0 && Object.keys(wanted.extra).length === 0;
  const node = nodeName(wanted.name);
  if (nameOnly && node !== undefined) {
    const own = requestor.extra?.['authentication.kubernetes.io/node-name']?.includes(node) === true;
    return own ? ['associated-node', 'arbitrary-node', 'legacy'] : ['arbitrary-node', 'legacy'];
  }
  if (nameOnly && serviceAccount(wanted.name) !== undefined) return ['serviceaccount', 'legacy'];
  return ['user-info', 'legacy'];
}

function nodeName(name: string): string | undefined {
  return name.startsWith('system:node:') ? name.slice('system:node:'.length) : undefined;
}

function serviceAccount(name: string): { namespace: string; name: string } | undefined {
  const [, namespace, account, ...more] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
  return namespace === undefined || account === undefined || more.length > 0 ? undefined : { namespace, name: account };
}

function checksOf(mode: Mode, { info }: Exchange, wanted: Wanted): readonly AccessAttributes[] {
  if (mode === 'legacy') return identities(wanted, 'impersonate', '');
  const onRequest = { ...info, verb: `impersonate-on:${mode}:${info.verb}` };
  if (mode === 'user-info') return [onRequest, ...identities(wanted, 'impersonate:user-info', authenticationGroup)];
  return [onRequest, identityOf(mode, wanted)];
}

const authenticationGroup = 'authentication.k8s.io';

function identityOf(mode: Mode, wanted: Wanted): AccessAttributes {
  const verb = `impersonate:${mode}`;
  const account = serviceAccount(wanted.name);
  if (mode === 'serviceaccount' && account) return identity(verb, { group: authenticationGroup, resource: 'serviceaccounts', ...account });
  return identity(verb, { group: authenticationGroup, resource: 'nodes', name: mode === 'associated-node' ? '*' : (nodeName(wanted.name) ?? '') });
}

/** One check per part of the identity; users, groups and service accounts live in `group`. */
function identities({ name, uid, groups, extra }: Wanted, verb: string, group: string): AccessAttributes[] {
  const account = serviceAccount(name);
  return [
    account ? identity(verb, { group, resource: 'serviceaccounts', ...account }) : identity(verb, { group, resource: 'users', name }),
    ...(uid === '' ? [] : [identity(verb, { group: authenticationGroup, resource: 'uids', name: uid })]),
    ...groups.map((member) => identity(verb, { group, resource: 'groups', name: member })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => identity(verb, { group: authenticationGroup, resource: 'userextras', subresource: key, name: value })),
    ),
  ];
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

async function firstDenied(authorizer: Authorizer, { user }: Exchange, checks: readonly AccessAttributes[]): Promise<Error | undefined> {
  for (const attributes of checks) {
    const { decision, reason } = await authorizer(user, attributes);
    if (decision !== 'allow') return accessDenied(user, attributes, reason);
  }
  return undefined;
}

function impersonated({ name, uid, groups, extra }: Wanted): User {
  return { name, groups: groupsOf(name, groups), ...(uid !== '' && { uid }), ...(Object.keys(extra).length > 0 && { extra }) };
}

function groupsOf(name: string, asked: readonly string[]): readonly string[] {
  const account = serviceAccount(name);
  const groups = asked.length === 0 && account ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`] : asked;
  if (groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED)) return groups;
  return [...groups, name === anonymousUser.name ? UNAUTHENTICATED : AUTHENTICATED];
}
