import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnoseCbor, encodeCbor } from '#schema/cbor/cbor.ts';
import { itemEnd } from '#schema/cbor/item-end.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';
import { http1Client, type WireClient } from '../../../test/support/wire-clients.ts';

const maps = '/api/v1/namespaces/default/configmaps';

class CborClient implements AsyncDisposable {
  readonly #server: ServerInTest;
  readonly #wire: WireClient;

  constructor(server: ServerInTest) {
    this.#server = server;
    this.#wire = http1Client(server.server.port, { ca: server.server.certificates.servingCa ?? '' });
  }

  async ask(
    method: string,
    path: string,
    { body, type = 'application/cbor', accept = 'application/cbor' }: { body?: Buffer; type?: string; accept?: string } = {},
  ) {
    const headers = {
      authorization: `Bearer ${this.#server.tokenOf('admin')}`,
      accept,
      ...(body && { 'content-type': type, 'content-length': String(body.length) }),
    };
    const answer = await this.#wire.ask({ method, path, headers, ...(body && { body }) });
    const contentType = String(answer.headers['content-type']);
    return { code: answer.code, contentType, bytes: answer.body, shown: contentType.includes('cbor') ? diagnoseCbor(answer.body) : answer.body.toString() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

const sent = (object: object): { body: Buffer } => ({ body: encodeCbor(undefined, object) });

describe('with the gate CBORServingAndStorage', () => {
  let client: CborClient;

  beforeAll(async () => {
    client = new CborClient(await ServerInTest.start({ flags: ['--feature-gates=CBORServingAndStorage=true'] }));
  });

  afterAll(() => client[Symbol.asyncDispose]());

  test('an object is created and read', async () => {
    expect(await client.ask('POST', maps, sent({ metadata: { name: 'one' }, data: { a: 'b' } }))).toMatchObject({ code: 201, contentType: 'application/cbor' });
    const { shown } = await client.ask('GET', `${maps}/one`);
    expect(shown).toMatch(/^55799\(\{'data': \{'a': 'b'\}, 'kind': 'ConfigMap', /);
  });

  test('errors come as CBOR from resources, and not before one is found', async () => {
    expect(await client.ask('GET', `${maps}/nope`)).toMatchObject({ code: 404, contentType: 'application/cbor' });
    expect(await client.ask('GET', '/api/v1/nopes')).toMatchObject({ code: 404, contentType: 'application/json' });
    expect((await client.ask('POST', maps, sent({ data: { a: 5 } }))).shown).toContain(
      '\'ConfigMap in version "v1" cannot be handled as a ConfigMap: cbor: cannot unmarshal positive integer into Go struct field v1.ConfigMap.data of type string\'',
    );
  });

  test('a long list is the same as its slices', async () => {
    for (let i = 0; i < 120; i++)
      await client.ask('POST', maps, sent({ metadata: { name: `many-${i}`, labels: { many: 'yes' } }, data: { text: 'x'.repeat(1000) } }));
    const { bytes, shown } = await client.ask('GET', `${maps}?labelSelector=many=yes`);
    expect(itemEnd(bytes, 0)).toBe(bytes.length);
    expect(shown.match(/'name': 'many-/g)).toHaveLength(120);
  });

  test('a watch is a sequence of events', async () => {
    const path = `${maps}?watch=1&timeoutSeconds=1&labelSelector=many=yes`;
    const { code, contentType, bytes } = await client.ask('GET', path);
    expect({ code, contentType }).toEqual({ code: 200, contentType: 'application/cbor-seq' });
    const first = bytes.subarray(0, itemEnd(bytes, 0));
    expect(diagnoseCbor(first)).toMatch(/^55799\(\{'type': 'ADDED', 'object': 55799\(\{'data'/);
    let events = 0;
    for (let at = 0; at < bytes.length; at = itemEnd(bytes, at)) events++;
    expect(events).toBe(120);
  });

  test('an apply patch may be CBOR', async () => {
    const body = encodeCbor(undefined, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'applied' }, data: { a: 'b' } });
    const path = `${maps}/applied?fieldManager=test`;
    expect((await client.ask('PATCH', path, { body, type: 'application/apply-patch+cbor' })).code).toBe(201);
    expect((await client.ask('PATCH', path, { body, type: 'application/merge-patch+cbor' })).code).toBe(415);
  });

  test('Tables, groups and versions know no CBOR, lists of resources do', async () => {
    expect((await client.ask('GET', maps, { accept: 'application/cbor;as=Table;v=v1;g=meta.k8s.io' })).code).toBe(406);
    expect((await client.ask('GET', '/apis')).code).toBe(406);
    expect(await client.ask('GET', '/apis/apps/v1')).toMatchObject({ code: 200, contentType: 'application/cbor' });
  });
});

describe('without the gate', () => {
  test('nobody is told of CBOR', async () => {
    await using client = new CborClient(await ServerInTest.start());
    const accepted = 'application/json, application/yaml, application/vnd.kubernetes.protobuf"';
    for (const [method, path, options] of [
      ['GET', maps, {}],
      ['POST', maps, { ...sent({}), accept: 'application/json' }],
      ['GET', '/apis/apps/v1', {}],
    ] as const) {
      const { code, shown } = await client.ask(method, path, options);
      expect([406, 415]).toContain(code);
      expect(shown).not.toContain('cbor');
      expect(shown).toMatch(path === maps && method === 'GET' ? /stream=watch"/ : new RegExp(accepted.replaceAll('.', '\\.')));
    }
    const body = Buffer.from('a0', 'hex');
    expect(await client.ask('PATCH', `${maps}/a?fieldManager=x`, { body, type: 'application/apply-patch+cbor', accept: 'application/json' })).toMatchObject({
      code: 415,
    });
  });
});
