// Scenarios in the form of ../shared/oracle, drawn from a seed: one object each, and requests that change it at random. Nothing but the first create is more than a dry run.
import { mutator } from './mutate.mjs';

/** How many changed objects one scenario sends. */
const turns = 12;
const lists = { merge: 'application/merge-patch+json', strategic: 'application/strategic-merge-patch+json' };

/** family → what is sent after the object was made; `create` sends the changed object itself. */
const families = {
  update: (object, { changed }) => put(object, changed(object)),
  status: (object, { changed }) => {
    const whole = { status: {}, ...object };
    return put(
      whole,
      changed(whole, (path) => path[0] === 'status'),
      '/status',
    );
  },
  apply: (object, { changed, oneOf }) => {
    const { object: body, what } = changed({ ...object, metadata: { ...object.metadata } });
    const force = oneOf(['', '&force=true', '&fieldValidation=Strict', '&fieldValidation=Ignore']);
    return patch(`fieldManager=${oneOf(['o1', 'o2', 'oracle'])}${force}`, 'application/apply-patch+yaml', body, what);
  },
  patch: (object, { changed, oneOf }) => {
    const { object: body, what } = changed(object);
    const [path] = [what.split(' ')[0].split('.')];
    const kind = oneOf(['merge', 'merge', 'strategic', 'strategic', 'json']);
    const strict = oneOf(['', '&fieldValidation=Strict', '&fieldValidation=Ignore']);
    if (kind === 'json') return patch(`fieldManager=p${strict}`, 'application/json-patch+json', operations(path, body, oneOf), what);
    return patch(`fieldManager=p${strict}`, lists[kind], partOf(body, path), what);
  },
};

export function scenarios({ seeds, count, family, first, tools }) {
  const draw = mutator(tools);
  const apart = seeds.filter(({ body }) => family === 'create' || !takesFixedPlace(body));
  return Array.from({ length: count }, (_, index) => {
    const { path, body } = draw.oneOf(apart);
    const id = `random/${family}/${path.replace(/^\/apis?\/|namespaces\/\$NS\//g, '')}/${first}-${index}`;
    return family === 'create' ? created(id, path, body, draw) : changing(id, path, body, families[family], draw);
  });
}

/** Services that name their addresses or ports cannot be there twice. */
function takesFixedPlace({ kind, spec }) {
  return kind === 'Service' && /"(?:clusterIPs?|nodePort|healthCheckNodePort)":/.test(JSON.stringify(spec ?? {}));
}

function created(id, path, body, draw) {
  const validation = draw.oneOf(['', '', '&fieldValidation=Strict', '&fieldValidation=Ignore']);
  const steps = Array.from({ length: turns }, () => {
    const { object, what } = draw.changed(body);
    return { do: 'POST', path: `${path.replace('$NS', 'default')}?dryRun=All${validation}`, body: object, what };
  });
  return { id, steps };
}

function changing(id, path, seed, next, draw) {
  const inNamespace = path.includes('$NS');
  const body = structuredClone(seed);
  body.metadata ??= {};
  if (!inNamespace && !JSON.stringify(body.metadata).includes('$UNIQUE')) body.metadata.name = `${body.metadata.name ?? 'one'}-$UNIQUE`;
  body.metadata.name ??= 'one';
  delete body.metadata.generateName;
  const one = `${path}/${body.metadata.name}`;
  const settled = body.kind === 'CustomResourceDefinition' && { until: { status: 200, path: 'status.conditions.1.status', value: 'True' } };
  const steps = [
    { do: 'POST', path, body },
    { do: 'GET', path: one, save: { rv: 'metadata.resourceVersion', uid: 'metadata.uid' }, ...settled },
  ];
  for (let turn = 0; turn < turns; turn++) {
    const step = next(body, draw);
    const validation = draw.oneOf(['', '', '&fieldValidation=Strict', '&fieldValidation=Ignore']);
    steps.push({ ...step, path: `${one}${step.under ?? ''}?dryRun=All${step.query ? `&${step.query}` : validation}`, query: undefined, under: undefined });
  }
  return { id, steps, ...(!inNamespace && { cleanup: [{ do: 'DELETE', path: one }] }) };
}

function put(object, { object: body, what }, under = '') {
  if (body.metadata && typeof body.metadata === 'object' && !Array.isArray(body.metadata) && !('resourceVersion' in body.metadata))
    body.metadata.resourceVersion = '${rv}';
  return { do: 'PUT', under, body, what };
}

function patch(query, contentType, body, what) {
  return { do: 'PATCH', query, contentType, body, what };
}

/** What stands at and around a path, and nothing else. */
function partOf(object, path) {
  const [key, ...rest] = path;
  if (key === undefined || !object || typeof object !== 'object') return object;
  if (Array.isArray(object)) return object;
  return key in object ? { [key]: partOf(object[key], rest) } : { [key]: null };
}

function operations(path, object, oneOf) {
  const pointer = `/${path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  const value = path.reduce((part, key) => part?.[key], object);
  const op = oneOf(['add', 'replace', 'test', 'remove', 'copy', 'move']);
  const steps = [
    {
      op,
      path: pointer,
      ...(value !== undefined && { value }),
      ...((op === 'copy' || op === 'move') && { from: oneOf(['/metadata/labels', '/spec', pointer, '/nope']) }),
    },
  ];
  return oneOf([steps, steps, [...steps, { op: 'add', path: `${pointer}/-`, value: value ?? 'x' }]]);
}
