// What the hostile-input tests and the fuzzer share: plain requests, and raw bytes for what no client library would send.
import https from 'node:https';
import http2 from 'node:http2';
import tls from 'node:tls';

export function ask(server, { method = 'GET', path = '/', headers = {}, body, token = 'admin-token', agent, timeoutMs = 30_000 } = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const auth = token === '' ? {} : { authorization: `Bearer ${token}` };
    const request = https.request(`${server.url}${path}`, { method, agent, rejectUnauthorized: false, headers: { ...auth, ...headers } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode, headers: response.headers, body: Buffer.concat(chunks), ms: performance.now() - started }));
    });
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer in ${timeoutMs} ms: ${method} ${path}`)));
    request.on('error', reject);
    request.end(body);
  });
}

export function rawSocket(server, alpn = 'http/1.1') {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false, ALPNProtocols: [alpn] }, () => resolve(socket));
    socket.on('error', reject);
  });
}

export function http2Session(server) {
  const session = http2.connect(server.url, { rejectUnauthorized: false });
  session.on('error', () => {});
  return session;
}

export function closed(emitter) {
  return new Promise((resolve) => emitter.once('close', resolve));
}

/** A frame of HTTP/2. */
export function frame(type, flags, stream, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
