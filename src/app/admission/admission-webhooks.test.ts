// Webhooks over TLS, good and bad, and what clients of the server see of them.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';
import { TestAuthority, type TestPair } from '../../../test/support/test-pki.ts';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const authority = new TestAuthority('webhooks');
const serving = authority.issue({ commonName: 'hook' }, { usage: 'server', names: ['127.0.0.1', 'hook.default.svc'] });

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly name: string; readonly object: { readonly metadata: { readonly annotations?: Record<string, string> } } };
}
type Behaviour = (review: Review, response: ServerResponse) => void;

let api: ServerInTest;
const hooks: Server[] = [];

beforeAll(async () => {
  api = await ServerInTest.start({ users: 'admin,admin,1,"system:masters"\n' });
});
afterAll(async () => {
  for (const hook of hooks) {
    hook.closeAllConnections();
    hook.close();
  }
  await api[Symbol.asyncDispose]();
});

async function hookAt(behave: Behaviour, pair: TestPair = serving): Promise<number> {
  const hook = createServer(pair, (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => behave(JSON.parse(Buffer.concat(chunks).toString()) as Review, response));
  });
  hooks.push(hook);
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  return (hook.address() as AddressInfo).port;
}

function reply({ apiVersion, request }: Review, response: ServerResponse, answer: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid: request.uid, allowed: true, ...answer } }));
}

const patchOf = (...operations: object[]) => ({ patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') });
const configurations = (kind: string) => `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;

/** Concerns config maps with this name alone. */
function webhook(name: string, clientConfig: object, more: object = {}): object {
  return {
    name: `${name}.test.io`,
    clientConfig: { caBundle: Buffer.from(authority.cert).toString('base64'), ...clientConfig },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    matchConditions: [{ name: 'own', expression: `request.name == '${name}'` }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 5,
    ...more,
  };
}

async function configure(kind: 'Validating' | 'Mutating', name: string, ...webhooks: object[]): Promise<void> {
  const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind: `${kind}WebhookConfiguration`, metadata: { name }, webhooks };
  const { code, text } = await api.ask('POST', configurations(kind), body);
  expect(code, text).toBe(201);
}

const create = (name: string) =>
  api.ask('POST', '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } });

const at = (port: number) => ({ url: `https://127.0.0.1:${port}/judge` });

/** The message of the refusal that a webhook with this behaviour leads to. */
async function refusalBy(name: string, behave: Behaviour, more: { pair?: TestPair; kind?: 'Validating' | 'Mutating'; hook?: object } = {}): Promise<string> {
  const port = await hookAt(behave, more.pair);
  await configure(more.kind ?? 'Validating', name, webhook(name, at(port), more.hook));
  const { code, json } = await create(name);
  expect(code).toBeGreaterThanOrEqual(400);
  return json.message;
}

const failed = (name: string) => `Internal error occurred: failed calling webhook "${name}.test.io": failed to call webhook: `;

test('certificates that are not what they should be are failures, and nothing is sent over them', async () => {
  const asked = vi.fn<Behaviour>();
  const expired = authority.issue({ commonName: 'x' }, { usage: 'server', names: ['127.0.0.1'], notBefore: new Date(0), notAfter: new Date(1_000) });
  const named = authority.issue({ commonName: 'x' }, { usage: 'server', names: ['elsewhere.test'] });
  const foreign = new TestAuthority('foreign').issue({ commonName: 'x' }, { usage: 'server', names: ['127.0.0.1'] });
  expect(await refusalBy('foreign', asked, { pair: foreign })).toMatch(/x509: certificate signed by unknown authority$/);
  expect(await refusalBy('expired', asked, { pair: expired })).toMatch(
    /x509: certificate has expired or is not yet valid: current time \S+ is after 1970-01-01T00:00:01Z$/,
  );
  expect(await refusalBy('named', asked, { pair: named })).toMatch(/x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs$/);
  expect(asked).not.toHaveBeenCalled();
});

test('a hang and a slow drip end with the timeout, and the failure policy decides', async () => {
  const drip: Behaviour = (_, response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  };
  const late = 'context deadline exceeded';
  expect(await refusalBy('hang', () => undefined, { hook: { timeoutSeconds: 1 } })).toMatch(
    new RegExp(`^${failed('hang')}Post "\\S+/judge\\?timeout=1s": ${late}$`),
  );
  expect(await refusalBy('drip', drip, { hook: { timeoutSeconds: 1 } })).toContain(late);
  const port = await hookAt(() => undefined);
  await configure('Validating', 'ignored', webhook('ignored', at(port), { timeoutSeconds: 1, failurePolicy: 'Ignore' }));
  expect((await create('ignored')).code).toBe(201);
});

test('redirects are not followed', async () => {
  const elsewhere = vi.fn<Behaviour>(reply as never);
  const port = await hookAt(elsewhere);
  const moved: Behaviour = (_, response) => void response.writeHead(307, { location: `https://127.0.0.1:${port}/` }).end();
  expect(await refusalBy('moved', moved)).toBe(`${failed('moved')}the server responded with the status code 307 but did not return more information`);
  expect(elsewhere).not.toHaveBeenCalled();
});

test('an answer of 10 MB is read, a larger one than the limit is not', async () => {
  const padded =
    (bytes: number): Behaviour =>
    (review, response) =>
      reply(review, response, { status: { message: 'x'.repeat(bytes) } });
  await configure('Validating', 'large', webhook('large', at(await hookAt(padded(10 << 20)))));
  expect((await create('large')).code).toBe(201);
  expect(await refusalBy('larger', padded(20 << 20))).toContain('response body too large');
});

test('patches that cannot be applied are refused, and one of the uid does not change who the object is', async () => {
  const patching =
    (operations: object): Behaviour =>
    (review, response) =>
      reply(review, response, patchOf(operations));
  expect(await refusalBy('badpatch', patching({ op: 'remove', path: '/spec/none' }), { kind: 'Mutating' })).toBe(
    'Internal error occurred: remove operation does not apply: doc is missing path: "/spec/none": missing value',
  );
  const uid = '00000000-0000-0000-0000-000000000000';
  await configure('Mutating', 'uid', webhook('uid', at(await hookAt(patching({ op: 'add', path: '/metadata/uid', value: uid })))));
  const { code, json } = await create('uid');
  expect(code).toBe(201);
  expect(json.metadata.uid).not.toBe(uid);
});

test('a refusal keeps the metadata of the status that the webhook sent', async () => {
  const status = { message: 'no', metadata: { resourceVersion: '5', continue: 'c', remainingItemCount: 3, selfLink: '/x', odd: 1 } };
  const port = await hookAt((review, response) => reply(review, response, { allowed: false, status }));
  await configure('Validating', 'listed', webhook('listed', at(port)));
  const { odd: _odd, ...metadata } = status.metadata;
  expect((await create('listed')).json).toMatchObject({ code: 400, metadata });
});

test('metadata of a custom object counts field by field after a patch, and its kind must stay', async () => {
  const group = 'patched.example.com';
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
  const spec = { group, scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `things.${group}` }, spec };
  expect((await api.ask('POST', definitions, definition)).code).toBe(201);
  const path = `/apis/${group}/v1/things`;
  await vi.waitUntil(async () => (await api.ask('GET', path)).code === 200, { timeout: 30_000 });
  const patches: Record<string, object> = {
    labels: { op: 'replace', path: '/metadata/labels', value: { a: 1, b: 'x' } },
    kind: { op: 'remove', path: '/kind' },
    metadata: { op: 'replace', path: '/metadata', value: 5 },
  };
  const port = await hookAt((review, response) => reply(review, response, patchOf(patches[review.request.name] ?? {})));
  const rules = [{ apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }];
  await configure('Mutating', 'things', webhook('things', at(port), { rules, matchConditions: [] }));
  const make = (name: string) => api.ask('POST', path, { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name, labels: { own: 'yes' } } });
  const made = await make('labels');
  expect([made.code, made.json.metadata.name]).toEqual([201, 'labels']);
  expect(made.json.metadata).not.toHaveProperty('labels');
  expect((await make('kind')).json.message).toContain(`Object 'Kind' is missing in '{"apiVersion":"${group}/v1","metadata":{"labels":`);
  expect((await make('metadata')).json.message).toBe('Internal error occurred: system metadata was not initialized');
});

test('a list that must be there and was sent empty is shown empty, one that was left out as null', async () => {
  const seen: unknown[] = [];
  const port = await hookAt((review, response) => {
    seen.push((review.request.object as { rules?: unknown }).rules);
    reply(review, response, {});
  });
  const rules = [{ apiGroups: ['rbac.authorization.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['roles'] }];
  await configure('Validating', 'roles', webhook('roles', at(port), { rules, matchConditions: [] }));
  const role = (name: string, more: object) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, ...more });
  const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
  expect((await api.ask('POST', path, role('empty', { rules: [] }))).code).toBe(201);
  expect((await api.ask('POST', path, role('none', {}))).code).toBe(201);
  expect(seen).toEqual([[], null]);
});

// CVE-2021-25735: the old node had the new one's fields by the time the webhook saw it.
test('a webhook for nodes sees the old one as it is stored, whether it is put or patched', async () => {
  const seen: (readonly [old: string | undefined, now: string | undefined])[] = [];
  const port = await hookAt((review, response) => {
    const { object, oldObject } = review.request as unknown as Record<'object' | 'oldObject', { metadata: { labels?: Record<string, string> } }>;
    seen.push([oldObject.metadata.labels?.['zone'], object.metadata.labels?.['zone']]);
    reply(review, response, { allowed: false });
  });
  const node = (zone: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'guarded', labels: { zone } } });
  expect((await api.ask('POST', '/api/v1/nodes', node('old'))).code).toBe(201);
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['nodes', 'nodes/status'] }];
  await configure('Validating', 'guarded', webhook('guarded', at(port), { rules }));
  const writes = [
    await api.ask('PUT', '/api/v1/nodes/guarded', node('new')),
    await api.ask('PATCH', '/api/v1/nodes/guarded', node('new'), { type: 'application/merge-patch+json' }),
    await api.ask('PUT', '/api/v1/nodes/guarded/status', node('new')),
  ];
  for (const { json } of writes) expect(json.message).toBe('admission webhook "guarded.test.io" denied the request without explanation');
  expect(seen).toEqual([
    ['old', 'new'],
    ['old', 'new'],
    ['old', 'new'],
  ]);
});

test('64 writes at once are all judged', async () => {
  let asked = 0;
  const port = await hookAt((review, response) => {
    asked += 1;
    reply(review, response, {});
  });
  const all = { matchConditions: [{ name: 'own', expression: `request.name.startsWith('many-')` }] };
  await configure('Validating', 'many', webhook('many', at(port), all));
  const codes = await Promise.all(Array.from({ length: 64 }, async (_, index) => (await create(`many-${index}`)).code));
  expect(codes.every((code) => code === 201)).toBe(true);
  expect(asked).toBe(64);
});

test('a service is reached through its endpoints, under its name', async () => {
  const port = await hookAt((review, response) => reply(review, response, { allowed: false, status: { message: 'from the service', code: 418 } }));
  await api.ask('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'hook' }, spec: { ports: [{ name: 'https', port: 443 }] } });
  const slice = {
    metadata: { name: 'hook-1', labels: { 'kubernetes.io/service-name': 'hook' } },
    // As an IPv4 address it would be refused: no slice may name the machine itself.
    addressType: 'FQDN',
    ports: [{ name: 'https', port }],
    endpoints: [{ addresses: ['127.0.0.1'] }],
  };
  const made = await api.ask('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice);
  expect(made.code, made.text).toBe(201);
  await configure('Validating', 'service', webhook('service', { service: { namespace: 'default', name: 'hook' } }));
  expect(await create('service')).toMatchObject({ code: 418, json: { message: 'admission webhook "service.test.io" denied the request: from the service' } });
});

test('of several refusals the client reads the one that came first', async () => {
  const hanging = await hookAt(() => undefined);
  const quick = await hookAt((review, response) => reply(review, response, { allowed: false, status: { message: 'quick' } }));
  const own = { matchConditions: [{ name: 'own', expression: "request.name == 'two'" }] };
  await configure('Validating', 'two', webhook('hanging', at(hanging), { ...own, timeoutSeconds: 1 }), webhook('quick', at(quick), own));
  expect((await create('two')).json.message).toBe('admission webhook "quick.test.io" denied the request: quick');
});

/** A mutating webhook about one subresource that answers with this patch. */
async function patching(name: string, resources: readonly string[], ...operations: object[]): Promise<void> {
  const port = await hookAt((review, response) => reply(review, response, patchOf(...operations)));
  const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources }];
  await configure('Mutating', name, webhook(name, at(port), { rules }));
}

const pods = '/api/v1/namespaces/default/pods';
const containers = [{ name: 'c', image: 'i' }];

test('a webhook may give a Scale neither another uid nor no name', async () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
  for (const name of ['scale-uid', 'scale-nameless'])
    await api.ask('POST', deployments, { metadata: { name }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
  await patching('scale-uid', ['deployments/scale'], { op: 'replace', path: '/metadata/uid', value: 'x' });
  await patching('scale-nameless', ['deployments/scale'], { op: 'remove', path: '/metadata/name' });
  const scale = (name: string) => api.ask('PUT', `${deployments}/${name}/scale`, { metadata: { name }, spec: { replicas: 2 } });
  const why = /^Operation cannot be fulfilled on deployments\/scale.apps "scale-uid": Precondition failed: UID in precondition: x, UID in object meta: /;
  expect(await scale('scale-uid')).toMatchObject({ code: 409, json: { message: expect.stringMatching(why) } });
  expect(await scale('scale-nameless')).toMatchObject({
    code: 422,
    json: { message: 'Scale.autoscaling "scale-nameless" is invalid: metadata.name: Required value: name or generateName is required' },
  });
});

test('a webhook may not send an eviction to another pod', async () => {
  await api.ask('POST', pods, { metadata: { name: 'evicted' }, spec: { containers } });
  await patching('evicted', ['pods/eviction'], { op: 'replace', path: '/metadata/name', value: 'other' });
  const refused = await api.ask('POST', `${pods}/evicted/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } });
  expect(refused).toMatchObject({ code: 400, json: { message: 'name in URL does not match name in Eviction object' } });
});

test('validating webhooks are told the grace period that a deletion will have', async () => {
  await api.ask('POST', pods, { metadata: { name: 'graceful' }, spec: { containers } });
  const seen: unknown[] = [];
  const port = await hookAt((review, response) => {
    seen.push((review.request as unknown as { readonly options: object }).options);
    reply(review, response, {});
  });
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['pods'] }];
  await configure('Mutating', 'graceful', webhook('graceful', at(port), { rules }));
  await configure('Validating', 'graceful', webhook('graceful', at(port), { rules }));
  expect((await api.ask('DELETE', `${pods}/graceful?dryRun=All`, undefined)).code).toBe(200);
  const options = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] };
  expect(seen).toEqual([options, { ...options, gracePeriodSeconds: 0 }]);
});

test('no write gets past a webhook once its configuration is acknowledged', async () => {
  let writing = true;
  let refusedAfter = 0;
  let active = false;
  const slipped: string[] = [];
  const writer = async (index: number) => {
    for (let count = 0; writing; count++) {
      const wasActive = active;
      const { code } = await create(`race-${index}-${count}`);
      if (wasActive && code === 201) slipped.push(`race-${index}-${count}`);
      if (code !== 201) refusedAfter += 1;
    }
  };
  const port = await hookAt((review, response) => reply(review, response, { allowed: false }));
  const writers = Array.from({ length: 16 }, (_, index) => writer(index));
  const all = { matchConditions: [{ name: 'own', expression: `request.name.startsWith('race-')` }] };
  await configure('Validating', 'race', webhook('race', at(port), all));
  active = true;
  await vi.waitUntil(() => refusedAfter > 64, { timeout: 30_000 });
  writing = false;
  await Promise.all(writers);
  expect(slipped).toEqual([]);
});

test('a webhook that dies and comes back is asked again, without a restart of ours', async () => {
  const port = await hookAt((review, response) => reply(review, response, {}));
  const hook = hooks.at(-1) as Server;
  const all = { matchConditions: [{ name: 'own', expression: `request.name.startsWith('back-')` }] };
  await configure('Validating', 'back', webhook('back', at(port), all));
  expect((await create('back-1')).code).toBe(201);
  hook.closeAllConnections();
  hook.close();
  await once(hook, 'close');
  expect((await create('back-2')).json.message).toContain('connect: connection refused');
  hook.listen(port, '127.0.0.1');
  await once(hook, 'listening');
  expect((await create('back-3')).code).toBe(201);
});

test('what became of the questions is counted', async () => {
  const { text } = await api.ask('GET', '/metrics', undefined);
  expect(text).toMatch(/apiserver_admission_webhook_request_total\{.*name="many.test.io".*\} 64/);
  expect(text).toContain('apiserver_admission_webhook_fail_open_count{name="ignored.test.io",type="validating"} 1');
  expect(text).toMatch(
    /apiserver_admission_webhook_rejection_count\{.*error_type="calling_webhook_error".*name="hang.test.io".*\} 1|name="hang.test.io".*error_type="calling_webhook_error"/,
  );
});
