// Reading one and many: which versions are asked for, pages, selectors, and the forms an answer can have.
import { describe, expect, test } from 'vitest';
import { type ApiAnswer, apiUnderTest, mistake } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const configMaps = async () => `/api/v1/namespaces/${await api.namespace()}/configmaps`;
const names = ({ body }: ApiAnswer) => body.items.map(({ metadata }) => metadata.name);
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Config maps a, b, c … in a namespace of their own; every other one is green. */
async function several(count: number): Promise<string> {
  const path = await configMaps();
  for (let i = 0; i < count; i++) {
    const name = String.fromCharCode(97 + i);
    await api.make(path, { metadata: { name, labels: { colour: i % 2 === 0 ? 'green' : 'red', number: String(i) } } });
  }
  // kube-apiserver makes this one by a controller that does not run here; deleting it keeps both servers alike.
  await api.ask('DELETE', `${path}/kube-root-ca.crt`);
  return path;
}

describe('one object', () => {
  test('that is not there is 404 with the name and the resource', async () => {
    const { code, body } = await api.get(`${await configMaps()}/none`);
    expect(code).toBe(404);
    expect(body).toMatchObject({ reason: 'NotFound', message: 'configmaps "none" not found', details: { name: 'none', kind: 'configmaps' } });
  });

  test('is given for version 0, for its own version and for an older one', async () => {
    const path = await configMaps();
    const first = await api.make(path, { metadata: { name: 'a' } });
    await api.make(path, { metadata: { name: 'b' } });
    for (const version of ['', '0', first.metadata.resourceVersion]) {
      expect((await api.get(`${path}/a?resourceVersion=${version}`)).body.metadata.uid).toBe(first.metadata.uid);
    }
  });

  test('with a version that is no number is refused', async () => {
    const { code, body } = await api.get(`${await configMaps()}/a?resourceVersion=x`);
    expect([code, body.message]).toEqual([mistake, 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax']);
  });

  test('is read by the same options for its scale', async () => {
    const path = `/apis/apps/v1/namespaces/${await api.namespace()}/deployments`;
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await api.make(path, { metadata: { name: 'a' }, spec: { selector: { matchLabels: { app: 'a' } }, template } });
    expect((await api.get(`${path}/a/scale?resourceVersion=x`)).body.message).toContain('resourceVersion: Invalid value: "x"');
    expect((await api.get(`${path}/a/scale?export=true`)).code).toBe(400);
    expect((await api.get(`${path}/a/scale?resourceVersion=0`)).body.kind).toBe('Scale');
  });

  test('can be asked for as a Table and as metadata alone', async () => {
    const path = await several(1);
    const asTable = await api.get(`${path}/a`, { accept: table });
    expect(asTable.body.kind).toBe('Table');
    expect(asTable.body.rows[0]?.cells.slice(0, 2)).toEqual(['a', 0]);
    const asMetadata = await api.get(`${path}/a`, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
    expect(asMetadata.body).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } });
  });
});

describe('a list', () => {
  test('is in the order of names and has the version it was read at', async () => {
    const path = await configMaps();
    for (const name of ['b', 'a-b', 'a', 'a.b', 'aa']) await api.make(path, { metadata: { name } });
    const answer = await api.get(`${path}?labelSelector=!none`);
    expect(names(answer).filter((name) => name !== 'kube-root-ca.crt')).toEqual(['a', 'a-b', 'a.b', 'aa', 'b']);
    expect(answer.body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(answer.body.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(answer.body.items[0]).not.toHaveProperty('kind');
  });

  test('of nothing has an empty list of items', async () => {
    const { body } = await api.get(`/api/v1/namespaces/${await api.namespace()}/pods`);
    expect(body.items).toEqual([]);
  });

  test('takes label selectors of every form', async () => {
    const path = await several(4);
    const picks: Record<string, string[]> = {
      'colour=green': ['a', 'c'],
      'colour==green': ['a', 'c'],
      'colour!=green': ['b', 'd'],
      'colour in (red,blue)': ['b', 'd'],
      'colour notin (red)': ['a', 'c'],
      colour: ['a', 'b', 'c', 'd'],
      '!colour': [],
      'number>1': ['c', 'd'],
      'number<1': ['a'],
      'colour=green,number!=0': ['c'],
    };
    for (const [selector, wanted] of Object.entries(picks)) {
      expect([selector, names(await api.get(`${path}?labelSelector=${encodeURIComponent(selector)}`))]).toEqual([selector, wanted]);
    }
  });

  test('refuses selectors that cannot be read and fields that cannot be selected', async () => {
    const path = await configMaps();
    const label = await api.get(`${path}?labelSelector=a%20b`);
    expect([label.code, label.body.message]).toEqual([400, `unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt`]);
    const field = await api.get(`${path}?fieldSelector=data.x%3D1`);
    expect([field.code, field.body.message]).toEqual([400, '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"']);
  });

  test('takes the fields every kind can be selected by', async () => {
    const path = await several(3);
    expect(names(await api.get(`${path}?fieldSelector=metadata.name%3Db`))).toEqual(['b']);
    expect(names(await api.get(`${path}?fieldSelector=metadata.name!%3Db`))).toEqual(['a', 'c']);
    expect(names(await api.get(`/api/v1/configmaps?fieldSelector=metadata.name%3Db,metadata.namespace%3D${path.split('/')[4]}`))).toEqual(['b']);
  });

  test('in pages is the list of one moment, whatever is written in between', async () => {
    const path = await several(5);
    const first = await api.get(`${path}?limit=2`);
    expect(names(first)).toEqual(['a', 'b']);
    expect(first.body.metadata.remainingItemCount).toBe(3);
    await api.ask('DELETE', `${path}/d`);
    await api.make(path, { metadata: { name: 'cc' } });
    const second = await api.get(`${path}?limit=2&continue=${first.body.metadata.continue}`);
    const third = await api.get(`${path}?limit=2&continue=${second.body.metadata.continue}`);
    expect([...names(second), ...names(third)]).toEqual(['c', 'd', 'e']);
    expect(new Set([first, second, third].map(({ body }) => body.metadata.resourceVersion)).size).toBe(1);
    expect(third.body.metadata).not.toHaveProperty('continue');
  });

  test('in pages with a selector does not count what remains', async () => {
    const { body } = await api.get(`${await several(4)}?limit=1&labelSelector=colour%3Dgreen`);
    expect(body.metadata.continue).toBeTruthy();
    expect(body.metadata).not.toHaveProperty('remainingItemCount');
  });

  test('refuses a token that is none, and a version beside a token', async () => {
    const path = await several(2);
    const garbage = await api.get(`${path}?limit=1&continue=e30`);
    expect([garbage.code, garbage.body.message]).toEqual([
      400,
      'invalid continue token: continue key is not valid: server does not recognize this encoded version ',
    ]);
    const { body } = await api.get(`${path}?limit=1`);
    const both = await api.get(`${path}?limit=1&resourceVersion=1&continue=${body.metadata.continue}`);
    expect([both.code, both.body.message]).toEqual([400, 'specifying resource version is not allowed when using continue']);
  });

  test('from a token of a version that has not come waits for it, and is then told to come back', async () => {
    const path = await several(2);
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":9223372036854775807,"start":"a"}').toString('base64url');
    const { code, headers, body } = await api.get(`${path}?continue=${token}`);
    expect([code, headers['retry-after']]).toEqual([504, '1']);
    expect(body.message).toMatch(/^Timeout: Too large resource version: 9223372036854775807, current: \d+$/);
    expect(body.details).toMatchObject({ causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 });
  });

  test('of all namespaces is in the order of keys: where a name begins another, the slash behind it decides', async () => {
    const first = await api.namespace();
    const all = [first, `${first}-b`, `${first}0`];
    for (const name of all.slice(1)) await api.make('/api/v1/namespaces', { metadata: { name } });
    for (const name of all) await api.make(`/api/v1/namespaces/${name}/secrets`, { metadata: { name: 'x', labels: { ordered: first } } });
    const inOrder = [`${first}-b`, first, `${first}0`];
    const namespaces = ({ body }: ApiAnswer) => body.items.map(({ metadata }) => metadata.namespace);
    expect(namespaces(await api.get(`/api/v1/secrets?labelSelector=ordered=${first}`))).toEqual(inOrder);
    expect(namespaces(await api.get(`/api/v1/secrets?labelSelector=ordered=${first}&resourceVersion=0`))).toEqual(inOrder);
    const paged = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page: ApiAnswer = await api.get(`/api/v1/secrets?labelSelector=ordered=${first}&limit=1&continue=${next}`);
      paged.push(...namespaces(page));
      next = page.body.metadata.continue;
    }
    expect(paged).toEqual(inOrder);
    expect(namespaces(await api.get('/api/v1/secrets')).filter((name) => name.startsWith(first))).toEqual(inOrder);
    const watch = await api.watch(`/api/v1/secrets?watch=true&labelSelector=ordered=${first}`);
    expect((await watch.next(3)).map(({ object }) => object.metadata.namespace)).toEqual(inOrder);
    watch.close();
  });

  test('at an exact version shows what was there then', async () => {
    const path = await several(2);
    const { metadata } = (await api.get(path)).body;
    await api.ask('DELETE', `${path}/a`);
    expect(names(await api.get(`${path}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`))).toEqual(['a', 'b']);
    expect(names(await api.get(`${path}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`))).toEqual(['b']);
    expect(names(await api.get(`${path}?resourceVersion=0`))).toEqual(['b']);
  });

  test('refuses combinations of version and match that mean nothing', async () => {
    const path = await configMaps();
    const messages: Record<string, string> = {
      'resourceVersionMatch=Exact': 'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      'resourceVersion=0&resourceVersionMatch=Exact': 'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      'resourceVersion=1&resourceVersionMatch=Some': 'resourceVersionMatch: Unsupported value: "Some": supported values: "Exact", "NotOlderThan", ""',
    };
    for (const [query, message] of Object.entries(messages)) {
      const { code, body } = await api.get(`${path}?${query}`);
      expect([query, code, body.message]).toEqual([query, 422, `ListOptions.meta.k8s.io "" is invalid: ${message}`]);
    }
  });

  test('of Events is in pages at version 0 too, and refuses versions to come at once: the original has no cache of them', async () => {
    const path = `/api/v1/namespaces/${await api.namespace()}/events`;
    for (const name of ['a', 'b', 'c']) {
      await api.make(path, { metadata: { name }, involvedObject: { kind: 'Pod', namespace: path.split('/')[4], name: 'p' }, reason: 'r' });
    }
    const page = await api.get(`${path}?limit=2&resourceVersion=0`);
    expect([names(page), page.body.metadata.remainingItemCount]).toEqual([['a', 'b'], 1]);
    for (const at of [path, `${path}/a`]) {
      const { code, body } = await api.get(`${at}?resourceVersion=999999999`);
      expect(code).toBe(504);
      expect(body.details).not.toHaveProperty('retryAfterSeconds');
    }
  });

  test('as a Table has a row for each object, and metadata of it', async () => {
    const { body } = await api.get(`${await several(3)}?limit=2`, { accept: table });
    expect(body.rows.map((row) => row.cells[0])).toEqual(['a', 'b']);
    expect(body.rows[0]?.object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
    expect(body.metadata.continue).toBeTruthy();
  });

  test('that cannot be read is refused before one that makes no sense', async () => {
    const { code, body } = await api.get(`${await configMaps()}?labelSelector=a%20b&resourceVersionMatch=Exact`);
    expect([code, body.message]).toEqual([400, `unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt`]);
  });

  test('is no single object, and a single object no list', async () => {
    const path = await several(1);
    const single = await api.get(path, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
    expect([single.code, single.body.message]).toEqual([406, 'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)']);
    const many = await api.get(`${path}/a`, { accept: partial });
    expect([many.code, many.body.message]).toEqual([406, 'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)']);
  });

  test('as metadata has nothing but metadata', async () => {
    const { body } = await api.get(await several(2), { accept: partial });
    expect(body).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(Object.keys(body.items[0] ?? {})).toEqual(['kind', 'apiVersion', 'metadata']);
  });

  test('leaves out of metadata the annotation that stands for a field', async () => {
    const path = `/apis/apps/v1/namespaces/${await api.namespace()}/daemonsets`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await api.make(path, { metadata: { name: 'a', annotations: { x: 'y' } }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    const whole = await api.get(`${path}/a`);
    expect(whole.body.metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': '1', x: 'y' });
    const { body } = await api.get(path, { accept: partial });
    expect(body.items).toMatchObject([{ metadata: { annotations: { x: 'y' } } }]);
    expect(JSON.stringify(body.items)).not.toContain('"deprecated.daemonset.template.generation":"');
  });

  test('of all namespaces holds each of them', async () => {
    const [one, two] = [await several(1), await several(1)];
    const { body } = await api.get('/api/v1/configmaps?labelSelector=number%3D0');
    const found = new Set(body.items.map(({ metadata }) => metadata.namespace));
    expect(found).toContain(one.split('/')[4]);
    expect(found).toContain(two.split('/')[4]);
  });
});

describe('a path', () => {
  test('leads nowhere behind a subresource, nor through the proxy of old', async () => {
    const pods = `/api/v1/namespaces/${await api.namespace()}/pods`;
    for (const path of [`${pods}/x/status/y`, `${pods}/x/log/y/z`, pods.replace('/v1/', '/v1/proxy/')]) {
      const { code, body } = await api.get(path);
      expect([path, code, body.message]).toEqual([path, 404, 'the server could not find the requested resource']);
    }
  });

  test('of a kind that is going away is answered with a warning, whatever the answer is', async () => {
    const path = `/api/v1/namespaces/${await api.namespace()}/endpoints`;
    const warning = '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"';
    expect((await api.get(path)).headers['warning']).toBe(warning);
    expect((await api.get(`${path}?watch=1&timeoutSeconds=1`)).headers['warning']).toBe(warning);
    expect(await api.get(path, { accept: 'application/json;as=Nothing' })).toMatchObject({ code: 406, headers: { warning } });
  });
});

test('numbers and pairs of the query are read as Go reads them', async () => {
  const path = `/api/v1/namespaces/${await api.namespace()}/configmaps`;
  expect((await api.get(`${path}?limit=9223372036854775808`)).body.message).toBe('strconv.ParseInt: parsing "9223372036854775808": value out of range');
  expect((await api.get(`${path}?limit=9223372036854775807`)).code).toBe(200);
  expect((await api.get(`${path}?limit=x;y=1`)).code).toBe(200);
});
