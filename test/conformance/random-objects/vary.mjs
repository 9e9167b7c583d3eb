// Recorded scenarios with one thing changed: a body, a method, a query, a header, the user, a path, the order of steps. What is put in comes from the other scenarios of the same files.
import { mutator } from './mutate.mjs';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const accepts = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
  'text/html',
  '*/*',
  'application/*',
  'application/json;stream=watch',
  'application/json;pretty=1',
  'application/cbor',
  'application/xml, application/json;q=0.5',
  'application/json;as=Table;g=meta.k8s.io;v=v1,application/json',
  '',
];
const contentTypes = [
  'application/json',
  'application/yaml',
  'application/json; charset=utf-8',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
  'text/plain',
  'application/vnd.kubernetes.protobuf',
  'application/x-www-form-urlencoded',
  '',
];
const queries = [
  'pretty=true',
  'pretty=0',
  'dryRun=All',
  'dryRun=',
  'dryRun=Some',
  'dryRun=All&dryRun=All',
  'fieldManager=m',
  'fieldManager=',
  'fieldValidation=Strict',
  'fieldValidation=Warn',
  'fieldValidation=Nope',
  'force=true',
  'force=false',
  'force=x',
  'limit=1',
  'limit=-1',
  'limit=x',
  'continue=abc',
  'continue=',
  'resourceVersion=0',
  'resourceVersion=1',
  'resourceVersion=x',
  'resourceVersion=99999999',
  'resourceVersionMatch=Exact',
  'resourceVersionMatch=NotOlderThan',
  'resourceVersionMatch=x',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersion=0&limit=1',
  'labelSelector=a%3Db',
  'labelSelector=a%20in%20(b,c)',
  'labelSelector=!a',
  'labelSelector=a%3E1',
  'labelSelector=a%20notin%20()',
  'labelSelector=%2C',
  'labelSelector=a%3D%3Db%2Cc!%3Dd',
  'labelSelector=-a',
  'fieldSelector=metadata.name%3Da',
  'fieldSelector=metadata.name!%3Da',
  'fieldSelector=metadata.namespace%3Dx',
  'fieldSelector=spec.x%3Da',
  'fieldSelector=a',
  'timeoutSeconds=1',
  'timeoutSeconds=x',
  'allowWatchBookmarks=true',
  'sendInitialEvents=true',
  'propagationPolicy=Foreground',
  'propagationPolicy=Orphan',
  'propagationPolicy=Background',
  'propagationPolicy=Nope',
  'orphanDependents=true',
  'orphanDependents=true&propagationPolicy=Orphan',
  'gracePeriodSeconds=0',
  'gracePeriodSeconds=-1',
  'gracePeriodSeconds=5',
  'gracePeriodSeconds=x',
  'includeObject=None',
  'includeObject=Metadata',
  'includeObject=Object',
  'includeObject=x',
  'unknown=1',
  'ignoreStoreReadErrorWithClusterBreakingPotential=true',
  'timeout=1s',
  'timeout=x',
  'watch=0',
  'shardSelector=x',
];
const users = ['alice', 'bob', 'viewer', null, 'nobody', 'admin'];
const headerSets = [
  { 'impersonate-user': 'alice' },
  { 'impersonate-user': 'alice', 'impersonate-group': 'system:masters' },
  { 'impersonate-group': 'g' },
  { 'impersonate-user': 'alice', 'impersonate-uid': 'u' },
  { 'impersonate-user': 'alice', 'impersonate-extra-scopes': 'view' },
  { 'impersonate-extra-scopes': 'view' },
  { 'impersonate-user': 'system:serviceaccount:default:x' },
  { 'impersonate-user': 'system:anonymous' },
  { 'impersonate-uid': 'u' },
  { 'user-agent': 'kubectl/v1.36' },
  { 'user-agent': '' },
  { 'accept-encoding': 'identity' },
  { authorization: 'Basic eDp5' },
  { 'x-remote-user': 'x' },
  { 'impersonate-user': 'x', 'impersonate-extra-a%2Fb': 'c' },
];
const tails = [
  '/',
  '/status',
  '/scale',
  '/log',
  '/token',
  '/eviction',
  '/binding',
  '/ephemeralcontainers',
  '/resize',
  '/approval',
  '/finalize',
  '/proxy',
  '/nope',
  '/status/x',
  '//',
  '%20',
  '-other',
  '%2F',
];

export function variations({ recorded, count, first, tools, perScenario = 1 }) {
  const draw = mutator(tools);
  const pools = { queries: [...queries, ...poolOf(recorded, ({ path }) => path?.split('?')[1])], bodies: poolOf(recorded, ({ body }) => body) };
  return Array.from({ length: count }, (_, index) => {
    const original = draw.oneOf(recorded);
    const scenario = structuredClone(original);
    for (const step of scenario.steps) {
      delete step.answer;
      // What the recording keeps is about what it sends.
      if (step.do !== undefined && !step.save) delete step.keep;
    }
    const what = Array.from({ length: perScenario }, () => varyOnce(scenario, draw, pools, tools)).join('; ');
    return { ...scenario, id: `vary/${scenario.id}/${first}-${index}`, what };
  });
}

function poolOf(recorded, pick) {
  const found = new Map();
  for (const scenario of recorded)
    for (const step of scenario.steps) {
      const value = pick(step);
      if (value !== undefined && value !== '') found.set(JSON.stringify(value), value);
    }
  return [...found.values()];
}

function varyOnce(scenario, draw, pools, tools) {
  const { oneOf } = draw;
  const at = draw.below(scenario.steps.length);
  const step = scenario.steps[at];
  if (step.path === undefined || step.to === 'webhook') return varyOnce2(scenario, draw, pools, tools);
  const [path, query = ''] = step.path.split('?');
  const ways = {
    body: () => changeBody(step, draw, tools),
    otherBody: () => {
      if (step.body !== undefined && pools.bodies.length > 0) step.body = structuredClone(oneOf(pools.bodies));
    },
    query: () => {
      step.path = `${path}?${[query, oneOf(pools.queries)].filter(Boolean).join('&')}`;
    },
    onlyQuery: () => {
      step.path = `${path}?${oneOf(pools.queries)}`;
    },
    noQuery: () => {
      step.path = path;
    },
    method: () => {
      if (step.do) step.do = oneOf(methods);
    },
    accept: () => {
      step.accept = oneOf(accepts);
    },
    contentType: () => {
      if (step.body !== undefined || step.text !== undefined) step.contentType = oneOf(contentTypes);
    },
    user: () => {
      step.as = oneOf(users);
    },
    headers: () => {
      step.headers = { ...step.headers, ...oneOf(headerSets) };
    },
    tail: () => {
      step.path = `${path}${oneOf(tails)}${query && `?${query}`}`;
    },
    again: () => {
      scenario.steps.splice(at, 0, structuredClone(step));
    },
    drop: () => {
      if (!step.save && scenario.steps.length > 1 && step.watch === undefined) scenario.steps.splice(at, 1);
    },
    ignored: () => {
      delete step.ignore;
    },
  };
  const names =
    step.body !== undefined || step.text !== undefined
      ? ['body', 'body', 'body', 'body', 'body', 'body', ...Object.keys(ways)]
      : Object.keys(ways).filter((name) => !/body/i.test(name));
  const way = oneOf(names);
  ways[way]();
  step.what = `${way}`;
  return `step ${at} ${way}`;
}

function varyOnce2(scenario, draw, pools, tools) {
  return scenario.steps.some((step) => step.path !== undefined && step.to !== 'webhook') ? varyOnce(scenario, draw, pools, tools) : '';
}

function changeBody(step, draw, tools) {
  if (step.body === undefined) {
    step.text = step.text === undefined ? undefined : changedText(step.text, draw);
    return;
  }
  if (tools.types.typeOf(step.body)) step.body = draw.changed(step.body).object;
  else step.body = changedAnything(structuredClone(step.body), draw);
}

function changedText(text, draw) {
  const at = draw.below(text.length + 1);
  return draw.oneOf([
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + draw.oneOf(['"', '{', '}', ':', '\n', ',', ' ', 'x', '0', '-', '\t', 'é']) + text.slice(at),
    () => text.slice(0, at),
    () => text + text.slice(at),
  ])();
}

/** One value of a body without a type (patches, custom objects, options) changed. */
function changedAnything(body, draw) {
  const found = [];
  const walk = (value, set) => {
    found.push({ value, set });
    if (value && typeof value === 'object')
      for (const key of Object.keys(value))
        walk(value[key], (next) => {
          if (next === undefined) {
            if (Array.isArray(value)) value.splice(Number(key), 1);
            else delete value[key];
          } else value[key] = next;
        });
  };
  let root = body;
  walk(body, (next) => {
    root = next ?? null;
  });
  const { value, set } = draw.oneOf(found);
  const others = found.map((item) => structuredClone(item.value));
  set(
    draw.oneOf([
      () => undefined,
      () => null,
      () => draw.oneOf(others),
      () => draw.oneOf(others),
      () => draw.oneOf(draw.anything),
      () => (typeof value === 'string' ? draw.oneOf(draw.odd.string) : typeof value === 'number' ? draw.oneOf(draw.odd.integer) : draw.oneOf(draw.anything)),
    ])(),
  );
  return root;
}
