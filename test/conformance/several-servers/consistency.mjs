// What clients of several servers may rely on while all of them write.
import { until } from './clients.mjs';
import { namespace } from './objects.mjs';

const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const services = `/api/v1/namespaces/${namespace}/services`;

/** A list or a get elsewhere, straight after a write, shows it. */
export async function readsAfterWrites(servers) {
  const problems = [];
  const rounds = 60;
  for (let i = 0; i < rounds; i++) {
    const writer = servers[i % servers.length];
    const name = `fresh-${i}`;
    await writer.create(configMaps, { metadata: { name } });
    for (const reader of servers) {
      const [list, one] = await Promise.all([reader.get(`${configMaps}?limit=500`), reader.get(`${configMaps}/${name}`)]);
      if (!list.object.items.some(({ metadata }) => metadata.name === name))
        problems.push(`${name}, written on ${writer.url}, is not in the list of ${reader.url}`);
      if (one.code !== 200) problems.push(`${name}, written on ${writer.url}: ${one.code} on ${reader.url}`);
    }
    await writer.send('DELETE', `${configMaps}/${name}`);
    const reader = servers[(i + 1) % servers.length];
    if ((await reader.get(`${configMaps}/${name}`)).code !== 404) problems.push(`${name}, deleted on ${writer.url}, is still on ${reader.url}`);
  }
  return { says: `${rounds} writes, each read on ${servers.length} servers at once`, problems };
}

/** 64 at the same time, spread over the servers. */
export async function serviceAddresses(servers) {
  const problems = [];
  const made = await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      servers[i % servers.length].create(services, { metadata: { name: `address-${i}` }, spec: { type: 'NodePort', ports: [{ port: 80 }] } }),
    ),
  );
  for (const { code, object } of made) if (code !== 201) problems.push(`service: ${code} ${object.message}`);
  const created = made.filter(({ code }) => code === 201).map(({ object }) => object.spec);
  const [addresses, ports] = [created.map(({ clusterIP }) => clusterIP), created.map((spec) => spec.ports[0].nodePort)];
  for (const [what, values] of [
    ['address', addresses],
    ['node port', ports],
  ]) {
    const twice = values.filter((value, index) => values.indexOf(value) !== index);
    if (twice.length > 0) problems.push(`services have the same ${what}: ${twice.join(' ')}`);
  }
  await Promise.all(made.map((_, i) => servers[(i + 1) % servers.length].send('DELETE', `${services}/address-${i}`)));
  return { says: `${new Set(addresses).size} addresses and ${new Set(ports).size} node ports for 64 services at once`, problems };
}

const writersAtOnce = 16;

/** Every acknowledged write is told on every server, once, in the order of revisions. */
export async function writersAndWatchers(servers, writes) {
  const { object: start } = await servers[0].get(`${configMaps}?limit=1`);
  const path = `${configMaps}?watch=1&resourceVersion=${start.metadata.resourceVersion}&timeoutSeconds=3000`;
  const watches = servers.map((server) => server.watch(path));
  const acknowledged = [];
  const deletions = new Map();
  const problems = [];
  const each = Math.ceil(writes / writersAtOnce);
  await Promise.all(Array.from({ length: writersAtOnce }, (_, w) => writeOn(servers, w, each, { acknowledged, deletions }, problems)));
  const last = Math.max(...acknowledged);
  const deleted = [...deletions.values()].reduce((sum, count) => sum + count, 0);
  for (const [index, { events }] of watches.entries()) {
    const hasToldAll = () => events.some((event) => revisionOf(event) >= last) && events.filter(isDeletion).length >= deleted;
    const problem = await until(hasToldAll, 30, `the watch of ${servers[index].url}`);
    if (problem) problems.push(problem);
    problems.push(...judge(servers[index].url, events, acknowledged), ...judgeDeletions(servers[index].url, events, deletions));
  }
  for (const watch of watches) watch.close();
  return {
    says: `${acknowledged.length + deleted} writes (${deleted} of them deletions) by ${writersAtOnce} writers, told by ${watches.length} watches`,
    problems,
  };
}

/** Creates, updates (every time on another server) and now and then deletes an object of its own. */
async function writeOn(servers, writer, count, { acknowledged, deletions }, problems) {
  const name = `writer-${writer}`;
  const path = `${configMaps}/${name}`;
  let current;
  for (let i = 0; i < count; i++) {
    const server = servers[(writer + i) % servers.length];
    const data = { count: String(i) };
    let answer;
    if (current === undefined) answer = await server.create(configMaps, { metadata: { name }, data });
    else if (i % 10 === 9) answer = await server.send('DELETE', path);
    else answer = await server.update(path, { ...current, data });
    if (answer.code >= 300) {
      problems.push(`writer ${writer} on ${server.url}: ${answer.code} ${answer.object.message}`);
      current = undefined;
      continue;
    }
    const deleted = answer.object.kind === 'Status' || (i % 10 === 9 && current !== undefined);
    current = deleted ? undefined : answer.object;
    if (deleted) deletions.set(name, (deletions.get(name) ?? 0) + 1);
    else acknowledged.push(Number(answer.object.metadata.resourceVersion));
  }
}

function isDeletion({ type }) {
  return type === 'DELETED';
}

function revisionOf({ object }) {
  return Number(object.metadata.resourceVersion);
}

/** The answer to a deletion does not say at which revision it happened: that of each object must have been told as often as it was acknowledged. */
function judgeDeletions(url, events, deletions) {
  const told = new Map();
  for (const { object } of events.filter(isDeletion)) told.set(object.metadata.name, (told.get(object.metadata.name) ?? 0) + 1);
  const differing = [...deletions].filter(([name, count]) => told.get(name) !== count);
  return differing.map(([name, count]) => `${url} has told ${told.get(name) ?? 0} of ${count} deletions of ${name}`);
}

/** Whether a watch has told all of these revisions, each once and in order. */
export function judge(url, events, acknowledged) {
  const revisions = events.map(revisionOf);
  const told = new Set(revisions);
  const lost = acknowledged.filter((revision) => !told.has(revision));
  const unordered = revisions.filter((revision, index) => index > 0 && revision <= revisions[index - 1]);
  const problems = [];
  if (lost.length > 0) problems.push(`${url} has lost ${lost.length} writes, the first at ${lost[0]}`);
  if (unordered.length > 0) problems.push(`${url} has told ${unordered.length} changes twice or out of order`);
  return problems;
}
