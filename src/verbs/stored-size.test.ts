// Put to a real server as well (REFERENCE_SERVER), which must answer the same to the byte.
import { expect, test } from 'vitest';
import { applyPatch, apiUnderTest, jsonPatch, mergePatch } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const templates = async () => `/api/v1/namespaces/${await api.namespace()}/podtemplates`;

/** Stored, it has some hundred bytes more than its one variable. */
function template(name: string, bytes: number, labels: object = {}): object {
  const env = [{ name: 'A', value: 'x'.repeat(bytes) }];
  return { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name, labels }, template: { spec: { containers: [{ name: 'c', image: 'i', env }] } } };
}

const namespaceIn = (path: string) => path.split('/')[4] ?? '';
const tooLarge = 'etcdserver: request is too large';
const create = async (name: string, bytes: number, query = '', at?: string) => api.ask('POST', `${at ?? (await templates())}${query}`, template(name, bytes));

test('an object that etcd takes is stored, a larger one is refused in its words', async () => {
  expect((await create('fits', 1_571_000)).code).toBe(201);
  const { code, body } = await create('large', 1_573_000);
  expect({ code, body }).toEqual({ code: 500, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: tooLarge, code: 500 } });
});

test('what is nearly too large is stored without managedFields', async () => {
  const { body: tracked } = await create('tracked', 1_571_900);
  expect(tracked.metadata.managedFields).toHaveLength(1);
  const { code, body: bare } = await create('bare', 1_572_300);
  expect([code, bare.metadata.managedFields]).toEqual([201, undefined]);
});

test('the limit is that of etcd, give or take the number of its request', async () => {
  const path = await templates();
  let [fits, refused] = [1_571_000, 1_573_000];
  while (refused - fits > 1) {
    const middle = (fits + refused) >> 1;
    const { code } = await create(`n${middle}`, middle, '', path);
    if (code === 201) fits = middle;
    else refused = middle;
  }
  // The namespace stands in the object and twice in the request.
  expect(Math.abs(fits + 3 * namespaceIn(path).length - 1_572_495)).toBeLessThanOrEqual(1);
});

test('what no client of etcd would send is refused with its size', async () => {
  const path = await templates();
  const { code, body } = await create('huge', 2_500_000, '', path);
  const size = 2_500_348 + 3 * namespaceIn(path).length;
  expect([code, body.message]).toEqual([500, `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. 2097152)`]);
});

test('every way to write is limited', async () => {
  const all = await templates();
  const path = `${all}/grows`;
  expect((await create('grows', 1_000_000, '', all)).code).toBe(201);
  const grown = { template: { spec: { containers: [{ name: 'c', image: 'y'.repeat(1_600_000) }] } } };
  const copy = [{ op: 'copy', from: '/template/spec/containers/0', path: '/template/spec/containers/-' }];
  const answers = [
    await api.ask('PUT', path, template('grows', 1_600_000)),
    await api.ask('PATCH', path, grown, mergePatch),
    await api.ask('PATCH', path, [...copy, { op: 'replace', path: '/template/spec/containers/1/name', value: 'd' }], jsonPatch),
    await api.ask('PATCH', `${path}?fieldManager=m&force=true`, template('grows', 1_600_000), applyPatch),
    await api.ask('PATCH', `${await templates()}/new?fieldManager=m`, template('new', 1_600_000), applyPatch),
  ];
  for (const { code, body } of answers) expect([code, body.message]).toEqual([500, tooLarge]);
});

test('a rehearsal stores nothing, so that nothing is too large for it', async () => {
  expect((await create('rehearsed', 1_600_000, '?dryRun=All')).code).toBe(201);
});

test('an apply never forgets who owns what', async () => {
  const { code, body } = await api.ask('PATCH', `${await templates()}/close?fieldManager=m`, template('close', 1_572_300), applyPatch);
  expect([code, body.message]).toEqual([500, tooLarge]);
});
