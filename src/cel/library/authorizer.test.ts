import { expect, test } from 'vitest';
import { kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import {
  type Authorize,
  authorizerType,
  authorizerValue,
  type PathQuestion,
  requestResourceValue,
  type ResourceQuestion,
  resourceCheckType,
} from '#cel/library/authorizer.ts';

const environment = kubernetesEnvironment('stored').extend({
  variables: new Map([
    ['authorizer', authorizerType],
    ['authorizer.requestResource', resourceCheckType],
  ]),
});

test('a check asks about what the steps said, and its decision is read when it has come', async () => {
  const { outcome, asked } = await evaluated(
    "authorizer.group('apps').resource('deployments').subresource('scale').namespace('ns').name('d').check('update').allowed()",
  );
  expect(outcome).toMatchObject({ status: 'value', value: true, cost: 350_007 });
  expect(asked).toEqual([
    {
      is: 'resource',
      subject: { is: 'requester' },
      verb: 'update',
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'ns',
      name: 'd',
      fieldSelector: '',
      labelSelector: '',
    },
  ]);
});

test('a path is asked about with the verb of the request', async () => {
  const { asked } = await evaluated("authorizer.path('/healthz').check('get').reason() == 'because'");
  expect(asked).toEqual([{ is: 'path', subject: { is: 'requester' }, verb: 'get', path: '/healthz' }]);
});

test('a service account is asked about in place of the requester', async () => {
  const { asked } = await evaluated("authorizer.serviceAccount('ns', 'sa').path('/x').check('get').errored()");
  expect(asked).toMatchObject([{ subject: { is: 'serviceAccount', namespace: 'ns', name: 'sa' } }]);
});

test('the resource of the request is known, and may be narrowed by selectors', async () => {
  const { asked } = await evaluated("authorizer.requestResource.labelSelector('a=b').fieldSelector('x=y').check('list').allowed()");
  expect(asked).toMatchObject([{ group: 'g', resource: 'pods', namespace: 'n', name: 'p', labelSelector: 'a=b', fieldSelector: 'x=y', verb: 'list' }]);
});

test('the same question is asked once in one evaluation', async () => {
  const { outcome, asked } = await evaluated("[1, 2].all(i, authorizer.path('/x').check('get').allowed() && i > 0)");
  expect(outcome).toMatchObject({ status: 'value', value: true });
  expect(asked).toHaveLength(1);
});

test('three checks are more than one evaluation can afford', async () => {
  const one = "authorizer.path('/%').check('get').allowed()";
  const { outcome } = await evaluated([1, 2, 3].map((number) => one.replace('%', String(number))).join(' && '));
  expect(outcome).toMatchObject({ status: 'error', reason: 'costLimit' });
});

test.each([
  ["authorizer.path(' ').check('get').allowed()", 'path must not be empty'],
  ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty'],
  ["authorizer.serviceAccount('ns', 'A').path('/').check('get').allowed()", 'Invalid service account name'],
  ["authorizer.serviceAccount('a.b', 'a').path('/').check('get').allowed()", 'Invalid service account namespace'],
  ["authorizer.path('/x') == authorizer.path('/x')", 'no such overload'],
])('%s is refused: %s', async (expression, message) => {
  const { outcome, asked } = await evaluated(expression);
  expect(outcome).toMatchObject({ status: 'error', message });
  expect(asked).toEqual([]);
});

async function evaluated(expression: string) {
  const asked: (PathQuestion | ResourceQuestion)[] = [];
  const authorize: Authorize = async (question) => {
    asked.push(question);
    return { allowed: true, reason: 'because' };
  };
  const { program } = environment.compile(expression);
  if (program === undefined) throw new Error('refused');
  const variables = new Map([
    ['authorizer', authorizerValue(authorize)],
    ['authorizer.requestResource', requestResourceValue(authorize, { group: 'g', resource: 'pods', subresource: '', namespace: 'n', name: 'p' })],
  ]);
  return { outcome: await program.evaluateInSlices(variables, { costLimit: 1_000_000 }), asked };
}
