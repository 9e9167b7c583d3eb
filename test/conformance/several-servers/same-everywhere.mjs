// Objects of every kind, created through one server, read through all of them: the same JSON.
import { isDeepStrictEqual } from 'node:util';
import { fullObjects } from '../../support/full-objects.ts';
import { coreObjects, custom, limits, namespace, richObjects } from './objects.mjs';

/** Every server creates all of them, under names of its own; `isRich`: several of a kind. `made` has the uids of what was created. */
export async function sameEverywhere(servers, { isRich = false } = {}) {
  const problems = [];
  for (const name of [namespace, limits]) {
    await servers[0].create('/api/v1/namespaces', { metadata: { name } });
    for (const account of ['default', 'runner']) await servers[0].create(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: account } });
  }
  await servers[0].create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', custom.definition);
  const resources = await storedResources(servers[0]);
  const made = new Set();
  const create = async (server, path, object) => {
    const answer = await server.create(path, object);
    if (answer.code === 201) made.add(answer.object.metadata.uid);
    else problems.push(`${path} on ${server.url}: ${answer.code} ${answer.object.message}`);
  };
  for (const [index, server] of servers.entries()) {
    for (const [at, resource] of resources.entries()) {
      for (const [number, sample] of samplesOf(resource, isRich).entries()) {
        const prefix = isUnique(sample) ? 'only' : 'full';
        if (prefix === 'full' || at % servers.length === index)
          await create(server, placeOf(resource), named(resource, sample, `${prefix}-${index}${number === 0 ? '' : `-${number}`}`));
      }
    }
  }
  await servedByAll(servers, custom.path, problems);
  for (const [index, server] of servers.entries()) {
    for (const [number, object] of custom.objects.entries()) await create(server, custom.path, { ...object, metadata: { name: `full-${index}-${number}` } });
  }
  const { says, problems: found } = await comparedLists(servers, resources);
  return { says: `${made.size} objects created, ${says}`, problems: [...problems, ...found], made };
}

/** None of kinds that we have no sample of. */
function samplesOf({ id, sample }, isRich) {
  const plain = sample === undefined ? [] : [sample];
  return isRich ? [...plain, ...(richObjects()[id] ?? []), ...plain.filter((one) => !isUnique(one)).map(dressed)] : plain;
}

/** With all that metadata can hold without a controller acting on it. */
function dressed(sample) {
  const labels = { 'example.com/tier': 'back-end', plain: '', ...sample.metadata?.labels };
  const annotations = { 'example.com/text': 'é \u2028 \ud83d\ude00 "\\ <&>', 'example.com/long': 'x'.repeat(2_000), ...sample.metadata?.annotations };
  return { ...sample, metadata: { ...sample.metadata, labels, annotations } };
}

/** There can be only one with its name or its address: one of the servers creates it. */
function isUnique({ metadata, spec }) {
  return metadata?.name !== undefined || spec?.clusterIP !== undefined;
}

function placeOf({ path, plural, namespaced }) {
  const home = ['limitranges', 'resourcequotas'].includes(plural) ? limits : namespace;
  return namespaced ? `${path}/namespaces/${home}/${plural}` : `${path}/${plural}`;
}

/** Events of both groups lie in one place. */
function named({ apiVersion, kind }, sample, name) {
  return { ...sample, metadata: { name: apiVersion.startsWith('events.') ? `${name}-regarding` : name, ...sample.metadata }, apiVersion, kind };
}

/** Of objects that `isCompared` lets through. */
export async function comparedLists(servers, resources, isCompared = () => true) {
  const problems = [];
  const lists = new Map([...resources.map(({ listPath, plural }) => [listPath, plural]), ['/apis/several.example/v1/widgets', 'widgets']]);
  let compared = 0;
  for (const [path, plural] of lists) compared += await compareLists(servers, plural, path, problems, isCompared);
  return { says: `${compared} of ${lists.size} resources the same on ${servers.length} servers`, problems };
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
