// What is refused in questions about access, in scales, and in events of other namespaces than the default one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRefusedRequests, ourAnswer, referenceAnswer } from '../../test/support/refused-requests.ts';
import { registerRefusals } from '../../test/support/refusals.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const authorization = '/apis/authorization.k8s.io/v1';
const local = `POST ${authorization}/namespaces/default/localsubjectaccessreviews`;
const self = `POST ${authorization}/selfsubjectaccessreviews`;
const subject = `POST ${authorization}/subjectaccessreviews`;
const pods = { verb: 'get', resource: 'pods', namespace: 'default' };
const url = { verb: 'get', path: '/healthz' };
const neither = 'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
const both = 'spec.nonResourceAttributes: Invalid value: {"Path":"/healthz","Verb":"get"}: cannot be specified in combination with resourceAttributes';
const nobody = 'spec.user: Invalid value: "": at least one of user or group must be specified';

describeRefusedRequests({
  name: 'access reviews',
  write: 'create',
  kind: 'SubjectAccessReview',
  cases: [
    [subject, { what: 'about nothing', body: { spec: { user: 'alice' } } }, neither],
    [subject, { what: 'about two things', body: { spec: { user: 'alice', resourceAttributes: pods, nonResourceAttributes: url } } }, both],
    [subject, { what: 'about nobody', body: { spec: { resourceAttributes: pods } } }, nobody],
    [
      subject,
      {
        what: 'with two label selectors',
        body: {
          spec: { user: 'alice', resourceAttributes: { ...pods, labelSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] } } },
        },
      },
      'spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
    ],
    [
      subject,
      { what: 'with empty selectors', body: { spec: { user: 'alice', resourceAttributes: { ...pods, labelSelector: {}, fieldSelector: {} } } } },
      'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
      'spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required',
    ],
    [
      subject,
      {
        what: 'with two field selectors',
        body: {
          spec: { user: 'alice', resourceAttributes: { ...pods, fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] } } },
        },
      },
      'spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
    ],
    [
      subject,
      {
        what: 'with a choice of no values',
        body: { spec: { user: 'alice', resourceAttributes: { ...pods, labelSelector: { requirements: [{ key: 'a', operator: 'In' }] } } } },
      },
      "spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      subject,
      {
        what: 'with values for what exists',
        body: { spec: { user: 'alice', resourceAttributes: { ...pods, fieldSelector: { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] } } } },
      },
      "spec.resourceAttributes.fieldSelector.requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ],
});

describeRefusedRequests({
  name: 'local access reviews',
  write: 'create',
  kind: 'LocalSubjectAccessReview',
  cases: [
    [local, { what: 'about nothing', body: { spec: { user: 'alice' } } }, neither],
    [local, { what: 'about nobody', body: { spec: { resourceAttributes: pods } } }, nobody],
    [
      local,
      { what: 'about another namespace', body: { spec: { user: 'alice', resourceAttributes: { ...pods, namespace: 'other' } } } },
      'spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    ],
    [
      local,
      { what: 'about a path', body: { spec: { user: 'alice', nonResourceAttributes: url } } },
      'spec.nonResourceAttributes: Invalid value: {"Path":"/healthz","Verb":"get"}: disallowed on this kind of request',
    ],
  ],
});

describeRefusedRequests({
  name: 'reviews of one’s own access',
  write: 'create',
  kind: 'SelfSubjectAccessReview',
  cases: [
    [self, { what: 'about nothing', body: { spec: {} } }, neither],
    [self, { what: 'about two things', body: { spec: { resourceAttributes: pods, nonResourceAttributes: url } } }, both],
  ],
});

const workloads = '/apis/apps/v1/namespaces/default/deployments';
const workload = {
  metadata: { name: 'refused-scale' },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
};

describeRefusedRequests({
  name: 'scales',
  write: 'scale',
  kind: 'Scale',
  objects: [[workloads, workload]],
  cases: [
    [
      `PATCH ${workloads}/refused-scale/scale`,
      { body: { spec: { replicas: -1 } }, type: 'application/merge-patch+json' },
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
});

const inPublic = 'POST /api/v1/namespaces/kube-public/events?dryRun=All';
const event = {
  metadata: { name: 'refused-event' },
  eventTime: '2030-01-01T00:00:00.000000Z',
  reportingComponent: 'example.com/walker',
  reportingInstance: 'walker-1',
  action: 'Walk',
  reason: 'Walked',
  type: 'Normal',
};

describeRefusedRequests({
  name: 'events',
  write: 'create',
  kind: 'Event',
  cases: [
    [
      inPublic,
      { what: 'about nothing of this namespace', body: { ...event, involvedObject: { kind: 'Node', name: 'one' } } },
      'involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ],
  ],
});

describe('reviews of their own', () => {
  let server: ServerInTest;
  beforeAll(async () => {
    server = await ServerInTest.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  // The message shows the metadata with its managed fields, and so the time.
  const named = [
    { request: subject, kind: 'SubjectAccessReview', rule: 'must be empty' },
    { request: local, kind: 'LocalSubjectAccessReview', rule: 'must be empty except for namespace' },
    { request: self, kind: 'SelfSubjectAccessReview', rule: 'must be empty' },
  ];
  for (const { kind, rule } of named) registerRefusals('create', kind, [['with a name', {}, `metadata: Invalid value: {"name":"x"}: ${rule}`]]);
  test.each(named)('$kind has no name', async ({ request, rule }) => {
    const body = { metadata: { name: 'x' }, spec: { user: 'alice', resourceAttributes: pods } };
    const message = expect.stringMatching(`^Invalid value: {"name":"x".*}: ${rule}$`) as string;
    const refused = { code: 422, reason: 'Invalid', causes: [{ reason: 'FieldValueInvalid', message, field: 'metadata' }] };
    expect(await ourAnswer(server)(request, { body })).toEqual(refused);
    const reference = referenceAnswer({});
    if (reference) expect(await reference(request, { body })).toEqual(refused);
  });

  test.each([
    [`POST ${authorization}/selfsubjectrulesreviews`, 'no namespace on request'],
    ['POST /apis/authentication.k8s.io/v1/tokenreviews', 'token is required for TokenReview in authentication'],
  ])('%s is a bad request', async (request, message) => {
    const refused = { code: 400, reason: 'BadRequest', causes: [{ reason: '', message, field: '' }] };
    expect(await ourAnswer(server)(request, { body: { spec: {} } })).toEqual(refused);
    const reference = referenceAnswer({});
    if (reference) expect(await reference(request, { body: { spec: {} } })).toEqual(refused);
  });
});
