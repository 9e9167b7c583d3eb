// Custom resources in three versions, converted by a real HTTPS server that behaves, hangs, lies or answers too little.
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiUnderTest } from '../../test/support/api-under-test.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const api = apiUnderTest();
const authority = new TestAuthority('converters');
const serving = authority.issue({ commonName: 'localhost' }, { usage: 'server', names: ['localhost', '127.0.0.1'] });
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Thing {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
}
interface Review {
  apiVersion: string;
  request: { uid: string; desiredAPIVersion: string; objects: Thing[] };
}
type Answer = { code?: number; headers?: Record<string, string>; body?: unknown } | 'hang';

let remote: Server;
let reviews: Review[];
let answer: (review: Review) => Answer;
let count = 0;

beforeEach(async () => {
  reviews = [];
  answer = honest;
  remote = createServer({ cert: serving.cert, key: serving.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
      reviews.push(review);
      const given = answer(review);
      if (given === 'hang') return;
      response.writeHead(given.code ?? 200, { 'content-type': 'application/json', ...given.headers }).end(JSON.stringify(given.body ?? {}));
    });
  });
  remote.listen(0, '127.0.0.1');
  await once(remote, 'listening');
});
afterEach(() => {
  remote.closeAllConnections();
  remote.close();
});

/** The field that holds the host has another name in each version. */
const fields: Record<string, string> = { v1: 'host', v2: 'address', v3: 'location' };
const versionOf = (apiVersion: string) => apiVersion.split('/')[1] ?? '';

function converted(object: Thing, apiVersion: string): Thing {
  const [from, to] = [fields[versionOf(object.apiVersion)] ?? '', fields[versionOf(apiVersion)] ?? ''];
  const { [from]: host, ...spec } = object.spec;
  return { ...object, apiVersion, spec: { ...spec, [to]: host } };
}

function reviewOf({ apiVersion, request }: Review, objects: readonly unknown[]): Answer {
  return { body: { apiVersion, kind: 'ConversionReview', response: { uid: request.uid, result: { status: 'Success' }, convertedObjects: objects } } };
}

const honest = (review: Review) =>
  reviewOf(
    review,
    review.request.objects.map((object) => converted(object, review.request.desiredAPIVersion)),
  );

async function define(
  reviewVersions = ['v1'],
): Promise<{ group: string; path: (version: string) => string; thing: (version: string, name: string, host: string) => Thing }> {
  const group = `converted${++count}.example.com`;
  const { port } = remote.address() as AddressInfo;
  const version = (name: string, storage: boolean) => {
    const field = fields[name] ?? '';
    const spec = { type: 'object', required: [field], properties: { [field]: { type: 'string', maxLength: 100 } } };
    return { name, storage, served: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
  };
  const clientConfig = { url: `https://127.0.0.1:${port}/convert`, caBundle: Buffer.from(authority.cert).toString('base64') };
  const name = `things.${group}`;
  await api.make(definitions, {
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: reviewVersions, clientConfig } },
      versions: [version('v1', true), version('v2', false), version('v3', false)],
    },
  });
  while (!JSON.stringify((await api.get(`${definitions}/${name}`)).body).includes('"InitialNamesAccepted"'));
  const namespace = await api.namespace();
  const path = (of: string) => `/apis/${group}/${of}/namespaces/${namespace}/things`;
  const thing = (of: string, called: string, host: string) => ({
    apiVersion: `${group}/${of}`,
    kind: 'Thing',
    metadata: { name: called },
    spec: { [fields[of] ?? '']: host },
  });
  return { group, path, thing };
}

test('an object goes round through three versions and is the same', async () => {
  const { path, thing } = await define();
  const made = await api.ask('POST', path('v2'), thing('v2', 'a', 'h'));
  expect([made.code, made.body]).toMatchObject([201, { spec: { address: 'h' } }]);
  expect((await api.get(`${path('v1')}/a`)).body).toMatchObject({ spec: { host: 'h' } });
  const third = (await api.get(`${path('v3')}/a`)).body;
  expect(third).toMatchObject({ spec: { location: 'h' } });
  const put = await api.ask('PUT', `${path('v3')}/a`, { ...third, spec: { location: 'i' } });
  expect([put.code, put.body]).toMatchObject([200, { spec: { location: 'i' }, metadata: { uid: (third['metadata'] as { uid: string }).uid } }]);
  expect((await api.get(`${path('v2')}/a`)).body).toMatchObject({ spec: { address: 'i' } });
});

test('a write is judged in the version that the client speaks', async () => {
  const { path, thing } = await define();
  const refused = await api.ask('POST', path('v2'), thing('v2', 'a', 'x'.repeat(101)));
  expect([refused.code, refused.body['message']]).toEqual([422, expect.stringContaining('spec.address: Too long')]);
  await api.make(path('v1'), thing('v1', 'b', 'h'));
  const patched = await api.ask('PATCH', `${path('v3')}/b`, { spec: { location: 'x'.repeat(101) } }, { type: 'application/merge-patch+json' });
  expect([patched.code, patched.body['message']]).toEqual([422, expect.stringContaining('spec.location: Too long')]);
});

test('a watch in another version tells what happened in its order', async () => {
  const { path, thing } = await define();
  const watch = await api.watch(`${path('v2')}?watch=1`);
  const hosts = Array.from({ length: 30 }, (_, index) => `h${index}`);
  for (const host of hosts) await api.make(path(host.endsWith('0') ? 'v3' : 'v1'), thing(host.endsWith('0') ? 'v3' : 'v1', host, host));
  const events = await watch.next(hosts.length);
  expect(events.map(({ object }) => (object as unknown as Thing).spec['address'])).toEqual(hosts);
  watch.close();
});

test('v1beta1 reviews need neither uid nor kind in the answer', async () => {
  const { path, thing } = await define(['v0', 'v1beta1', 'v1']);
  await api.make(path('v1'), thing('v1', 'a', 'h'));
  answer = ({ request }) => ({
    body: { response: { result: { status: 'Success' }, convertedObjects: request.objects.map((object) => converted(object, request.desiredAPIVersion)) } },
  });
  expect((await api.get(`${path('v2')}/a`)).body).toMatchObject({ spec: { address: 'h' } });
  expect(reviews[0]).toMatchObject({ apiVersion: 'apiextensions.k8s.io/v1beta1' });
});

test('a list of a thousand objects is asked for in few questions', async () => {
  const { path, thing } = await define();
  for (let i = 0; i < 1000; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => api.make(path('v1'), thing('v1', `t${i + j}`, `h${i + j}`))));
  const { items } = (await api.get(path('v2'))).body as unknown as { items: Thing[] };
  expect(new Set(items.map(({ spec }) => spec['address'])).size).toBe(1000);
  expect(reviews.length).toBeLessThan(50);
});

test('metadata but labels and annotations stays as it was', async () => {
  const { path, thing } = await define();
  const made = await api.make(path('v1'), thing('v1', 'a', 'h'));
  const change = { finalizers: ['example.com/x'], generation: 99, labels: { l: '1' }, annotations: { a: '2' } };
  answer = (review) =>
    reviewOf(
      review,
      review.request.objects.map((object) => ({ ...converted(object, review.request.desiredAPIVersion), metadata: { ...object.metadata, ...change } })),
    );
  const { metadata } = (await api.get(`${path('v2')}/a`)).body as { metadata: object };
  expect(metadata).toEqual({ ...(made['metadata'] as object), labels: { l: '1' }, annotations: { a: '2' } });
});

const lies: readonly (readonly [string, (review: Review) => Answer, string])[] = [
  ['answers too few objects', (review) => reviewOf(review, []), 'returned 0 objects, expected 1'],
  [
    'lies about the name',
    (review) =>
      reviewOf(
        review,
        review.request.objects.map((object) => ({ ...converted(object, review.request.desiredAPIVersion), metadata: { ...object.metadata, name: 'b' } })),
      ),
    'returned invalid object: must have the same name: a != b',
  ],
  [
    'lies about the uid',
    (review) =>
      reviewOf(
        review,
        review.request.objects.map((object) => ({ ...converted(object, review.request.desiredAPIVersion), metadata: { ...object.metadata, uid: 'u' } })),
      ),
    'returned invalid object: must have the same UID: ',
  ],
  [
    'answers in the version that it was given',
    (review) => reviewOf(review, review.request.objects),
    'returned invalid object at index 0: invalid groupVersion (expected ',
  ],
  [
    'makes a label that is none',
    (review) =>
      reviewOf(
        review,
        review.request.objects.map((object) => ({
          ...converted(object, review.request.desiredAPIVersion),
          metadata: { ...object.metadata, labels: { a: '-' } },
        })),
      ),
    'returned invalid metadata: metadata.labels: Invalid value: "-"',
  ],
  [
    'makes a label that is a number',
    (review) =>
      reviewOf(
        review,
        review.request.objects.map((object) => ({
          ...converted(object, review.request.desiredAPIVersion),
          metadata: { ...object.metadata, labels: { a: 1 } },
        })),
      ),
    'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
  ],
  ['redirects', () => ({ code: 307, headers: { location: '/elsewhere' } }), 'failed: '],
  [
    'answers in another version of reviews',
    (review) => reviewOf({ ...review, apiVersion: 'apiextensions.k8s.io/v1beta1' }, []),
    'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
  ],
  ['answers with another kind', () => ({ body: { apiVersion: 'v1', kind: 'Pod' } }), 'failed: no kind "Pod" is registered for version "v1" in scheme'],
];

test.each(lies)('a converter that %s is an error, and nothing is stored', async (_what, lie, message) => {
  const { path, thing } = await define();
  await api.make(path('v1'), thing('v1', 'a', 'h'));
  answer = lie;
  const got = await api.get(`${path('v2')}/a`);
  expect([got.code, got.body['message']]).toEqual([500, expect.stringContaining(message)]);
  expect(got.body['message']).toMatch(/^conversion webhook for converted\d+\.example\.com\/v1, Kind=Thing /);
  const { resourceVersion } = (await api.get(`${path('v1')}/a`)).body['metadata'] as { resourceVersion: string };
  expect((await api.ask('PUT', `${path('v2')}/a`, { ...thing('v2', 'a', 'i'), metadata: { name: 'a', resourceVersion } })).code).toBe(500);
  expect((await api.get(`${path('v1')}/a`)).body).toMatchObject({ spec: { host: 'h' }, metadata: { resourceVersion } });
  expect(reviews.every(({ request }) => request.objects.length === 1)).toBe(true);
});

test('an object that cannot be converted is not deleted in the version that needs it', async () => {
  const { path, thing } = await define();
  await api.make(path('v1'), thing('v1', 'a', 'h'));
  answer = () => ({ code: 503 });
  const refused = await api.ask('DELETE', `${path('v2')}/a`, undefined);
  expect([refused.code, refused.body['message']]).toEqual([500, expect.stringContaining('the server is currently unable to handle the request')]);
  expect((await api.get(`${path('v1')}/a`)).code).toBe(200);
  expect((await api.ask('DELETE', `${path('v1')}/a`, undefined)).code).toBe(200);
});

test('a converter that hangs holds up those alone that need it', async () => {
  const { path, thing } = await define();
  await api.make(path('v1'), thing('v1', 'a', 'h'));
  answer = () => 'hang';
  let answered = false;
  const waiting = Promise.all(Array.from({ length: 20 }, () => api.get(`${path('v2')}/a`))).finally(() => (answered = true));
  while (reviews.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let i = 0; i < 50; i++) expect((await api.get(`${path('v1')}/a`)).code).toBe(200);
  expect((await api.ask('POST', path('v1'), thing('v1', 'b', 'h'))).code).toBe(201);
  expect(answered).toBe(false);
  remote.closeAllConnections();
  for (const { code, body } of await waiting) expect([code, body['message']]).toEqual([500, expect.stringContaining(': EOF')]);
});
