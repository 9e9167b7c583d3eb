// Streams through the aggregator: upgrades, watches, large bodies, trailers, and requests that are given up. Put to a real kube-apiserver as well
// (REFERENCE_SERVER, started with --enable-aggregator-routing=false).
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { apiUnderTest } from '../../test/support/api-under-test.ts';
import { apiServices, ExtensionServerInTest, until, untilAvailable } from '../../test/support/extension-server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const api = apiUnderTest();
const extension = new ExtensionServerInTest();
let group = '';
let name = '';

beforeAll(async () => {
  await extension.start();
  ({ group, name } = await extension.register(api));
  await untilAvailable(api, { group, name });
});
beforeEach(() => {
  extension.asked.length = 0;
});
afterAll(async () => {
  await api.ask('DELETE', `${apiServices}/${name}`);
  await extension.stop();
});

const at = (path: string) => `/apis/${group}/v1/${path}`;

function lastAsked(path: string): IncomingMessage | undefined {
  return extension.asked.findLast(({ url }) => url?.split('?')[0] === at(path));
}

describe('upgrades', () => {
  test('a WebSocket speaks with the extension server, in the name of the caller', async () => {
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v4.channel.k8s.io' });
    let head: IncomingMessage['headers'] = {};
    extension.onUpgrade = (request, socket) => {
      head = request.headers;
      sockets.handleUpgrade(request, socket, Buffer.alloc(0), (client) => {
        client.on('message', (data, isBinary) => client.send(Buffer.concat([Buffer.from('> '), data as Buffer]), { binary: isBinary }));
      });
    };
    const socket = new WebSocket(`${api.url.replace('https', 'wss')}${at('shell')}?command=sh`, ['v4.channel.k8s.io'], {
      headers: { authorization: `Bearer ${api.token}`, 'x-remote-user': 'somebody', 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' },
      rejectUnauthorized: false,
    });
    await once(socket, 'open');
    const large = Buffer.alloc(1_000_000, 'x');
    socket.send(large);
    const [answer] = (await once(socket, 'message')) as [Buffer];
    expect([socket.protocol, answer.length, answer.subarray(0, 4).toString()]).toEqual(['v4.channel.k8s.io', large.length + 2, '> xx']);
    expect([head['x-remote-user'], head['authorization'], head['impersonate-user']]).toEqual(['jane', undefined, undefined]);
    const closed = once(socket, 'close');
    socket.close(1000);
    await closed;
  });

  test('any other protocol is passed on byte by byte, and its end as well', async () => {
    extension.onUpgrade = (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n');
      let received = '';
      socket.on('data', (data: Buffer) => {
        received += data.toString();
        if (received === 'hello') socket.end('goodbye');
      });
    };
    const { head, socket } = await api.upgrade(at('exec'), { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' });
    expect([head.statusCode, head.headers.upgrade, head.headers['x-stream-protocol-version']]).toEqual([101, 'SPDY/3.1', 'v4.channel.k8s.io']);
    socket.write('hello');
    expect(await textOf(socket)).toBe('goodbye');
  });

  test('one that the extension server refuses is an answer, and no connection is left', async () => {
    let left: Duplex | undefined;
    extension.onUpgrade = (_, socket) => {
      left = socket;
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nnever');
    };
    const { head, socket } = await api.upgrade(at('exec'), { connection: 'Upgrade', upgrade: 'SPDY/3.1' });
    expect(head.statusCode).toBe(403);
    socket.destroy();
    await until(async () => left?.destroyed);
  });
});

describe('bodies', () => {
  test('a large one goes there and comes back as it is', async () => {
    const sent = 'body '.repeat(2_000_000);
    extension.answers.set(at('echo'), (request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      request.pipe(response);
    });
    const { code, text } = await api.ask('POST', at('echo'), sent, { type: 'application/octet-stream' });
    expect([code, text.length, text === sent]).toEqual([200, sent.length, true]);
  });

  test('a watch is told event by event, and giving it up ends it there too', async () => {
    let end = false;
    extension.answers.set(at('watched'), (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"type":"ADDED","object":{}}\n');
      request.on('close', () => (end = true));
    });
    const watch = await api.watch(`${at('watched')}?watch=1`);
    expect([watch.code, (await watch.next(1))[0]?.type]).toEqual([200, 'ADDED']);
    watch.close();
    await until(async () => end);
  });

  test('trailers come after the body', async () => {
    extension.answers.set(at('trailed'), (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', trailer: 'X-Check' });
      response.write('body');
      response.addTrailers({ 'X-Check': 'done' });
      response.end();
    });
    const { text, trailers } = await api.raw('GET', at('trailed'));
    expect([text, trailers['x-check']]).toEqual(['body', 'done']);
  });

  test('an answer that is cut short is cut short for the client, too', async () => {
    extension.answers.set(at('cut'), (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    await expect(api.raw('GET', at('cut'))).rejects.toThrow();
  });

  test('a server that hangs up without an answer is unreachable', async () => {
    extension.answers.set(at('gone'), (request) => request.socket.destroy());
    const { code, text, headers } = await api.raw('GET', at('gone'));
    expect([code, text, headers['content-type']]).toEqual([503, 'error trying to reach service: EOF\n', 'text/plain; charset=utf-8']);
  });
});

describe('heads', () => {
  test('who asks is said by this server alone', async () => {
    await api.raw('GET', at('who'), {
      'x-remote-user': 'root',
      'X-Remote-Group': 'system:masters',
      'x-remote-uid': '0',
      'x-remote-extra-scopes': 'all',
      'impersonate-user': 'jane',
      'impersonate-group': 'system:masters',
      'impersonate-extra-acme.com%2Fproject': 'one',
    });
    const { headers } = lastAsked('who') ?? {};
    expect(headers).toMatchObject({ 'x-remote-user': 'jane', 'x-remote-extra-acme.com%2fproject': 'one' });
    expect(String(headers?.['x-remote-group'])).toBe('system:masters, system:authenticated');
    for (const gone of ['x-remote-uid', 'x-remote-extra-scopes', 'authorization', 'impersonate-user', 'impersonate-group'])
      expect(headers).not.toHaveProperty(gone);
  });

  test('what concerns one connection stays there', async () => {
    extension.answers.set(at('hops'), (_, response) => {
      response.writeHead(200, {
        'content-type': 'text/plain',
        connection: 'close, X-Private',
        'x-private': 'secret',
        'x-public': 'seen',
        'keep-alive': 'timeout=1',
      });
      response.end('fine');
    });
    const { headers } = await api.raw('GET', at('hops'), {
      connection: 'keep-alive, X-Own',
      'x-own': 'mine',
      'x-other': 'passed',
      'proxy-authorization': 'Basic x',
    });
    const sent = lastAsked('hops')?.headers ?? {};
    expect([sent['x-own'], sent['x-other'], sent['proxy-authorization']]).toEqual([undefined, 'passed', undefined]);
    expect([headers['x-private'], headers['x-public'], headers['keep-alive'] === 'timeout=1']).toEqual([undefined, 'seen', false]);
  });
});

async function textOf(socket: Duplex): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
