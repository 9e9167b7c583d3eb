import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';
import { HttpsTransport, type HttpsTransportOptions } from '#client/https-transport.ts';
import { fixedIdentity, type Identity } from '#client/identity.ts';
import { readAll } from '#client/transport.ts';
import { transportContract } from '#client/transport-contract.ts';

async function overTls(options: Partial<HttpsTransportOptions> = {}) {
  const server = await ServerInTest.start();
  const https = new HttpsTransport({
    server: server.server.url,
    ca: server.server.certificates.servingCa ?? '',
    identity: fixedIdentity({ token: server.tokenOf('admin') }),
    ...options,
  });
  return {
    transport: https.send,
    server,
    async [Symbol.asyncDispose]() {
      await https[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

transportContract('the transport over TLS', overTls);

const authority = new TestAuthority();

/** A server that says what it was asked. */
async function strange(listener: RequestListener, names = ['127.0.0.1']) {
  const { cert, key } = authority.issue({ commonName: 'strange' }, { usage: 'server', names });
  const server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ask = (https: HttpsTransport, path = '/x') => https.send({ method: 'GET', path });

describe('the transport over TLS', () => {
  test('shows a client certificate, from which the server knows who asks', async () => {
    await using started = await overTls();
    const { certificates, url } = started.server.server;
    const identity = fixedIdentity({ cert: certificates.admin?.cert ?? '', key: certificates.admin?.key ?? '' });
    await using https = new HttpsTransport({ server: url, ca: certificates.servingCa ?? '', identity });
    expect((await ask(https, '/api/v1/secrets')).code).toBe(200);
  });

  test('a server whose certificate is not of the authority is not spoken to', async () => {
    let asked = 0;
    await using server = await strange((_, response) => response.end(String(++asked)));
    await using https = new HttpsTransport({ server: server.url, ca: new TestAuthority('other').cert });
    await expect(ask(https)).rejects.toThrow();
    await using trusting = new HttpsTransport({ server: server.url, insecureSkipTlsVerify: true });
    expect((await readAll(await ask(trusting))).toString()).toBe('1');
  });

  test('the certificate may have another name than the host when that name is given', async () => {
    await using server = await strange((_, response) => response.end(), ['kubernetes.default']);
    await using strict = new HttpsTransport({ server: server.url, ca: authority.cert });
    await expect(ask(strict)).rejects.toThrow();
    await using named = new HttpsTransport({ server: server.url, ca: authority.cert, serverName: 'kubernetes.default' });
    expect((await ask(named)).code).toBe(200);
  });

  test('a redirect is not followed: nobody else sees the token', async () => {
    const seen: string[] = [];
    await using other = await strange((request, response) => response.end(String(seen.push(request.url ?? ''))));
    await using server = await strange((_, response) => response.writeHead(307, { location: `${other.url}/stolen` }).end());
    await using https = new HttpsTransport({ server: server.url, ca: authority.cert, identity: fixedIdentity({ token: 'secret' }) });
    expect((await ask(https)).code).toBe(307);
    expect(seen).toEqual([]);
  });

  test('keeps connections: most requests need no handshake', async () => {
    const ports = new Set<number | undefined>();
    await using server = await strange((request, response) => response.end(String(ports.add(request.socket.remotePort))));
    await using https = new HttpsTransport({ server: server.url, ca: authority.cert });
    for (let i = 0; i < 20; i++) await readAll(await ask(https));
    // A second one is opened when the first is not quite through with its answer.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  test('a new client certificate is used for the next request, a refused one is reported', async () => {
    const subjects: string[] = [];
    await using server = await strange((request, response) => {
      const { raw } = (request.socket as TLSSocket).getPeerCertificate();
      subjects.push(new X509Certificate(raw).subject);
      response.writeHead(401).end();
    });
    const pair = (commonName: string): Identity => authority.issue({ commonName }, { usage: 'client' });
    let identity = pair('first');
    let refusals = 0;
    const source = { current: async () => identity, refused: () => void refusals++ };
    await using https = new HttpsTransport({ server: server.url, ca: authority.cert, identity: source });
    await readAll(await ask(https));
    identity = pair('second');
    await readAll(await ask(https));
    expect(subjects).toEqual(['CN=first', 'CN=second']);
    expect(refusals).toBe(2);
  });

  test('the API may lie under a path', async () => {
    await using server = await strange((request, response) => response.end(request.url));
    await using https = new HttpsTransport({ server: `${server.url}/clusters/a/`, ca: authority.cert });
    expect((await readAll(await ask(https, '/api?x=1'))).toString()).toBe('/clusters/a/api?x=1');
  });

  test('an answer that breaks off is an error, never a shorter answer', async () => {
    await using server = await strange((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    await using https = new HttpsTransport({ server: server.url, ca: authority.cert });
    await expect(ask(https).then(readAll)).rejects.toThrow();
  });
});
