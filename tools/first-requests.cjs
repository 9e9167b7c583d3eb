// What clients ask a server for first, over HTTP/2 as kubectl and client-go speak it: the code that answers is compiled by then, and kept.
'use strict';
const http2 = require('node:http2');

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';
const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

const pages = ['/api', '/apis', '/api/v1', '/apis/apps/v1', '/version', '/openapi/v3', '/api/v1/nope', '/healthz', '/readyz?verbose'];
const patches = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

const container = { name: 'app', image: 'registry.example/app:1', ports: [{ containerPort: 80 }], resources: { requests: { cpu: '100m', memory: '64Mi' } } };
const template = { metadata: { labels: { app: 'warm' } }, spec: { containers: [container] } };
const selector = { matchLabels: { app: 'warm' } };
const schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } }, status: { type: 'object' } } };

/** A collection, and an object for it. */
const objects = [
  ['/api/v1/namespaces/default/configmaps', { kind: 'ConfigMap', apiVersion: 'v1', data: { key: 'value' } }],
  ['/api/v1/namespaces/default/secrets', { kind: 'Secret', apiVersion: 'v1', data: { key: 'dmFsdWU=' } }],
  ['/api/v1/namespaces/default/serviceaccounts', { kind: 'ServiceAccount', apiVersion: 'v1' }],
  [
    '/api/v1/namespaces/default/pods',
    { kind: 'Pod', apiVersion: 'v1', spec: { ...template.spec, serviceAccountName: 'warm', automountServiceAccountToken: false } },
  ],
  ['/api/v1/namespaces/default/services', { kind: 'Service', apiVersion: 'v1', spec: { selector: { app: 'warm' }, ports: [{ port: 80 }] } }],
  ['/apis/apps/v1/namespaces/default/deployments', { kind: 'Deployment', apiVersion: 'apps/v1', spec: { selector, template } }],
  ['/apis/coordination.k8s.io/v1/namespaces/default/leases', { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', spec: { holderIdentity: 'warm' } }],
  ['/api/v1/nodes', { kind: 'Node', apiVersion: 'v1' }],
  ['/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1' }],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: { name: 'widgets.warm.example' },
      spec: {
        group: 'warm.example',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } }],
      },
    },
  ],
  ['/apis/warm.example/v1/namespaces/default/widgets', { kind: 'Widget', apiVersion: 'warm.example/v1', spec: { size: 1 } }],
];

/** `credentials`: ca, cert and key of an administrator. */
module.exports = async function firstRequests(port, credentials) {
  const session = http2.connect(`https://127.0.0.1:${port}`, credentials);
  const ask = (method, path, { body, type = json, accept = json } = {}) => request(session, { method, path, body, type, accept });
  const events = request(session, { method: 'GET', path: '/api/v1/configmaps?watch=true', accept: json, until: 3 });
  for (const path of pages) await ask('GET', path);
  await ask('GET', '/apis', { accept: discovery });
  for (const [collection, object] of objects) await useObject(ask, collection, object);
  for (const [collection, object] of objects.toReversed()) await must(ask('DELETE', pathOf(collection, object)));
  await events;
  session.destroy();
};

async function useObject(ask, collection, object) {
  const named = { ...object, metadata: { name: 'warm', ...object.metadata } };
  await untilServed(ask, collection);
  await must(ask('POST', collection, { body: JSON.stringify(named) }));
  const path = pathOf(collection, object);
  for (const accept of [json, protobuf, table]) await ask('GET', path, { accept });
  for (const accept of [json, protobuf, table, metadataOnly]) await ask('GET', `${collection}?limit=500`, { accept });
  await update(ask, path);
  const metadata = { annotations: { changed: 'again' } };
  await must(ask('PATCH', path, { type: patches.merge, body: JSON.stringify({ metadata }) }));
  await ask('PATCH', path, { type: patches.strategic, body: JSON.stringify({ metadata: { labels: { strategic: 'yes' } } }) });
  await must(ask('PATCH', path, { type: patches.json, body: JSON.stringify([{ op: 'add', path: '/metadata/labels/json', value: 'yes' }]) }));
  const applied = { ...named, metadata: { name: named.metadata.name, labels: { applied: 'yes' } } };
  for (let i = 0; i < 2; i++) await must(ask('PATCH', `${path}?fieldManager=warm&force=true`, { type: patches.apply, body: JSON.stringify(applied) }));
  const bytes = await ask('GET', path, { accept: protobuf });
  if (bytes.code === 200 && bytes.type === protobuf) await ask('PUT', path, { type: protobuf, accept: protobuf, body: bytes.body });
}

/** Controllers may be faster than we are. */
async function update(ask, path) {
  for (let attempt = 0; attempt < 10; attempt++) {
    const object = JSON.parse(await must(ask('GET', path)));
    object.metadata.labels = { ...object.metadata.labels, changed: 'yes' };
    const { code } = await ask('PUT', path, { body: JSON.stringify(object) });
    if (code === 200) return;
  }
  throw new Error(`${path} could not be updated`);
}

function pathOf(collection, { metadata: { name } = { name: 'warm' } }) {
  return `${collection}/${name}`;
}

/** A kind that was just defined. */
async function untilServed(ask, collection) {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await ask('GET', collection)).code === 200) return;
    await new Promise((next) => setTimeout(next, 20));
  }
  throw new Error(`${collection} is not served`);
}

async function must(answer) {
  const { code, body } = await answer;
  if (code >= 400) throw new Error(`a first request was answered with ${code}: ${body}`);
  return body.toString();
}

/** `until`: so many pieces of an answer that does not end. */
function request(session, { method, path, body, type, accept, until = Infinity }) {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, accept, ...(body && { 'content-type': type }) }, { endStream: body === undefined });
    const pieces = [];
    let head = {};
    const done = () => resolve({ code: head[':status'], type: head['content-type'], body: Buffer.concat(pieces) });
    stream
      .on('response', (headers) => (head = headers))
      .on('error', reject)
      .on('end', done);
    stream.on('data', (piece) => {
      if (pieces.push(piece) < until) return;
      done();
      stream.close();
    });
    if (body !== undefined) stream.end(body);
  });
}
