// The part of controllers.mjs about claims for devices. `walk` has ask(method, path, body, type), until(holds) and list(path).
const core = '/api/v1/namespaces/walk';
const claims = '/apis/resource.k8s.io/v1/namespaces/walk/resourceclaims';
const templates = '/apis/resource.k8s.io/v1/namespaces/walk/resourceclaimtemplates';
const merge = 'application/merge-patch+json';

export const deviceControllers = ['resourceclaim-controller'];

export const comparedDevices = { deviceClaims: claims };

const devices = { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpus.example.com' } }] };
const allocation = { devices: { results: [{ request: 'gpu', driver: 'example.com', pool: 'p', device: 'd' }] } };
const finalizer = 'resource.kubernetes.io/delete-protection';

export async function walkDevices({ ask, until, list }) {
  const pod = (name, resourceClaims, spec = {}) =>
    ask('POST', `${core}/pods`, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], resourceClaims, ...spec } });
  const podStatus = (name, status) => ask('PATCH', `${core}/pods/${name}/status`, { status }, merge);
  const madeFor = (name) => until(async () => (await ask('GET', `${core}/pods/${name}`)).status?.resourceClaimStatuses?.length === 1);
  const fromTemplate = [{ name: 'gpu', resourceClaimTemplateName: 'gpus' }];
  const labels = { from: 'template' };
  await ask('POST', templates, { metadata: { name: 'gpus' }, spec: { metadata: { labels, annotations: { note: 'kept' } }, spec: { devices } } });
  for (const name of ['waits', 'ends', 'vanishes']) await pod(name, fromTemplate);
  await pod('without', [{ name: 'gpu', resourceClaimTemplateName: 'missing' }]);
  for (const name of ['waits', 'ends', 'vanishes']) await madeFor(name);
  await podStatus('ends', { phase: 'Succeeded' });
  await ask('DELETE', `${core}/pods/vanishes?gracePeriodSeconds=0`);
  for (const name of ['held', 'freed', 'deleted']) {
    await ask('POST', claims, { metadata: { name, finalizers: [finalizer] }, spec: { devices } });
    await ask('PATCH', `${claims}/${name}/status`, { status: { allocation } }, merge);
    await pod(`user-of-${name}`, [{ name: 'gpu', resourceClaimName: name }], { nodeName: 'n1' });
    await until(async () => (await ask('GET', `${claims}/${name}`)).status?.reservedFor?.length === 1);
  }
  await podStatus('user-of-freed', { phase: 'Failed' });
  await until(async () => (await ask('GET', `${claims}/freed`)).metadata.finalizers === undefined);
  await ask('DELETE', `${claims}/deleted`);
  await ask('DELETE', `${core}/pods/user-of-deleted?gracePeriodSeconds=0`);
  await until(async () => !(await list(claims)).some(({ metadata }) => metadata.name === 'deleted'));
  await until(async () => (await list(`${core}/events`)).some(({ reason }) => reason === 'FailedResourceClaimCreation'));
}
