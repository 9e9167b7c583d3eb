// What a bare GET costs: the front door alone and with the pipeline, over HTTP/1.1 and HTTP/2, in CPU time per request of the server.
//   npx tsx test/bench/front.ts [seconds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { alwaysAllow } from '#auth/authorizer.ts';
import { silentLog } from '#base/log.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import type { Handler } from '#server/front/exchange.ts';
import { listen } from '#server/front/listen.ts';
import { RequestCount } from '#server/middleware/count-requests.ts';
import { buildPipeline } from '#server/pipeline.ts';
import { TestAuthority } from '../support/test-pki.ts';

const path = '/api/v1/namespaces/default/pods/web';

if (process.argv[2] === 'client') await load(Number(process.argv[3]), process.argv[4] as 'h1' | 'h2', Number(process.argv[5]));
else await compare(Number(process.argv[2] ?? 3));

async function compare(seconds: number): Promise<void> {
  const body = Buffer.from(JSON.stringify({ kind: 'Pod', padding: 'x'.repeat(2400) }));
  const bare: Handler = async (exchange) => exchange.send(200, 'application/json', body);
  const services = { log: silentLog, statusSchema: Status, requests: new RequestCount(), requestTimeoutMs: 60_000 };
  const whole = buildPipeline({ ...services, authenticator: async () => ({ name: 'a', groups: [] }), authorizer: alwaysAllow }, bare);
  const tls = new TestAuthority().issue({ commonName: 's' }, { usage: 'server', names: ['127.0.0.1'] });
  for (const [name, handler] of [
    ['front door', bare],
    ['with pipeline', whole],
  ] as const) {
    const listener = await listen(handler, { host: '127.0.0.1', port: 0, tls, log: silentLog });
    for (const protocol of ['h1', 'h2'] as const) console.log(`${name}, ${protocol}: ${await measure(listener.port, protocol, seconds)}`);
    listener.destroy();
  }
}

async function measure(port: number, protocol: string, seconds: number): Promise<string> {
  const before = process.cpuUsage();
  const client = fork(import.meta.filename, ['client', String(port), protocol, String(seconds)]);
  client.once('exit', (code) => code === 0 || process.exit(1));
  const [{ requests, elapsed }] = (await once(client, 'message')) as [{ requests: number; elapsed: number }];
  const { user, system } = process.cpuUsage(before);
  return `${((user + system) / requests).toFixed(1)} µs of CPU per request, ${Math.round((requests / elapsed) * 1000)} per second`;
}

async function load(port: number, protocol: 'h1' | 'h2', seconds: number): Promise<void> {
  const get = protocol === 'h1' ? http1(port) : http2(port);
  const start = Date.now();
  let requests = 0;
  const worker = async () => {
    while (Date.now() - start < seconds * 1000) {
      await get();
      requests++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  process.send?.({ requests, elapsed: Date.now() - start });
  setTimeout(() => process.exit(0), 100);
}

function http1(port: number): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: false });
  return () =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, agent }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
}

function http2(port: number): () => Promise<void> {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  return () =>
    new Promise((resolve, reject) => {
      session.request({ ':path': path }).on('error', reject).on('end', resolve).resume();
    });
}
