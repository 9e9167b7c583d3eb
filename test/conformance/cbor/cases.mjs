// The requests that both servers get, in this order. What one case makes, later ones read.
import { bytes, document, float, hex, open, pairs, tagged, text, write } from './notation.mjs';

const cbor = 'application/cbor';
const apply = 'application/apply-patch+cbor';
const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const pods = '/api/v1/namespaces/default/pods';
const gadgets = '/apis/ex.io/v1/namespaces/default/gadgets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** Where we answer otherwise on purpose, or the original cannot answer at all. */
export const explained = {
  'document /api/v1': 'the original panics and hangs up',
  'config map: body is CBOR, type says merge patch': 'the original shows the first byte of what is no UTF-8',
  'apply: wrong type of a field': 'mistakes of clients are 400 here, 500 there',
  'apply: unknown field': 'mistakes of clients are 400 here, 500 there',
  'apply: unknown field, strictly': 'mistakes of clients are 400 here, 500 there',
  'watch: from a version that is none': 'mistakes of clients are 400 here, 500 there',
  'custom: apply scale': 'the original cannot apply the scale of a custom kind: 500',
  'custom: wrong method': 'a defect of ours: the original takes a POST to the name of a custom resource as a create',
  'custom: merge patch': 'follows the scale that only we could apply',
};

export function* casesOf() {
  // Where no controller makes it.
  yield {
    name: 'service account',
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts',
    type: cbor,
    body: document({ metadata: { name: 'default' } }),
    setUp: true,
  };
  yield* documents();
  yield* negotiation();
  yield* configMaps();
  yield* secretBytes();
  yield* wrongBodies();
  yield* oddItems();
  yield* writes();
  yield* applied();
  yield* watches();
  yield* customResources();
  yield* definitionSchemas();
  yield* manyKinds();
  yield* reviews();
}

function* documents() {
  for (const path of ['/api', '/apis', '/apis/', '/apis/apps', '/version', '/openapi/v2', '/api/v1/nopes', '/apis/nope/v1', '/nope'])
    yield { name: `document ${path}`, path };
  for (const path of ['/api/v1', '/apis/apps/v1', '/apis/rbac.authorization.k8s.io/v1', '/apis/apiregistration.k8s.io/v1', '/apis/apiextensions.k8s.io/v1'])
    yield { name: `document ${path}`, path };
  yield { name: 'document flagz without kind', path: '/flagz' };
  yield { name: 'document statusz without kind', path: '/statusz' };
  yield { name: 'document aggregated discovery', path: '/apis', accept: 'application/cbor;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
  yield { name: 'document nobody may see', path: '/api/v1/namespaces/default', token: 'alice-token' };
  yield { name: 'document for an unknown token', path: '/api/v1/namespaces/default', token: 'none' };
  yield { name: 'document wrong method', method: 'PUT', path: maps, type: cbor, body: document({}) };
  yield { name: 'document wrong method of a namespace', method: 'POST', path: '/api/v1/namespaces/default', type: cbor, body: document({}) };
}

function* negotiation() {
  const namespace = '/api/v1/namespaces/default';
  const accepts = [
    'application/cbor',
    'application/cbor, application/json',
    'application/json, application/cbor',
    'application/cbor;q=0.5, application/json',
    'application/json;q=0.5, application/cbor;q=0.6',
    'application/yaml;q=0.9, application/cbor',
    'application/cbor-seq',
    'application/cbor-seq, application/cbor',
    'application/cbor;stream=watch',
    'application/cbor;as=Table;v=v1;g=meta.k8s.io',
    'application/cbor;as=Table;v=v1;g=meta.k8s.io, application/json',
    'application/cbor;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    'application/cbor;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    'application/cbor;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io',
    'application/cbor;as=Nope;v=v1;g=meta.k8s.io',
    'application/cbor;pretty=1',
    'application/vnd.kubernetes.protobuf;q=0.3, application/cbor',
    'application/xml',
    'application/xml, application/cbor',
    'text/*, application/cbor',
  ];
  for (const accept of accepts) {
    yield { name: `accept ${accept}: get`, path: namespace, accept };
    yield { name: `accept ${accept}: list`, path: '/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name=default', accept };
    yield {
      name: `accept ${accept}: watch`,
      path: '/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=default&resourceVersion=0',
      accept,
    };
    yield { name: `accept ${accept}: not found`, path: '/api/v1/namespaces/nope', accept };
  }
  for (const type of ['application/cbor', 'application/cbor; charset=utf-8', 'application/cbor-seq', 'application/x-cbor', 'APPLICATION/CBOR'])
    yield { name: `content type ${type}`, method: 'POST', path: maps, type, body: document({ metadata: { name: 'a'.repeat(300) } }) };
}

function* configMaps() {
  const map = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one', labels: { a: 'b', longer: 'c' } }, data: { z: '1', aa: '2' }, immutable: false };
  yield { name: 'config map: create', method: 'POST', path: maps, type: cbor, body: document(map) };
  yield { name: 'config map: create again', method: 'POST', path: maps, type: cbor, body: document(map) };
  yield { name: 'config map: get', path: `${maps}/one` };
  yield { name: 'config map: get as JSON', path: `${maps}/one`, accept: 'application/json' };
  yield { name: 'config map: list', path: maps };
  yield { name: 'config map: list with a limit', path: `/api/v1/namespaces?limit=2` };
  yield { name: 'config map: empty list', path: `${maps}?labelSelector=no=thing` };
  yield { name: 'config map: metadata only', path: `${maps}/one`, accept: 'application/cbor;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
  yield { name: 'config map: update', method: 'PUT', path: `${maps}/one`, type: cbor, body: document({ ...map, data: { changed: 'yes' } }) };
  yield {
    name: 'config map: update of an old version',
    method: 'PUT',
    path: `${maps}/one`,
    type: cbor,
    body: document({ ...map, metadata: { ...map.metadata, resourceVersion: '1' } }),
  };
  yield {
    name: 'config map: update under another name',
    method: 'PUT',
    path: `${maps}/one`,
    type: cbor,
    body: document({ ...map, metadata: { name: 'other' } }),
  };
  yield {
    name: 'config map: dry run',
    method: 'POST',
    path: `${maps}?dryRun=All`,
    type: cbor,
    body: document({ ...map, metadata: { generateName: 'x-', name: 'dry' } }),
  };
  yield {
    name: 'config map: merge patch, answer in CBOR',
    method: 'PATCH',
    path: `${maps}/one`,
    type: 'application/merge-patch+json',
    body: '{"data":{"m":"1"}}',
  };
  yield {
    name: 'config map: JSON patch, answer in CBOR',
    method: 'PATCH',
    path: `${maps}/one`,
    type: 'application/json-patch+json',
    body: '[{"op":"add","path":"/data/j","value":"1"}]',
  };
  yield {
    name: 'config map: merge patch in CBOR',
    method: 'PATCH',
    path: `${maps}/one`,
    type: 'application/merge-patch+cbor',
    body: write({ data: { m: '1' } }),
  };
  yield {
    name: 'config map: body is CBOR, type says merge patch',
    method: 'PATCH',
    path: `${maps}/one`,
    type: 'application/merge-patch+json',
    body: write({ data: { m: '1' } }),
  };
  yield { name: 'config map: delete with wrong options', method: 'DELETE', path: `${maps}/one`, type: cbor, body: document({ propagationPolicy: 'Nope' }) };
  yield { name: 'config map: delete with broken options', method: 'DELETE', path: `${maps}/one`, type: cbor, body: hex('a1').raw() };
  yield {
    name: 'config map: delete with options of wrong types',
    method: 'DELETE',
    path: `${maps}/one`,
    type: cbor,
    body: document({ gracePeriodSeconds: 'x' }),
  };
  yield {
    name: 'config map: delete with options of another kind',
    method: 'DELETE',
    path: `${maps}/one`,
    type: cbor,
    body: document({ kind: 'Pod', apiVersion: 'v1' }),
  };
  yield { name: 'config map: delete, other uid', method: 'DELETE', path: `${maps}/one`, type: cbor, body: document({ preconditions: { uid: 'other' } }) };
  yield {
    name: 'config map: delete',
    method: 'DELETE',
    path: `${maps}/one`,
    type: cbor,
    body: document({ kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 }),
  };
  yield { name: 'config map: delete what is gone', method: 'DELETE', path: `${maps}/one` };
  yield { name: 'config map: delete many', method: 'DELETE', path: `${maps}?labelSelector=no=thing`, type: cbor, body: document({ dryRun: ['All'] }) };
}

function* secretBytes() {
  const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  const secret = (name, data, more = {}) => document({ kind: 'Secret', apiVersion: 'v1', metadata: { name }, data, ...more });
  yield { name: 'secret: tagged bytes', method: 'POST', path: secrets, type: cbor, body: secret('tagged', { all: bytes(all), none: bytes(Buffer.alloc(0)) }) };
  yield { name: 'secret: tagged bytes read', path: `${secrets}/tagged` };
  yield { name: 'secret: tagged bytes read as JSON', path: `${secrets}/tagged`, accept: 'application/json' };
  yield { name: 'secret: base64 in a byte string', method: 'POST', path: secrets, type: cbor, body: secret('base64', { a: 'aGVsbG8=', b: 'aGVs\nbG8=' }) };
  yield { name: 'secret: base64 read', path: `${secrets}/base64` };
  yield { name: 'secret: no base64', method: 'POST', path: secrets, type: cbor, body: secret('bad', { a: 'x' }) };
  yield { name: 'secret: base64url tag', method: 'POST', path: secrets, type: cbor, body: secret('url', { a: tagged(21, 'hello') }) };
  yield { name: 'secret: hex tag', method: 'POST', path: secrets, type: cbor, body: secret('hex', { a: tagged(23, 'hello') }) };
  yield { name: 'secret: text string', method: 'POST', path: secrets, type: cbor, body: secret('text', { a: text('aGVsbG8=') }) };
  yield { name: 'secret: list of numbers', method: 'POST', path: secrets, type: cbor, body: secret('list', { a: [104, 105] }) };
  yield { name: 'secret: list of large numbers', method: 'POST', path: secrets, type: cbor, body: secret('large', { a: [256] }) };
  yield { name: 'secret: null', method: 'POST', path: secrets, type: cbor, body: secret('null', { a: null }) };
  yield { name: 'secret: number', method: 'POST', path: secrets, type: cbor, body: secret('number', { a: 5 }) };
  yield {
    name: 'secret: tag around the map',
    method: 'POST',
    path: secrets,
    type: cbor,
    body: document({ metadata: { name: 'around' }, data: tagged(22, { a: 'hi' }) }),
  };
  yield {
    name: 'secret: text meant for base64',
    method: 'POST',
    path: secrets,
    type: cbor,
    body: secret('string', {}, { stringData: { a: bytes(Buffer.from('hello')) } }),
  };
  yield { name: 'secret: list of all', path: secrets };
}

const wrong = {
  empty: '',
  'only a tag': 'd9d9f7',
  'cut off': 'a1',
  'cut off in a text': '45 61',
  'more behind it': 'a0 a0',
  'much behind it': 'a0 00 00 00',
  'a break': 'ff',
  'a break in a map': 'bf 41 61 ff',
  'reserved information': '1c',
  'reserved information of a map': 'bd',
  'indefinite integer': '1f',
  'indefinite tag': 'df',
  'huge array': '9b 7f ff ff ff ff ff ff ff',
  'too large array': '9b ff ff ff ff ff ff ff ff',
  'array of two billion': '9a 7f ff ff ff',
  'huge map': 'bb 00 00 00 00 00 20 00 01',
  'too large map': 'bb ff ff ff ff ff ff ff ff',
  'huge text': '5b 00 00 00 00 7f ff ff ff',
  'too large text': '7b ff ff ff ff ff ff ff ff',
  'wrong chunk': '5f 61 61 ff',
  'chunk of chunks': '5f 5f 41 61 ff ff',
  'simple value that has a shorter form': 'f8 14',
  'not a number': 'f9 7e 00',
  infinity: 'fa 7f 80 00 00',
  'negative infinity': 'fb ff f0 00 00 00 00 00 00',
  bignum: 'a1 41 61 c2 41 01',
  'negative bignum': 'a1 41 61 c3 41 01',
  array: '80',
  number: '05',
  'negative number': '24',
  text: '45 68 65 6c 6c 6f',
  null: 'f6',
  undefined: 'f7',
  true: 'f5',
  float: 'f9 3c 00',
  'simple 0': 'e0',
  'simple 255': 'f8 ff',
  'time tag': 'c0 a0',
  'tags around it': 'd9d9f7 d9d9f7 d9 01 00 a1 48 6d65746164617461 a0',
  'twice the same key': 'a2 44 6b696e64 41 61 44 6b696e64 41 62',
  'twice the same unknown key': 'a2 41 61 01 41 61 02',
  'the same key as bytes and text': 'a2 44 6b696e64 49 436f6e6669674d6170 64 6b696e64 49 436f6e6669674d6170',
  'number as key': 'a1 01 02',
  'list as key': 'a1 80 02',
  'null as key': 'a1 f6 02',
  'bad UTF-8 in a text': 'a1 61 ff 01',
  'kind is a number': 'a1 44 6b696e64 01',
  'version is a list': 'a1 4a 61706956657273696f6e 80',
  'deep lists': `a1 41 61 ${'81'.repeat(300)} 00`,
  'deeper than allowed': `a1 41 61 ${'81'.repeat(10_001)} 00`,
  'deep tags': `a1 41 61 ${'c6'.repeat(10_002)} 00`,
};

function* wrongBodies() {
  for (const [name, digits] of Object.entries(wrong)) {
    const body = Buffer.from(digits.replaceAll(' ', ''), 'hex');
    yield { name: `wrong body (${name})`, method: 'POST', path: maps, type: cbor, body };
    yield { name: `wrong apply (${name})`, method: 'PATCH', path: `${maps}/wrong?fieldManager=m`, type: apply, body };
    yield { name: `wrong delete options (${name})`, method: 'DELETE', path: `${maps}/nope`, type: cbor, body };
  }
}

function* oddItems() {
  const of = (name, more) => document({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, ...more });
  const put = (name, body, query = '') => ({ name: `odd item: ${name}`, method: 'POST', path: `${maps}?dryRun=All${query}`, type: cbor, body });
  yield put(
    'texts instead of byte strings',
    document(pairs([text('metadata'), pairs([text('name'), text('texts')])], [text('data'), pairs([text('a'), text('b')])])),
  );
  yield put('indefinite map', document(open(5, 'metadata', open(5, 'name', 'open'), 'data', open(5, 'a', open(2, 'x', 'y')))));
  yield put('indefinite text', of('open-text', { data: { a: open(3, text('x'), text('y')) } }));
  yield put('indefinite text that is no UTF-8', of('open-bad', { data: { a: open(3, hex('61ff'), text('y')) } }));
  yield put('byte string that is no UTF-8', of('no-utf8', { data: { a: hex('41ff') } }));
  yield put('number for a text', of('n', { data: { a: 5 } }));
  yield put('negative number for a text', of('n', { data: { a: -5 } }));
  yield put('float for a text', of('n', { data: { a: float(1.5) } }));
  yield put('list for a text', of('n', { data: { a: [1] } }));
  yield put('map for a text', of('n', { data: { a: {} } }));
  yield put('list for a map', of('n', { data: [] }));
  yield put('text for a map', of('n', { data: 'x' }));
  yield put('list for a struct', of('n', { metadata: [] }));
  yield put('text for a struct', of('n', { metadata: 'x' }));
  yield put('number for a flag', of('n', { immutable: 1 }));
  yield put('null for a flag', of('n', { immutable: null }));
  yield put('undefined for a flag', of('n', { immutable: hex('f7') }));
  yield put('simple value for a flag', of('n', { immutable: hex('e5') }));
  yield put('tagged flag', of('n', { immutable: tagged(100, true) }));
  yield put('text under a date tag', of('n', { data: { a: tagged(0, text('2020-01-01T00:00:00Z')) } }));
  yield put('number under a date tag', of('n', { data: { a: tagged(0, 5) } }));
  yield put('number key of a map', of('n', { data: pairs([1, 'x']) }));
  yield put('null key of a map', of('n', { data: pairs([null, 'x']) }));
  yield put('tagged key of a map', of('n', { data: pairs([bytes(Buffer.from('key')), 'x']) }));
  yield put('repeated key of a map', of('n', { data: pairs(['a', 'x'], ['b', 'y'], ['a', 'z']) }));
  yield put('number key of a struct', of('n', { metadata: pairs(['name', 'n'], [7, 'x']) }));
  yield put('unknown field', of('n', { bogus: 1 }));
  yield put('unknown fields further down', of('n', { metadata: { name: 'n', bogus: 1, more: 2 } }));
  for (const validation of ['Strict', 'Warn', 'Ignore']) {
    yield put(`unknown field, ${validation}`, of('n', { bogus: 1 }), `&fieldValidation=${validation}`);
    yield put(`unknown field below and above, ${validation}`, of('n', { metadata: { name: 'n', x: 1 }, bogus: 1 }), `&fieldValidation=${validation}`);
    yield put(`unknown and wrong, ${validation}`, of('n', { bogus: 1, immutable: 1 }), `&fieldValidation=${validation}`);
    yield put(`wrong and unknown, ${validation}`, of('n', { immutable: 1, bogus: 1 }), `&fieldValidation=${validation}`);
    yield put(
      `repeated field, ${validation}`,
      document(pairs(['metadata', { name: 'n' }], ['immutable', true], ['immutable', true])),
      `&fieldValidation=${validation}`,
    );
  }
  const pod = (spec, more = {}) => document({ metadata: { name: 'p', ...more }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
  const make = (name, body) => ({ name: `odd item of a pod: ${name}`, method: 'POST', path: `${pods}?dryRun=All`, type: cbor, body });
  yield make('plain', pod({}));
  yield make('numbers', pod({ priority: 0, terminationGracePeriodSeconds: 5, activeDeadlineSeconds: 2 ** 31 - 1 }));
  yield make('int32 too large', pod({ containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 2 ** 31 }] }] }));
  yield make('int32 too small', pod({ containers: [{ name: 'c', image: 'i', ports: [{ containerPort: -(2 ** 31) - 1 }] }] }));
  yield make('int64 too large', pod({ terminationGracePeriodSeconds: hex('1bffffffffffffffff') }));
  yield make('int64 too small', pod({ terminationGracePeriodSeconds: hex('3bffffffffffffffff') }));
  yield make('int64 at its end', pod({ terminationGracePeriodSeconds: hex('1b7fffffffffffffff') }));
  yield make('float for an integer', pod({ terminationGracePeriodSeconds: float(5) }));
  yield make('text for an integer', pod({ terminationGracePeriodSeconds: '5' }));
  yield make('quantities', pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: ' 1500m ', memory: '1024Mi' } } }] }));
  yield make('number for a quantity', pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: 1 } } }] }));
  yield make('bad quantity', pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1x' } } }] }));
  yield make('null quantity', pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: null } } }] }));
  yield make('port as number', pod({ containers: [{ name: 'c', image: 'i', livenessProbe: { tcpSocket: { port: 80 } } }] }));
  yield make('port as text', pod({ containers: [{ name: 'c', image: 'i', livenessProbe: { tcpSocket: { port: 'web' } } }] }));
  yield make('port as flag', pod({ containers: [{ name: 'c', image: 'i', livenessProbe: { tcpSocket: { port: true } } }] }));
  yield make('port as null', pod({ containers: [{ name: 'c', image: 'i', livenessProbe: { tcpSocket: { port: null } } }] }));
  yield make('port too large', pod({ containers: [{ name: 'c', image: 'i', livenessProbe: { tcpSocket: { port: 2 ** 31 } } }] }));
  yield make('a time', pod({}, { deletionTimestamp: '2020-01-01T00:00:00Z' }));
  yield make('a time as number', pod({}, { deletionTimestamp: 5 }));
  yield make('a time under its tag', pod({}, { deletionTimestamp: tagged(0, text('2020-01-01T00:00:00Z')) }));
  yield make('seconds under their tag', pod({}, { deletionTimestamp: tagged(1, 5) }));
  yield make('a bad time', pod({}, { deletionTimestamp: 'yesterday' }));
  yield make(
    'owners and finalizers',
    pod({}, { finalizers: ['a.b/c'], ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'y', controller: true }] }),
  );
  yield make('wrong type in a list', pod({ containers: [{ name: 'c', image: 'i' }, 'x'] }));
  yield make('null in a list', pod({ containers: [{ name: 'c', image: 'i' }, null] }));
  yield make('null in a list of texts', pod({ containers: [{ name: 'c', image: 'i', command: ['a', null] }] }));
  yield make('wrong type deep below', pod({ containers: [{ name: 'c', image: 'i', env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 1 } } }] }] }));
  yield make(
    'field set',
    pod({}, { managedFields: [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } }] }),
  );
  yield make(
    'field set that is a list',
    pod({}, { managedFields: [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: [1] }] }),
  );
}

function* writes() {
  const deployment = {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'web', annotations: { note: 'ünïcödé ✓' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { a: 'b' } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }] } },
    },
  };
  yield { name: 'deployment: create', method: 'POST', path: deployments, type: cbor, body: document(deployment) };
  yield { name: 'deployment: get', path: `${deployments}/web` };
  yield { name: 'deployment: scale', path: `${deployments}/web/scale` };
  yield {
    name: 'deployment: put scale',
    method: 'PUT',
    path: `${deployments}/web/scale`,
    type: cbor,
    body: document({ metadata: { name: 'web' }, spec: { replicas: 3 } }),
  };
  yield {
    name: 'deployment: put a wrong scale',
    method: 'PUT',
    path: `${deployments}/web/scale`,
    type: cbor,
    body: document({ metadata: { name: 'web' }, spec: { replicas: 'x' } }),
  };
  yield {
    name: 'deployment: apply scale',
    method: 'PATCH',
    path: `${deployments}/web/scale?fieldManager=s&force=true`,
    type: apply,
    body: document({ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'web' }, spec: { replicas: 4 } }),
  };
  yield {
    name: 'deployment: status',
    method: 'PUT',
    path: `${deployments}/web/status`,
    type: cbor,
    body: document({ ...deployment, status: { replicas: 1, observedGeneration: 1 } }),
  };
  yield {
    name: 'deployment: strategic patch',
    method: 'PATCH',
    path: `${deployments}/web`,
    type: 'application/strategic-merge-patch+json',
    body: '{"spec":{"replicas":5}}',
  };
  yield {
    name: 'deployment: other version in the body',
    method: 'POST',
    path: deployments,
    type: cbor,
    body: document({ ...deployment, apiVersion: 'apps/v1beta1' }),
  };
  yield {
    name: 'deployment: other kind in the body',
    method: 'POST',
    path: deployments,
    type: cbor,
    body: document({ ...deployment, kind: 'Pod', apiVersion: 'v1' }),
  };
  yield { name: 'deployment: unknown kind in the body', method: 'POST', path: deployments, type: cbor, body: document({ ...deployment, kind: 'Nope' }) };
  yield {
    name: 'deployment: strange version in the body',
    method: 'POST',
    path: deployments,
    type: cbor,
    body: document({ ...deployment, apiVersion: 'a/b/c' }),
  };
  yield {
    name: 'deployment: without kind and version',
    method: 'POST',
    path: deployments,
    type: cbor,
    body: document({ metadata: { name: 'bare' }, spec: deployment.spec }),
  };
  yield { name: 'deployment: invalid', method: 'POST', path: deployments, type: cbor, body: document({ ...deployment, spec: {} }) };
  yield { name: 'deployment: delete', method: 'DELETE', path: `${deployments}/web` };
}

function* applied() {
  const of = (name, more) => document({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, ...more });
  const put = (name, to, body, query = '') => ({ name: `apply: ${name}`, method: 'PATCH', path: `${maps}/${to}?fieldManager=m${query}`, type: apply, body });
  yield put('creates', 'ap', of('ap', { data: { a: '1' } }));
  yield put('changes', 'ap', of('ap', { data: { a: '2', b: '3' } }));
  yield put('removes', 'ap', of('ap', { data: { b: '3' } }));
  yield { ...put('conflicts', 'ap', of('ap', { data: { b: '4' } })), path: `${maps}/ap?fieldManager=other` };
  yield { ...put('is forced', 'ap', of('ap', { data: { b: '4' } })), path: `${maps}/ap?fieldManager=other&force=true` };
  yield put(
    'texts instead of byte strings',
    'ap',
    document(pairs([text('kind'), text('ConfigMap')], [text('apiVersion'), text('v1')], [text('metadata'), pairs([text('name'), text('ap')])])),
  );
  yield put('another name', 'ap', of('other', {}));
  yield put('another kind', 'ap', document({ kind: 'Secret', apiVersion: 'v1', metadata: { name: 'ap' } }));
  yield put('wrong type of a field', 'ap', of('ap', { data: { a: 5 } }));
  yield put('unknown field', 'ap', of('ap', { bogus: 5 }));
  yield put('unknown field, strictly', 'ap', of('ap', { bogus: 5 }), '&fieldValidation=Strict');
  yield put('repeated key', 'ap', document(pairs(['kind', 'ConfigMap'], ['kind', 'ConfigMap'])));
  yield put('number too large', 'ap', of('ap', { data: { a: hex('1bffffffffffffffff') } }));
  yield put('bytes of a secret', 'ap', of('ap', { binaryData: { a: bytes(Buffer.from('hello')) } }));
  yield put('dates under their tags', 'ap', of('ap', { data: { a: tagged(0, text('2020-01-01T00:00:00.500Z')), b: tagged(1, 5), c: tagged(1, float(1.5)) } }));
  yield put('a bad date under its tag', 'ap', of('ap', { data: { a: tagged(0, text('x')) } }));
  yield put('seconds out of reach', 'ap', of('ap', { data: { a: tagged(1, hex('1b00ffffffffffffff')) } }));
  yield { ...put('without a manager', 'ap', of('ap', {})), path: `${maps}/ap` };
  yield {
    name: 'apply: YAML type with a CBOR body',
    method: 'PATCH',
    path: `${maps}/ap?fieldManager=m`,
    type: 'application/apply-patch+yaml',
    body: of('ap', {}),
  };
}

function* watches() {
  const all = `${maps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=ap`;
  yield { name: 'watch: from the beginning', path: all };
  yield { name: 'watch: with bookmarks', path: `${all}&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan` };
  yield { name: 'watch: metadata only', path: all, accept: 'application/cbor;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
  yield { name: 'watch: as a Table', path: all, accept: 'application/cbor;as=Table;v=v1;g=meta.k8s.io' };
  yield { name: 'watch: stream parameter', path: all, accept: 'application/cbor;stream=watch' };
  yield { name: 'watch: from a version that is too large', path: `${maps}?watch=1&timeoutSeconds=1&resourceVersion=99999999` };
  yield { name: 'watch: from a version that is none', path: `${maps}?watch=1&timeoutSeconds=1&resourceVersion=x` };
}

function* customResources() {
  const version = (name, more = {}) => ({
    name,
    served: true,
    storage: name === 'v1',
    subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              n: { type: 'integer' },
              f: { type: 'number' },
              s: { type: 'string' },
              b: { type: 'string', format: 'byte' },
              list: { type: 'array', items: { type: 'string' } },
              free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              port: { 'x-kubernetes-int-or-string': true },
              d: { type: 'integer', default: 7 },
            },
          },
          status: { type: 'object', properties: { n: { type: 'integer' } } },
        },
      },
    },
    ...more,
  });
  const definition = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'gadgets.ex.io' },
    spec: {
      group: 'ex.io',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      scope: 'Namespaced',
      versions: [version('v1'), version('v2')],
    },
  };
  yield { name: 'custom: define', method: 'POST', path: definitions, type: cbor, body: document(definition), setUp: true };
  yield { name: 'custom: served', path: gadgets, until: /^200/, setUp: true };
  yield { name: 'custom: both versions served', path: gadgets.replace('/v1/', '/v2/'), until: /^200/, setUp: true };
  const gadget = {
    kind: 'Gadget',
    apiVersion: 'ex.io/v1',
    metadata: { name: 'g' },
    spec: { n: 42, f: 1.5, s: 'x', list: ['a'], port: 'web', free: { x: [1, { y: null, big: hex('1b0020000000000001') }], flag: true } },
  };
  const put = (name, body, query = '') => ({ name: `custom: ${name}`, method: 'POST', path: `${gadgets}${query}`, type: cbor, body });
  yield put('create', document(gadget));
  yield { name: 'custom: get', path: `${gadgets}/g` };
  yield { name: 'custom: get in another version', path: `${gadgets.replace('/v1/', '/v2/')}/g` };
  yield { name: 'custom: list', path: gadgets };
  yield { name: 'custom: empty list', path: `${gadgets}?labelSelector=no=thing` };
  yield { name: 'custom: metadata of all', path: gadgets, accept: 'application/cbor;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
  yield { name: 'custom: Table', path: gadgets, accept: 'application/cbor;as=Table;v=v1;g=meta.k8s.io' };
  yield { name: 'custom: not found', path: `${gadgets}/nope` };
  yield { name: 'custom: unknown media type', path: `${gadgets}/g`, accept: 'application/xml' };
  yield { name: 'custom: watch', path: `${gadgets}?watch=1&timeoutSeconds=1` };
  yield { name: 'custom: watch in another version', path: `${gadgets.replace('/v1/', '/v2/')}?watch=1&timeoutSeconds=1` };
  yield { name: 'custom: watch as cbor-seq', path: `${gadgets}?watch=1&timeoutSeconds=1`, accept: 'application/cbor-seq' };
  yield { name: 'custom: discovery', path: '/apis/ex.io/v1' };
  yield { name: 'custom: discovery of the group', path: '/apis/ex.io' };
  yield { name: 'custom: scale', path: `${gadgets}/g/scale` };
  yield {
    name: 'custom: apply scale',
    method: 'PATCH',
    path: `${gadgets}/g/scale?fieldManager=s&force=true`,
    type: apply,
    body: document({ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'g' }, spec: { replicas: 4 } }),
  };
  yield { name: 'custom: put status', method: 'PUT', path: `${gadgets}/g/status`, type: cbor, body: document({ ...gadget, status: { n: 3 } }) };
  yield { name: 'custom: update without version', method: 'PUT', path: `${gadgets}/g`, type: cbor, body: document(gadget) };
  yield { name: 'custom: merge patch', method: 'PATCH', path: `${gadgets}/g`, type: 'application/merge-patch+json', body: '{"spec":{"n":43}}' };
  yield { name: 'custom: merge patch in CBOR', method: 'PATCH', path: `${gadgets}/g`, type: 'application/merge-patch+cbor', body: write({}) };
  yield { name: 'custom: strategic patch', method: 'PATCH', path: `${gadgets}/g`, type: 'application/strategic-merge-patch+json', body: '{}' };
  yield {
    name: 'custom: apply',
    method: 'PATCH',
    path: `${gadgets}/applied?fieldManager=m`,
    type: apply,
    body: document({ ...gadget, metadata: { name: 'applied' } }),
  };
  yield {
    name: 'custom: apply again',
    method: 'PATCH',
    path: `${gadgets}/applied?fieldManager=m`,
    type: apply,
    body: document({ ...gadget, metadata: { name: 'applied' }, spec: { n: 1 } }),
  };
  yield { name: 'custom: wrong content type', method: 'POST', path: gadgets, type: 'application/x-cbor', body: document(gadget) };
  yield { name: 'custom: wrong method', method: 'POST', path: `${gadgets}/g`, type: cbor, body: document(gadget) };
  const bare = { kind: 'Gadget', apiVersion: 'ex.io/v1' };
  const dry = '?dryRun=All';
  yield put('no kind', document({ metadata: { name: 'x' } }), dry);
  yield put(
    'no version',
    document({ kind: 'Gadget', metadata: { name: 'x' }, list: [1, -1, 1.5, float(2), true, null, text('a"\'b'), 'a"\'b', tagged(5, 'x')] }),
    dry,
  );
  yield put('another kind', document({ ...bare, kind: 'Other', metadata: { name: 'x' } }), dry);
  yield put('another version', document({ ...bare, apiVersion: 'ex.io/v2', metadata: { name: 'x' } }), dry);
  yield put('a version that is not there', document({ ...bare, apiVersion: 'ex.io/v9', metadata: { name: 'x' } }), dry);
  yield put('a version of another group', document({ ...bare, apiVersion: 'apps/v1', metadata: { name: 'x' } }), dry);
  yield put('kind is a number', document({ ...bare, kind: 5, metadata: { name: 'x' } }), dry);
  yield put('wrong type', document({ ...bare, metadata: { name: 'x' }, spec: { n: 'x' } }), dry);
  yield put('float for an integer', document({ ...bare, metadata: { name: 'x' }, spec: { n: float(1.5) } }), dry);
  yield put('bytes for a text', document({ ...bare, metadata: { name: 'x' }, spec: { s: bytes(Buffer.from('hello')), b: bytes(Buffer.from('hello')) } }), dry);
  yield put('number too large', document({ ...bare, metadata: { name: 'x' }, spec: { n: hex('1bffffffffffffffff') } }), dry);
  yield put('number too small', document({ ...bare, metadata: { name: 'x' }, spec: { n: hex('3bffffffffffffffff') } }), dry);
  yield put('number key', document({ ...bare, metadata: { name: 'x' }, spec: pairs([1, 2]) }), dry);
  yield put('repeated key', document({ ...bare, metadata: { name: 'x' }, spec: pairs(['n', 1], ['n', 2]) }), dry);
  yield put('wrong type of metadata', document({ ...bare, metadata: { name: 5 } }), dry);
  yield put('metadata is a list', document({ ...bare, metadata: [] }), dry);
  yield put('labels are numbers', document({ ...bare, metadata: { name: 'x', labels: { a: 1 } } }), dry);
  yield put('simple value', document({ ...bare, metadata: { name: 'x' }, spec: { free: { a: hex('e0') } } }), dry);
  yield put('null members', document({ ...bare, metadata: { name: 'x' }, spec: { n: null, s: null, d: null } }), dry);
  yield put(
    'times under their tags',
    document({
      ...bare,
      metadata: { name: 'x' },
      spec: { free: { a: tagged(0, text('2020-01-01T00:00:00+00:00')), b: tagged(1, -1), c: tagged(1, float(0.25)) } },
    }),
    dry,
  );
  for (const validation of ['Strict', 'Warn', 'Ignore']) {
    yield put(
      `unknown fields, ${validation}`,
      document({ ...bare, metadata: { name: 'x', bogus: 1 }, spec: { unknown: 1, n: 1 }, top: 1 }),
      `${dry}&fieldValidation=${validation}`,
    );
  }
  for (const [name, digits] of Object.entries(wrong)) {
    const body = Buffer.from(digits.replaceAll(' ', ''), 'hex');
    yield { name: `custom: wrong body (${name})`, method: 'POST', path: gadgets, type: cbor, body };
    yield { name: `custom: wrong apply (${name})`, method: 'PATCH', path: `${gadgets}/wrong?fieldManager=m`, type: apply, body };
  }
  yield { name: 'custom: delete', method: 'DELETE', path: `${gadgets}/g`, type: cbor, body: document({ gracePeriodSeconds: 0 }) };
  yield { name: 'custom: delete many', method: 'DELETE', path: gadgets, type: cbor, body: document({ propagationPolicy: 'Background' }) };
}

function* definitionSchemas() {
  const of = (schema) =>
    document({
      metadata: { name: 'things.ex.io' },
      spec: {
        group: 'ex.io',
        names: { plural: 'things', kind: 'Thing' },
        scope: 'Cluster',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
  const object = (properties) => ({ type: 'object', properties });
  const put = (name, schema, validation = 'Warn') => ({
    name: `schema: ${name}`,
    method: 'POST',
    path: `${definitions}?dryRun=All&fieldValidation=${validation}`,
    type: cbor,
    body: of(schema),
  });
  yield put(
    'items, additional properties, defaults',
    object({
      a: { type: 'array', items: { type: 'string' } },
      b: { type: 'object', additionalProperties: { type: 'integer' } },
      c: { type: 'integer', default: 5, minimum: 1, maximum: 10.5, enum: [1, 5] },
    }),
  );
  yield put('additional properties as flag', object({ b: { type: 'object', additionalProperties: true } }));
  yield put('additional properties as number', object({ b: { type: 'object', additionalProperties: 5 } }));
  yield put('items as a list', object({ a: { type: 'array', items: [{ type: 'string' }] } }));
  yield put('items as a text', object({ a: { type: 'array', items: 'x' } }));
  yield put('unknown field of items', object({ a: { type: 'array', items: { type: 'string', bogus: 1 } } }));
  yield put('unknown field of items, ignored', object({ a: { type: 'array', items: { type: 'string', bogus: 1 } } }), 'Ignore');
  yield put('unknown field of a property', object({ a: { type: 'string', bogus: 1 } }));
  yield put('wrong type in items', object({ a: { type: 'array', items: { type: 5 } } }));
  yield put('minimum as integer', object({ a: { type: 'integer', minimum: 1 } }));
  yield put('minimum as text', object({ a: { type: 'integer', minimum: '1' } }));
  yield put('maximum large', object({ a: { type: 'number', maximum: 1e300, minimum: 0.1 } }));
  yield put('multiple of a half', object({ a: { type: 'number', multipleOf: 0.5, maximum: 65504, minimum: 100000 } }));
}

function* manyKinds() {
  const lists = [
    '/api/v1/namespaces',
    '/api/v1/services',
    '/api/v1/namespaces/default/serviceaccounts',
    '/api/v1/nodes',
    '/api/v1/persistentvolumes',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    '/apis/rbac.authorization.k8s.io/v1/roles',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    '/apis/storage.k8s.io/v1/storageclasses',
    '/apis/networking.k8s.io/v1/ipaddresses',
    '/apis/apps/v1/daemonsets',
    '/apis/batch/v1/cronjobs',
    '/apis/policy/v1/poddisruptionbudgets',
    '/apis/autoscaling/v2/horizontalpodautoscalers',
    '/apis/autoscaling/v1/horizontalpodautoscalers',
  ];
  for (const path of lists) yield { name: `kinds: ${path}`, path: `${path}?limit=3` };
  for (const path of lists)
    yield { name: `kinds: metadata of ${path}`, path: `${path}?limit=3`, accept: 'application/cbor;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
  const named = (name, more) => document({ metadata: { name }, ...more });
  const post = (name, path, body) => ({ name: `kinds: ${name}`, method: 'POST', path: `${path}?dryRun=All`, type: cbor, body });
  const metric = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
  yield post(
    'autoscaler',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    named('h', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, minReplicas: 1, maxReplicas: 3, metrics: [metric] } }),
  );
  yield post(
    'autoscaler v1',
    '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
    named('h', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3, targetCPUUtilizationPercentage: 7 } }),
  );
  yield post(
    'role',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    named('r', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }], aggregationRule: null }),
  );
  yield post(
    'network policy',
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    named('n', { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }, { port: 'web', protocol: 'UDP' }] }] } }),
  );
  yield post('disruption budget', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', named('p', { spec: { minAvailable: '50%', selector: {} } }));
  yield post(
    'lease',
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    named('l', { spec: { holderIdentity: 'x', renewTime: '2020-01-01T00:00:00.123456Z', leaseDurationSeconds: 5 } }),
  );
  yield post('lease with a bad time', '/apis/coordination.k8s.io/v1/namespaces/default/leases', named('l', { spec: { renewTime: '2020-01-01' } }));
  yield post(
    'event',
    '/api/v1/namespaces/default/events',
    named('e', { involvedObject: { namespace: 'default' }, lastTimestamp: '2020-01-01T00:00:00Z', count: 3 }),
  );
  yield post(
    'webhooks',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    named('w', {
      webhooks: [
        {
          name: 'a.b.c',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: 'https://x', caBundle: bytes(Buffer.from('no certificate')) },
        },
      ],
    }),
  );
  yield post(
    'controller revision',
    '/apis/apps/v1/namespaces/default/controllerrevisions',
    named('c', { revision: 1, data: { kind: 'X', apiVersion: 'v1', a: [1, 1.5, 'x', null], tagged: bytes(Buffer.from('hi')) } }),
  );
  yield post('storage class', '/apis/storage.k8s.io/v1/storageclasses', named('s', { provisioner: 'x', parameters: { a: 'b' } }));
  yield post(
    'device claim',
    '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
    named('d', {
      spec: {
        devices: {
          requests: [{ name: 'a', exactly: { deviceClassName: 'c', count: 1, allocationMode: 'ExactCount' } }],
          config: [{ opaque: { driver: 'x.y', parameters: { a: 1, b: [true] } } }],
        },
      },
    }),
  );
  yield post(
    'certificate request',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    named('c', { spec: { request: bytes(Buffer.from('x')), signerName: 'a.b/c', usages: ['any'] } }),
  );
  yield post(
    'job',
    '/apis/batch/v1/namespaces/default/jobs',
    named('j', { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }, backoffLimit: 0, completions: 2 } }),
  );
  yield post(
    'claim of a volume',
    '/api/v1/namespaces/default/persistentvolumeclaims',
    named('p', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.5Gi' } } } }),
  );
  yield post('quota', '/api/v1/namespaces/default/resourcequotas', named('q', { spec: { hard: { cpu: '1', pods: '10' } } }));
  yield post('namespace', '/api/v1/namespaces', named('n'));
  yield post('service account token', '/api/v1/namespaces/default/serviceaccounts/default/token', document({ spec: { expirationSeconds: 5, audiences: [] } }));
  yield post('binding', `${pods}/nope/binding`, document({ metadata: { name: 'nope' }, target: { kind: 'Node', name: 'n' } }));
  yield post('eviction', `${pods}/nope/eviction`, document({ metadata: { name: 'nope' } }));
}

function* reviews() {
  const access = '/apis/authorization.k8s.io/v1/';
  const post = (name, path, body) => ({ name: `review: ${name}`, method: 'POST', path, type: cbor, body });
  yield post('own access', `${access}selfsubjectaccessreviews`, document({ spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } }));
  yield post(
    'access',
    `${access}subjectaccessreviews`,
    document({ spec: { user: 'x', groups: ['y'], extra: { k: ['v'] }, nonResourceAttributes: { path: '/x', verb: 'get' } } }),
  );
  yield post('access, wrong type', `${access}subjectaccessreviews`, document({ spec: { user: 5 } }));
  yield post('token', '/apis/authentication.k8s.io/v1/tokenreviews', document({ spec: { token: 'alice-token' } }));
  yield post('self', '/apis/authentication.k8s.io/v1/selfsubjectreviews', document({}));
}
