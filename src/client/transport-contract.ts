// What holds for every transport, against a server that serves the API at the other end.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAll, type Transport } from '#client/transport.ts';

/** Opens a transport to a fresh server, as an administrator; closing it waits for every request that still runs. */
export type OpenTransport = () => Promise<{ readonly transport: Transport } & AsyncDisposable>;

const maps = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };

export function transportContract(name: string, open: OpenTransport): void {
  describe(`${name} keeps the contract of transports`, () => {
    let server: Awaited<ReturnType<OpenTransport>>;
    beforeAll(async () => {
      server = await open();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test('brings code, headers and body of an answer', async () => {
      const answer = await server.transport({ method: 'GET', path: '/api/v1/namespaces/default' });
      expect([answer.code, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(JSON.parse((await readAll(answer)).toString()).metadata.name).toBe('default');
    });

    test('sends a body, and brings refusals as answers', async () => {
      const create = () => server.transport({ method: 'POST', path: maps, headers: json, body: '{"metadata":{"name":"a"},"data":{"k":"é"}}' });
      const made = await create();
      expect([made.code, JSON.parse((await readAll(made)).toString()).data]).toEqual([201, { k: 'é' }]);
      expect((await create()).code).toBe(409);
      const gone = await server.transport({ method: 'DELETE', path: `${maps}/a`, headers: json, body: '{"propagationPolicy":"Background"}' });
      expect(gone.code).toBe(200);
    });

    test('brings of an object that was made at least what names it, where no more is wanted', async () => {
      const body = '{"metadata":{"generateName":"brief-"},"data":{"k":"v"}}';
      const made = await server.transport({ method: 'POST', path: maps, headers: json, body, brief: true });
      const { metadata } = JSON.parse((await readAll(made)).toString());
      expect(made.code).toBe(201);
      const stored = JSON.parse((await readAll(await server.transport({ method: 'GET', path: `${maps}/${metadata.name}` }))).toString());
      const { name, namespace, uid, resourceVersion } = stored.metadata;
      expect(metadata).toMatchObject({ name, namespace, uid, resourceVersion });
      const again = await server.transport({ method: 'POST', path: maps, headers: json, body: JSON.stringify({ metadata: { name } }), brief: true });
      expect([again.code, JSON.parse((await readAll(again)).toString()).reason]).toEqual([409, 'AlreadyExists']);
    });

    test('brings warnings', async () => {
      const answer = await server.transport({
        method: 'POST',
        path: `${maps}?fieldValidation=Warn`,
        headers: json,
        body: '{"metadata":{"name":"warned"},"x":1}',
      });
      expect(answer.headers['warning']).toBe('299 - "unknown field \\"x\\""');
    });

    test('sends several values of a header one by one', async () => {
      const headers = { ...json, 'impersonate-user': 'x', 'impersonate-group': ['one', 'two'] };
      const body = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
      const answer = await server.transport({ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', headers, body });
      const { status } = JSON.parse((await readAll(answer)).toString());
      // In process there is no impersonation: then the question is who the server itself is.
      if (status.userInfo.username === 'x') expect(status.userInfo.groups).toEqual(['one', 'two', 'system:authenticated']);
      else expect(status.userInfo.username).toBe('system:apiserver');
    });

    test('streams: what happens arrives while the answer is still open', async () => {
      const stop = new AbortController();
      const watch = await server.transport({
        method: 'GET',
        path: `${maps}?watch=true&resourceVersion=0&fieldSelector=metadata.name%3Dwatched`,
        signal: stop.signal,
      });
      const frames = watch.chunks[Symbol.asyncIterator]();
      await readAll(await server.transport({ method: 'POST', path: maps, headers: json, body: '{"metadata":{"name":"watched"}}' }));
      const { value } = await frames.next();
      expect(JSON.parse(Buffer.from(value ?? '').toString())).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'watched' } } });
      stop.abort(new Error('enough'));
      await expect(frames.next()).rejects.toThrow();
    });

    test('a signal that has aborted means no request', async () => {
      const request = { method: 'POST', path: maps, headers: json, body: '{"metadata":{"name":"late"}}' } as const;
      await expect(server.transport({ ...request, signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
      expect((await server.transport({ method: 'GET', path: `${maps}/late` })).code).toBe(404);
    });

    test('whoever stops reading ends the watch', async () => {
      const watch = await server.transport({ method: 'GET', path: '/api/v1/namespaces?watch=true&resourceVersion=0' });
      for await (const chunk of watch.chunks) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      // The server would wait for an open watch when it closes.
    });

    test('serves many requests at once', async () => {
      const paths = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? '/api/v1/namespaces/default' : '/version'));
      const answers = await Promise.all(paths.map(async (path) => JSON.parse((await readAll(await server.transport({ method: 'GET', path }))).toString())));
      expect(answers.filter(({ metadata }) => metadata?.name === 'default')).toHaveLength(25);
      expect(answers.filter(({ major }) => major === '1')).toHaveLength(25);
    });
  });
}
