import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiGroups } from '#kinds/api-groups.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { openApiVocabulary } from '#kinds/openapi-vocabulary.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { defineResource } from '#resource/definition.ts';
import { embedded, ref, rootStruct } from '#schema/build.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { type OpenApiHandlers, openApiHandlers } from '#server/openapi/serve.ts';

const now = new Date('2026-11-16T00:42:34.567Z');

let catalog: ResourceCatalog;
let handlers: OpenApiHandlers;
beforeEach(() => {
  catalog = new ResourceCatalog(builtinResources, { priorities: apiGroups });
  handlers = openApiHandlers(catalog, openApiVocabulary, { clock: { now: () => now } });
});

interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

async function request(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { code, headers: answered, chunks } = await callInProcess(handlers.handle, { method, path, headers });
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return { code, headers: answered, body: Buffer.concat(parts) };
}

const widgets = defineResource({
  group: 'stable.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  namespaced: true,
  schema: rootStruct('', () => ({ metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)) }), {
    source: { type: 'object', description: 'A widget.', properties: { spec: { type: 'object', properties: { size: { type: 'integer', nullable: true } } } } },
  }),
});

async function urlsInIndex(): Promise<Record<string, string>> {
  const { paths } = JSON.parse((await request('/openapi/v3')).body.toString()) as { paths: Record<string, { serverRelativeURL: string }> };
  return Object.fromEntries(Object.entries(paths).map(([name, { serverRelativeURL }]) => [name, serverRelativeURL]));
}

describe('paths', () => {
  it('are the two roots and everything below the second', () => {
    expect(['/openapi/v2', '/openapi/v3', '/openapi/v3/', '/openapi/v3/apis/apps/v1'].every(handlers.matches)).toBe(true);
    expect(['/openapi', '/openapi/v1', '/openapi/v2/', '/openapi/v2/api'].some(handlers.matches)).toBe(false);
  });
});

describe('/openapi/v3', () => {
  it('lists the documents with their tags, whatever is accepted', async () => {
    const { code, headers } = await request('/openapi/v3', { accept: 'application/yaml' });
    expect([code, headers['content-type'], headers['etag']]).toEqual([200, 'text/plain; charset=utf-8', undefined]);
    const urls = await urlsInIndex();
    expect(Object.keys(urls)).toEqual(expect.arrayContaining(['.well-known/openid-configuration', 'api', 'api/v1', 'apis/apps', 'apis/apps/v1', 'version']));
    expect(urls['apis/apps/v1']).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
  });

  it('follows the catalog, and keeps the tags of what did not change', async () => {
    const before = await urlsInIndex();
    catalog.add(widgets);
    const during = await urlsInIndex();
    expect(Object.keys(during).filter((name) => before[name] === undefined)).toEqual(['apis/stable.example.com/v1']);
    expect(during['api/v1']).toBe(before['api/v1']);
    catalog.remove(widgets);
    expect(await urlsInIndex()).toEqual(before);
  });

  it('is sent to a client that has the one of the same second', async () => {
    const { headers } = await request('/openapi/v3');
    expect((await request('/openapi/v3', { 'if-modified-since': headers['last-modified'] ?? '' })).code).toBe(200);
  });
});

describe('/openapi/v3/<document>', () => {
  it('has a tag that is the hash of the JSON form, and is the same in protobuf', async () => {
    const json = await request('/openapi/v3/apis/apps/v1');
    const protobuf = await request('/openapi/v3/apis/apps/v1', { accept: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf' });
    expect(json.headers['etag']).toBe(`"${createHash('sha512').update(json.body).digest('hex').toUpperCase()}"`);
    expect(protobuf.headers['etag']).toBe(json.headers['etag']);
    expect(protobuf.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
    expect(protobuf.body.subarray(0, 7).toString()).toBe('\n\x053.0.0');
    expect(json.headers['last-modified']).toBe('Mon, 16 Nov 2026 00:42:34 GMT');
  });

  it('may be kept for a year under the URL of the index', async () => {
    const { code, headers } = await request((await urlsInIndex())['api/v1'] ?? '');
    expect([code, headers['cache-control'], headers['expires']]).toEqual([200, 'public, immutable', 'Tue, 16 Nov 2027 00:42:34 UTC']);
  });

  it('redirects from an outdated hash', async () => {
    const { code, headers, body } = await request('/openapi/v3/api/v1?hash=ABC');
    expect([code, headers['location'], body.length]).toEqual([301, (await urlsInIndex())['api/v1'], 0]);
  });

  it('is not sent to a client that has it', async () => {
    const { headers } = await request('/openapi/v3/version');
    const again = await request('/openapi/v3/version', { 'if-none-match': `"other", W/${headers['etag']}` });
    expect([again.code, again.body.length, again.headers['content-type'] || 'none']).toEqual([304, 0, 'none']);
    expect((await request('/openapi/v3/version', { 'if-modified-since': headers['last-modified'] ?? '' })).code).toBe(304);
    expect((await request('/openapi/v3/version', { 'if-none-match': '"other"' })).code).toBe(200);
    expect((await request('/openapi/v3/version', { 'if-match': '"other"' })).code).toBe(412);
  });

  it('can be read in parts', async () => {
    const part = await request('/openapi/v3/version', { range: 'bytes=1-9' });
    expect([part.code, part.body.toString(), part.headers['content-range']?.replace(/\d+$/, 'n')]).toEqual([206, '"openapi"', 'bytes 1-9/n']);
    expect((await request('/openapi/v3/version', { range: 'bytes=9999999-' })).code).toBe(416);
    expect((await request('/openapi/v3/version', { range: 'bytes=-2' })).body.toString()).toBe('}}');
  });

  it.each([
    ['/openapi/v3/apis/nope/v1', '*/*', 404],
    ['/openapi/v3/apis/nope', '*/*', 404],
    ['/openapi/v3/', '*/*', 404],
    ['/openapi/v3/api/v1', 'text/html', 406],
    ['/openapi/v3/api/v1', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', 406],
    ['/openapi/v2', 'application/yaml', 406],
  ])('refuses %s as %s with an empty %i', async (path, accept, expected) => {
    const { code, headers, body } = await request(path, { accept });
    expect([code, headers['content-type'] || 'none', body.length]).toEqual([expected, 'none', 0]);
  });

  it('describes a custom resource with what its author wrote', async () => {
    catalog.add(widgets);
    const document = JSON.parse((await request('/openapi/v3/apis/stable.example.com/v1')).body.toString());
    const schema = document.components.schemas['com.example.stable.v1.Widget'];
    expect(schema.description).toBe('A widget.');
    expect(schema.properties.spec.properties.size).toEqual({ type: 'integer', nullable: true });
    expect(schema.properties.metadata.allOf).toEqual([{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }]);
    expect(Object.keys(document.paths)).toContain('/apis/stable.example.com/v1/namespaces/{namespace}/widgets/{name}');
  });
});

describe('/openapi/v2', () => {
  it('is one document of everything, compressed for those who ask', async () => {
    const plain = await request('/openapi/v2');
    const compressed = await request('/openapi/v2', { 'accept-encoding': 'deflate, gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    expect(plain.headers['vary']).toBe('Accept-Encoding, Accept');
    const { swagger, paths, definitions } = JSON.parse(plain.body.toString());
    expect([swagger, '/api/v1/pods' in paths, 'io.k8s.api.apps.v1.Deployment' in definitions]).toEqual(['2.0', true, true]);
  });

  it('loses what Swagger cannot say about custom resources', async () => {
    catalog.add(widgets);
    const { definitions } = JSON.parse((await request('/openapi/v2')).body.toString());
    expect(definitions['com.example.stable.v1.Widget'].properties.spec).toEqual({ type: 'object', properties: { size: {} } });
  });
});
