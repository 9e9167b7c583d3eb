// What several servers on one etcd cost: CPU of each server and of etcd for a request, with 1, 2 and 3 servers that share the requests. Throughput would
// say how many cores the machine of this run has; what a request costs says how far servers on machines of their own go.
//   npm run build && npx tsx test/bench/servers.mjs [--requests 3000] [--most 3]
import { parseArgs } from 'node:util';
import { connectTo } from '../conformance/several-servers/clients.mjs';
import { startEtcd } from '../support/real-etcd.ts';
import { startServer } from '../support/server-under-test.mjs';
import { cpuMs } from './server-processes.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '3000' }, most: { type: 'string', default: '3' } } });
const requests = Number(values.requests);
const writersEach = 8;
const path = '/api/v1/namespaces/default/configmaps';
const data = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key${i}`, `${'value '.repeat(8)}${i}`]));

console.log('servers  request  µs of all servers  of one, for each request of all  of etcd');
for (let count = 1; count <= Number(values.most); count++) await withServers(count);

async function withServers(count) {
  const etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
  const servers = [];
  try {
    const flags = ['--memory=false', `--etcd-servers=${etcd.url}`, '--controllers='];
    for (let k = 0; k < count; k++) servers.push(await startServer({ from: 'bundle', flags: [...flags, `--advertise-address=10.77.0.${k + 1}`] }));
    const clients = servers.map(({ url }) => connectTo(url));
    // Every server takes in what the others write from its first list on.
    for (const client of clients) await client.get(path);
    for (const round of ['warm', 'read']) await measured({ count, round, clients, etcd, pids: servers.map(({ child }) => child.pid) });
    for (const client of clients) client.close();
  } finally {
    for (const server of servers) await server.stop();
    await etcd[Symbol.asyncDispose]();
  }
}

async function measured({ count, round, clients, etcd, pids }) {
  const name = (k) => `${round}-${k}`;
  const phases = {
    create: (client, k) => expecting(201, client.create(path, { metadata: { name: name(k) }, data })),
    get: (client, k) => expecting(200, client.get(`${path}/${name(k)}`)),
  };
  for (const [what, work] of Object.entries(phases)) {
    const before = { servers: cpuMs(pids), etcd: cpuMs([etcd.pid]) };
    // Every server answers as many as one alone would: what is compiled by then does not hang on how many there are.
    const total = requests * count;
    await shared(clients, work, total);
    const each = (milliseconds) => ((milliseconds * 1000) / total).toFixed(0);
    const ofServers = cpuMs(pids) - before.servers;
    if (round === 'warm') continue;
    console.log(
      `${String(count).padStart(7)}  ${what.padEnd(7)}  ${each(ofServers).padStart(17)}  ${each(ofServers / count).padStart(30)}  ${each(cpuMs([etcd.pid]) - before.etcd).padStart(7)}`,
    );
  }
}

async function shared(clients, work, total) {
  let next = 0;
  const asking = clients.flatMap((client) =>
    Array.from({ length: writersEach }, async () => {
      while (next < total) await work(client, next++);
    }),
  );
  await Promise.all(asking);
}

async function expecting(code, asking) {
  const answer = await asking;
  if (answer.code !== code) throw new Error(`${answer.code}: ${JSON.stringify(answer.object)}`);
}
