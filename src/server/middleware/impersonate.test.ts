import { describe, expect, test } from 'vitest';
import type { User } from '#api/user.ts';
import { RbacPolicy, rbacAuthorizer } from '#auth/authorization/rbac.ts';
import { type Authorizer, firstOpinion } from '#auth/authorizer.ts';
import { silentLog } from '#base/log.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { RequestCount } from '#server/middleware/count-requests.ts';
import { impersonate } from '#server/middleware/impersonate.ts';
import { buildPipeline } from '#server/pipeline.ts';
import { readAnswer } from '../../../test/support/read-answer.ts';

const agent: User = {
  name: 'system:serviceaccount:ns:agent',
  groups: ['system:serviceaccounts'],
  extra: { 'authentication.kubernetes.io/node-name': ['n1'], 'authentication.kubernetes.io/node-uid': ['u'] },
};

/** Rights as `verb group resource [name]`; everything that is asked for under the new name is allowed. */
function pipeline(requestor: User, rights: readonly string[]) {
  const policy = new RbacPolicy();
  const rules = rights.map((right) => {
    const [verb = '', group = '', resource = '', name] = right.split(' ');
    return { verbs: [verb], apiGroups: [group === 'core' ? '' : group], resources: [resource], ...(name !== undefined && { resourceNames: [name] }) };
  });
  policy.setRole('', 'r', () => rules);
  policy.setBinding({ namespace: '', name: 'b', roleRef: { kind: 'ClusterRole', name: 'r' }, subjects: [{ kind: 'User', name: requestor.name }] });
  const others: Authorizer = async (user) => ({ decision: user === requestor || user.name === requestor.name ? 'no-opinion' : 'allow', reason: '' });
  const authorizer = firstOpinion([rbacAuthorizer(policy), others]);
  const services = {
    log: silentLog,
    statusSchema: Status,
    authenticator: async () => requestor,
    authorizer,
    requests: new RequestCount(),
    requestTimeoutMs: 60_000,
  };
  return buildPipeline({ ...services, impersonate: impersonate(authorizer) }, async (exchange) =>
    exchange.send(200, 'application/json', JSON.stringify(exchange.user)),
  );
}

async function become(rights: readonly string[], headers: Readonly<Record<string, string>>, requestor = agent): Promise<unknown> {
  const answer = await callInProcess(pipeline(requestor, rights), { method: 'GET', path: '/api/v1/namespaces/ns/pods', headers }).then(readAnswer);
  return answer.code === 200 ? answer.json : (answer.json as { message: string }).message;
}

const auth = 'authentication.k8s.io';
const on = (mode: string) => `impersonate-on:${mode}:list core pods`;

describe('the constrained modes', () => {
  test('take a node with its group, for who may take that node', async () => {
    const rights = [on('arbitrary-node'), `impersonate:arbitrary-node ${auth} nodes n2`];
    expect(await become(rights, { 'impersonate-user': 'system:node:n2' })).toEqual({
      name: 'system:node:n2',
      groups: ['system:nodes', 'system:authenticated'],
    });
    expect(await become(rights, { 'impersonate-user': 'system:node:n3' })).toContain('nodes.authentication.k8s.io "n3" is forbidden');
  });

  test('read names as UTF-8', async () => {
    const wire = (text: string) => Buffer.from(text).toString('latin1');
    const rights = ['impersonate core users zoë', 'impersonate core groups grün'];
    const taken = await become(rights, { 'impersonate-user': wire('zoë'), 'impersonate-group': wire('grün') });
    expect(taken).toMatchObject({ name: 'zoë', groups: ['grün', 'system:authenticated'] });
    expect(await become(rights, { 'impersonate-user': 'zo\u00eb' })).toContain('is forbidden');
  });

  test('take the node that the requestor runs on, and no other', async () => {
    const rights = [on('associated-node'), `impersonate:associated-node ${auth} nodes`];
    expect(await become(rights, { 'impersonate-user': 'system:node:n1' })).toMatchObject({ groups: ['system:nodes', 'system:authenticated'] });
    expect(await become(rights, { 'impersonate-user': 'system:node:n2' })).toContain('cannot impersonate-on:arbitrary-node:list resource "pods"');
    const person: User = { ...agent, name: 'person' };
    expect(await become(rights, { 'impersonate-user': 'system:node:n1' }, person)).toContain('cannot impersonate-on:arbitrary-node:list');
  });

  test('take a service account with its groups', async () => {
    const rights = [on('serviceaccount'), `impersonate:serviceaccount ${auth} serviceaccounts x`];
    expect(await become(rights, { 'impersonate-user': 'system:serviceaccount:ns:x' })).toEqual({
      name: 'system:serviceaccount:ns:x',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    });
    const withGroup = { 'impersonate-user': 'system:serviceaccount:ns:x', 'impersonate-group': 'g' };
    expect(await become(rights, withGroup)).toBe(
      `serviceaccounts "x" is forbidden: User "${agent.name}" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"`,
    );
  });

  const person = [
    on('user-info'),
    `impersonate:user-info ${auth} users`,
    `impersonate:user-info ${auth} groups`,
    `impersonate:user-info ${auth} userextras/example.com/k`,
  ];

  test('take a person with groups and extra values', async () => {
    const headers = { 'impersonate-user': 'carol', 'impersonate-group': 'g', 'impersonate-extra-example.com%2fk': 'v' };
    expect(await become(person, headers)).toEqual({ name: 'carol', groups: ['g', 'system:authenticated'], extra: { 'example.com/k': ['v'] } });
  });

  test('never give away system:masters, nor take keys without a domain', async () => {
    expect(await become(person, { 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' })).toContain(
      'groups.authentication.k8s.io "system:masters" is forbidden: User "system:serviceaccount:ns:agent" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
    );
    expect(await become(person, { 'impersonate-user': 'carol', 'impersonate-extra-k': 'v' })).toContain(
      'impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "k": must be a domain-prefixed path (such as "acme.io/foo")',
    );
  });

  test('need the right for the request as well as for the name', async () => {
    expect(await become(person.slice(1), { 'impersonate-user': 'carol' })).toBe(
      `pods is forbidden: User "${agent.name}" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "ns"`,
    );
  });
});

describe('the old way', () => {
  test('needs one right for each name and group', async () => {
    const rights = ['impersonate core users carol', 'impersonate core groups system:masters'];
    expect(await become(rights, { 'impersonate-user': 'carol' })).toEqual({ name: 'carol', groups: ['system:authenticated'] });
    expect(await become(rights, { 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' })).toMatchObject({
      groups: ['system:masters', 'system:authenticated'],
    });
    expect(await become(rights, { 'impersonate-user': 'carol', 'impersonate-group': 'other' })).toContain('is forbidden');
    expect(await become(rights, { 'impersonate-user': 'dave' })).toContain('is forbidden');
  });

  test('makes the anonymous anonymous', async () => {
    expect(await become(['impersonate core users'], { 'impersonate-user': 'system:anonymous' })).toEqual({
      name: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
  });
});

test('parts of an identity without a name are refused, an empty name alone is ignored', async () => {
  expect(await become([], { 'impersonate-group': 'g' })).toBe(
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
  );
  expect(await become(['list core pods'], { 'impersonate-user': '' })).toMatchObject({ name: agent.name });
});

test('a refusal says that its type is not to be guessed, and names extras in order', async () => {
  const headers = { 'impersonate-extra-b': '2', 'impersonate-extra-a': '1' };
  const answer = await callInProcess(pipeline(agent, []), { method: 'GET', path: '/livez', headers }).then(readAnswer);
  expect([answer.code, answer.headers['x-content-type-options']]).toEqual([400, 'nosniff']);
  expect((answer.json as { message: string }).message).toContain('Extra:map[string][]string{"a":[]string{"1"}, "b":[]string{"2"}}');
});

describe('an extra', () => {
  const rights = [
    on('user-info'),
    `impersonate:user-info ${auth} users bob`,
    `impersonate:user-info ${auth} userextras`,
    `impersonate:user-info ${auth} userextras/__proto__`,
  ];

  test('that is named after a prototype is a key like any other', async () => {
    const answer = await become(rights, { 'impersonate-user': 'bob', 'impersonate-extra-__proto__': 'x' });
    expect(answer).toContain('an invalid key in extra');
  });
});
