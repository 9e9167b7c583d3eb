// Objects of every kind, created through one server, read through all of them: the same JSON.
import { isDeepStrictEqual } from 'node:util';
import { fullObjects } from '../../support/full-objects.ts';
import { coreObjects, custom, namespace } from './objects.mjs';

/** Every server creates all of them, under names of its own. */
export async function sameEverywhere(servers) {
  const problems = [];
  await servers[0].create('/api/v1/namespaces', { metadata: { name: namespace } });
  await servers[0].create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  await servers[0].create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', custom.definition);
  const resources = await storedResources(servers[0]);
  let created = 0;
  for (const [index, server] of servers.entries()) {
    // Samples that need a certain name are created through one of the servers.
    const mine = resources.filter(({ sample }, at) => sample?.metadata?.name === undefined || at % servers.length === index);
    for (const resource of mine) created += (await createOne(server, resource, `full-${index}`, problems)) ? 1 : 0;
  }
  await servedByAll(servers, custom.path, problems);
  for (const [index, server] of servers.entries()) {
    const { code, object } = await server.create(custom.path, { ...custom.object, metadata: { name: `full-${index}` } });
    if (code === 201) created++;
    else problems.push(`custom object on ${server.url}: ${code} ${object.message}`);
  }
  const { says, problems: found } = await comparedLists(servers, resources);
  return { says: `${created} objects created, ${says}`, problems: [...problems, ...found] };
}

/** Of objects that `isCompared` lets through. */
export async function comparedLists(servers, resources, isCompared = () => true) {
  const problems = [];
  const lists = [...resources.map(({ listPath, plural }) => [plural, listPath]), ['custom', custom.path]];
  let compared = 0;
  for (const [plural, path] of lists) compared += await compareLists(servers, plural, path, problems, isCompared);
  return { says: `${compared} of ${lists.length} resources the same on ${servers.length} servers`, problems };
}

export async function storedResources(server) {
  const found = [];
  const { object: groups } = await server.get('/apis');
  const versions = ['/api/v1', ...groups.groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  for (const path of versions) {
    const { object } = await server.get(path);
    const group = path === '/api/v1' ? '' : path.split('/')[2];
    for (const { name, kind, verbs, namespaced } of object.resources ?? []) {
      if (name.includes('/') || !verbs.includes('list') || name === 'componentstatuses') continue;
      const id = group === '' ? name : `${name}.${group}`;
      const sample = fullObjects[id] ?? coreObjects[id];
      found.push({ id, sample, plural: name, kind, path, namespaced, apiVersion: object.groupVersion, listPath: `${path}/${name}` });
    }
  }
  return found;
}

/** False for kinds that we have no sample of. */
async function createOne(server, { id, sample, plural, kind, path, namespaced, apiVersion }, name, problems) {
  if (sample === undefined) return false;
  const where = namespaced ? `${path}/namespaces/${namespace}/${plural}` : `${path}/${plural}`;
  const { code, object } = await server.create(where, { metadata: { name }, ...sample, apiVersion, kind });
  if (code !== 201) problems.push(`${id} on ${server.url}: ${code} ${object.message}`);
  return code === 201;
}

export async function servedByAll(servers, path, problems) {
  for (const server of servers) {
    let code = 0;
    for (let attempt = 0; attempt < 200 && code !== 200; attempt++) {
      ({ code } = await server.get(path));
      if (code !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (code !== 200) problems.push(`${server.url} does not serve ${path}: ${code}`);
  }
}

async function compareLists(servers, plural, path, problems, isCompared) {
  const lists = await Promise.all(servers.map((server) => server.get(path)));
  const [first, ...others] = lists.map(
    ({ object }) => new Map((object.items ?? []).filter(isCompared).map((item) => [`${item.metadata.namespace}/${item.metadata.name}`, item])),
  );
  let same = 0;
  for (const [key, item] of first) {
    // Heartbeats are written between two reads.
    if (plural === 'leases' && item.metadata.namespace === 'kube-system') continue;
    const different = others.findIndex((list) => !isDeepStrictEqual(list.get(key), item));
    if (different < 0) same++;
    else problems.push(`${plural} ${key} on ${servers[different + 1].url}: ${firstDifference(item, others[different].get(key))}`);
  }
  for (const [index, list] of others.entries()) {
    for (const key of list.keys()) if (!first.has(key)) problems.push(`${plural} ${key} is on ${servers[index + 1].url} only`);
  }
  return same;
}

function firstDifference(a, b, path = '') {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  const key = [...new Set([...Object.keys(a), ...Object.keys(b)])].find((name) => !isDeepStrictEqual(a[name], b[name]));
  return firstDifference(a[key], b[key], `${path}.${key}`);
}
