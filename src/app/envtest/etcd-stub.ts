// What stands in for etcd in an environment of envtest: it answers /health and keeps nothing. A server that finds it behind
// --etcd-servers keeps its objects in its own memory.
import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FlagError } from '#app/flags/flags.ts';

/** By this header a server tells the stub from an etcd. */
const stubHeader = 'binnacle-etcd-stub';

/** The version that etcd tells at /version; Kubernetes v1.36 is released with it. */
const etcdVersion = '3.6.0';

const answers: Readonly<Record<string, object>> = {
  '/health': { health: 'true', reason: '' },
  '/version': { etcdserver: etcdVersion, etcdcluster: '3.6.0' },
};

/** Listens where `url` says; port 0 takes a free one. */
export async function startEtcdStub(url: string): Promise<Server> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:') throw new FlagError(`--listen-client-urls: ${url}: this etcd is a stub that speaks plain HTTP only`);
  const server = createServer((request, response) => {
    const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
    response.writeHead(answer === undefined ? 501 : 200, { 'content-type': 'application/json', [stubHeader]: 'true' });
    response.end(JSON.stringify(answer ?? { error: 'this etcd is a stub: objects are in the memory of the API server' }));
  });
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await once(server, 'listening');
  return server;
}

export function portOfStub(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** etcd may be on its way up, like the original's server we wait for it. */
const attempts = 100;
const betweenMs = 100;

/** What is behind --etcd-servers: the stub, or an etcd of which at least one member answers. */
export async function findEtcd(servers: readonly string[], wait: (milliseconds: number) => Promise<void> = sleep): Promise<'stub' | 'etcd'> {
  for (let attempt = 1; ; attempt++) {
    const found = await Promise.all(servers.map(whatAnswers));
    const [stub, etcd] = [servers[found.indexOf('stub')], servers[found.indexOf('etcd')]];
    if (stub !== undefined && etcd !== undefined) throw new FlagError(`--etcd-servers: ${stub} is the stub of dist/envtest, ${etcd} is not`);
    if (etcd !== undefined) return 'etcd';
    if (stub !== undefined && !found.includes('nothing')) return 'stub';
    if (attempt >= attempts) throw new FlagError(`--etcd-servers: nothing answers at ${servers[found.indexOf('nothing')]}`);
    await wait(betweenMs);
  }
}

function whatAnswers(url: string): Promise<'stub' | 'etcd' | 'nothing'> {
  if (!url.startsWith('http://')) return Promise.resolve('etcd');
  return new Promise((resolve) => {
    const request = get(new URL('/health', url), { timeout: 2000, agent: false }, (response) => {
      response.resume();
      resolve(response.headers[stubHeader] === undefined ? 'etcd' : 'stub');
    });
    request.on('timeout', () => request.destroy(new Error('no answer'))).on('error', () => resolve('nothing'));
  });
}
