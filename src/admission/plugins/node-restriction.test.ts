// Nodes are given every right here, so that what refuses them is this plugin and not authorization.
import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiAnswer, apiUnderTest, mergePatch, type Options } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount', '--enable-admission-plugins=NodeRestriction');
const run = Date.now().toString(36);
const [node, other] = [`own-${run}`, `other-${run}`];
const asNode: Options = { as: `system:node:${node}`, groups: ['system:nodes'] };
const patchAsNode: Options = { ...mergePatch, ...asNode };
let nodeUid = '';
let namespace = '';
let pods = '';
let mine = { name: 'mine', uid: '' };

beforeAll(async () => {
  const subjects = [{ kind: 'Group', name: 'system:nodes', apiGroup: 'rbac.authorization.k8s.io' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  await api.make('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { metadata: { name: `nodes-${run}` }, subjects, roleRef });
  nodeUid = (await api.make('/api/v1/nodes', { metadata: { name: node } })).metadata.uid;
  await api.make('/api/v1/nodes', { metadata: { name: other } });
  namespace = await api.namespace();
  pods = `/api/v1/namespaces/${namespace}/pods`;
  await api.ask('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  mine = { name: 'mine', uid: (await api.make(pods, podOn(node, 'mine'))).metadata.uid };
  await api.make(pods, podOn(other, 'theirs'));
});

function podOn(nodeName: string, name: string, more: { metadata?: object; spec?: object } = {}): object {
  const spec = { nodeName, serviceAccountName: 'default', containers: [{ name: 'c', image: 'i' }], ...more.spec };
  return { metadata: { name, ...more.metadata }, spec };
}

function expectRefusal({ code, body }: ApiAnswer, message: string): void {
  expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', message]);
}

describe('nodes', () => {
  const path = (name: string) => `/api/v1/nodes/${name}`;

  test('a node changes itself', async () => {
    const labels = { 'kubernetes.io/arch': 'arm64', 'node.kubernetes.io/x': 'y', 'kubelet.kubernetes.io/x': 'y', 'example.com/x': 'y', plain: 'z' };
    expect((await api.ask('PATCH', path(node), { metadata: { labels } }, patchAsNode)).code).toBe(200);
    expect((await api.ask('PATCH', `${path(node)}/status`, { status: { phase: 'Running' } }, patchAsNode)).code).toBe(200);
  });

  test.each([
    ['changes', 'PATCH', '', { metadata: { labels: { x: 'y' } } }],
    ['reports on', 'PATCH', '/status', { status: { phase: 'Running' } }],
    ['deletes', 'DELETE', '', undefined],
  ])('a node never %s another', async (_, method, part, body) => {
    const answer = await api.ask(method, path(other) + part, body, patchAsNode);
    expectRefusal(answer, `nodes "${other}" is forbidden: node "${node}" is not allowed to modify node "${other}"`);
  });

  test.each([
    [{ spec: { taints: [] } }, `node "${node}" is not allowed to modify taints`],
    [{ metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] } }, `node "${node}" is not allowed to modify ownerReferences`],
    [{ metadata: { labels: { 'node-restriction.kubernetes.io/x': 'y' } } }, 'is not allowed to modify labels: node-restriction.kubernetes.io/x'],
    [{ metadata: { labels: { 'sub.node-restriction.kubernetes.io/x': 'y' } } }, 'is not allowed to modify labels: sub.node-restriction.kubernetes.io/x'],
    [{ metadata: { labels: { 'z.k8s.io/x': 'y', 'kubernetes.io/x': 'y' } } }, 'is not allowed to modify labels: kubernetes.io/x, z.k8s.io/x'],
  ])('a node does not change itself with %j', async (patch, why) => {
    expectRefusal(await api.ask('PATCH', path(node), patch, patchAsNode), `nodes "${node}" is forbidden: ${why}`);
  });

  test('a node registers itself, and nobody else, without labels that are not its own', async () => {
    const fresh = `fresh-${run}`;
    const asFresh: Options = { as: `system:node:${fresh}`, groups: ['system:nodes'] };
    const labels = { 'node-restriction.kubernetes.io/x': 'y', 'kubernetes.io/os': 'linux' };
    const labelled = await api.ask('POST', '/api/v1/nodes', { metadata: { name: fresh, labels } }, asFresh);
    expectRefusal(labelled, `nodes "${fresh}" is forbidden: node "${fresh}" is not allowed to set the following labels: node-restriction.kubernetes.io/x`);
    const foreign = await api.ask('POST', '/api/v1/nodes', { metadata: { name: `else-${run}` } }, asFresh);
    expectRefusal(foreign, `nodes "else-${run}" is forbidden: node "${fresh}" is not allowed to modify node "else-${run}"`);
    expect((await api.ask('POST', '/api/v1/nodes', { metadata: { name: fresh } }, asFresh)).code).toBe(201);
  });

  test('who is no node, by name or by group, is left alone', async () => {
    for (const as of [
      { as: 'system:node:x', groups: ['system:masters'] },
      { as: 'x', groups: ['system:nodes'] },
    ])
      expect((await api.ask('PATCH', path(other), { metadata: { labels: { [as.as.replaceAll(':', '.')]: 'y' } } }, { ...mergePatch, ...as })).code).toBe(200);
  });
});

describe('pods', () => {
  const owner = (more: object = {}) => ({ apiVersion: 'v1', kind: 'Node', name: node, uid: nodeUid, controller: true, ...more });
  const mirror = (name: string, { metadata = {}, spec = {} }: { metadata?: object; spec?: object } = {}) => ({
    metadata: { name, annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner()], ...metadata },
    spec: { nodeName: node, containers: [{ name: 'c', image: 'i' }], ...spec },
  });

  test('a node reflects a pod of its own', async () => {
    expect((await api.ask('POST', pods, mirror('reflected'), asNode)).code).toBe(201);
  });

  const single = `node "${node}" can only create pods with`;
  test.each<[string, () => object, string]>([
    ['no mirror', () => podOn(node, 'm'), `pod does not have "kubernetes.io/config.mirror" annotation, node "${node}" can only create mirror pods`],
    ['on another node', () => mirror('m', { spec: { nodeName: other } }), `${single} spec.nodeName set to itself`],
    ['without an owner', () => mirror('m', { metadata: { ownerReferences: [] } }), `${single} an owner reference set to itself`],
    [
      'with two owners',
      () => mirror('m', { metadata: { ownerReferences: [owner(), owner({ uid: 'u', controller: false })] } }),
      `${single} a single owner reference set to itself`,
    ],
    ['of another owner', () => mirror('m', { metadata: { ownerReferences: [owner({ name: other })] } }), `${single} an owner reference set to itself`],
    [
      'that it does not control',
      () => mirror('m', { metadata: { ownerReferences: [owner({ controller: false })] } }),
      `${single} a controller owner reference set to itself`,
    ],
    [
      'whose deletion it blocks',
      () => mirror('m', { metadata: { ownerReferences: [owner({ blockOwnerDeletion: true })] } }),
      `node "${node}" must not set blockOwnerDeletion on an owner reference`,
    ],
    [
      'with a service account',
      () => mirror('m', { spec: { serviceAccountName: 'default' } }),
      `node "${node}" can not create pods that reference serviceaccounts`,
    ],
    [
      'with a secret',
      () => mirror('m', { spec: { volumes: [{ name: 'v', secret: { secretName: 's' } }] } }),
      `node "${node}" can not create pods that reference secrets`,
    ],
    [
      'with a config map',
      () => mirror('m', { spec: { volumes: [{ name: 'v', configMap: { name: 's' } }] } }),
      `node "${node}" can not create pods that reference configmaps`,
    ],
    [
      'with a claim',
      () => mirror('m', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 's' } }] } }),
      `node "${node}" can not create pods that reference persistentvolumeclaims`,
    ],
    [
      'with a driver',
      () => mirror('m', { spec: { volumes: [{ name: 'v', csi: { driver: 'd' } }] } }),
      `node "${node}" can not create pods that reference csidrivers (via CSI volumes)`,
    ],
  ])('a node creates no pod %s', async (_, body, why) => {
    expectRefusal(await api.ask('POST', pods, body(), asNode), `pods "m" is forbidden: ${why}`);
  });

  test('an owner of the same name is not the same node', async () => {
    const stranger = mirror('m', { metadata: { ownerReferences: [owner({ uid: 'stranger' })] } });
    expectRefusal(await api.ask('POST', pods, stranger, asNode), `pods "m" is forbidden: node ${node} UID mismatch: expected stranger got ${nodeUid}`);
  });

  test('a node reports on its own pods alone, and touches no labels on the way', async () => {
    const status = { status: { phase: 'Running' } };
    expect((await api.ask('PATCH', `${pods}/mine/status`, status, patchAsNode)).code).toBe(200);
    const why = `node "${node}" can only update pod status for pods with spec.nodeName set to itself`;
    expectRefusal(await api.ask('PATCH', `${pods}/theirs/status`, status, patchAsNode), `pods "theirs" is forbidden: ${why}`);
    const labelled = await api.ask('PATCH', `${pods}/mine/status`, { metadata: { labels: { a: 'b' } } }, patchAsNode);
    expectRefusal(labelled, `pods "mine" is forbidden: node "${node}" cannot update labels through pod status`);
  });

  test('a node changes no pod', async () => {
    const answer = await api.ask('PATCH', `${pods}/mine`, { metadata: { labels: { a: 'b' } } }, patchAsNode);
    expectRefusal(answer, `pods "mine" is forbidden: unexpected operation "UPDATE", node "${node}" can only create and delete mirror pods`);
    const debugged = await api.ask('PATCH', `${pods}/mine/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } }, patchAsNode);
    expectRefusal(debugged, `pods "mine" is forbidden: unexpected pod subresource "ephemeralcontainers", only 'status' and 'eviction' are allowed`);
  });

  test('a node deletes and evicts its own pods alone', async () => {
    const evict = (name: string) => api.ask('POST', `${pods}/${name}/eviction`, { metadata: { name } }, asNode);
    expectRefusal(await evict('theirs'), `pods "theirs" is forbidden: node ${node} can only evict pods with spec.nodeName set to itself`);
    const deleted = await api.ask('DELETE', `${pods}/theirs`, undefined, asNode);
    expectRefusal(deleted, `pods "theirs" is forbidden: node "${node}" can only delete pods with spec.nodeName set to itself`);
    await api.make(pods, podOn(node, 'gone'));
    expect((await evict('gone')).code).toBe(201);
    expect((await api.ask('DELETE', `${pods}/gone?gracePeriodSeconds=0`, undefined, asNode)).code).toBeLessThan(405);
  });
});

describe('claims', () => {
  const claim = () => `/api/v1/namespaces/${namespace}/persistentvolumeclaims/claim`;

  beforeAll(async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await api.make(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`, { metadata: { name: 'claim' }, spec });
  });

  test('a node reports how large a volume has become, and nothing else', async () => {
    expect((await api.ask('PATCH', `${claim()}/status`, { status: { capacity: { storage: '1Gi' } } }, patchAsNode)).code).toBe(200);
    const other = await api.ask('PATCH', `${claim()}/status`, { status: { phase: 'Bound' } }, patchAsNode);
    const why = `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`;
    expect(other.code).toBe(403);
    expect(other.body.message).toContain(why);
    const changed = await api.ask('PATCH', claim(), { metadata: { labels: { a: 'b' } } }, patchAsNode);
    expectRefusal(changed, 'persistentvolumeclaims "claim" is forbidden: may only update PVC status');
  });
});

describe('leases, drivers and slices', () => {
  const leases = (inside: string) => `/apis/coordination.k8s.io/v1/namespaces/${inside}/leases`;

  test('a node has one lease, with its name, in their namespace', async () => {
    expect((await api.ask('POST', leases('kube-node-lease'), { metadata: { name: node } }, asNode)).code).toBe(201);
    const elsewhere = await api.ask('POST', leases(namespace), { metadata: { name: node } }, asNode);
    expectRefusal(elsewhere, `leases.coordination.k8s.io "${node}" is forbidden: can only access leases in the "kube-node-lease" system namespace`);
    const foreign = await api.ask('POST', leases('kube-node-lease'), { metadata: { name: other } }, asNode);
    expectRefusal(foreign, `leases.coordination.k8s.io "${other}" is forbidden: can only access node lease with the same name as the requesting node`);
    expect((await api.ask('PATCH', `${leases('kube-node-lease')}/${node}`, { spec: { holderIdentity: node } }, patchAsNode)).code).toBe(200);
    expect((await api.ask('DELETE', `${leases('kube-node-lease')}/${node}`, undefined, asNode)).code).toBe(200);
  });

  test('a node lists its own drivers', async () => {
    const path = '/apis/storage.k8s.io/v1/csinodes';
    expect((await api.ask('POST', path, { metadata: { name: node }, spec: { drivers: [] } }, asNode)).code).toBe(201);
    const foreign = await api.ask('POST', path, { metadata: { name: other }, spec: { drivers: [] } }, asNode);
    expectRefusal(foreign, `csinodes.storage.k8s.io "${other}" is forbidden: can only access CSINode with the same name as the requesting node`);
  });

  test('a node offers its own devices', async () => {
    const path = '/apis/resource.k8s.io/v1/resourceslices';
    const slice = (name: string, nodeName: string) => ({
      metadata: { name },
      spec: { driver: 'd.example.com', nodeName, pool: { name: 'p', generation: 1, resourceSliceCount: 1 } },
    });
    expect((await api.ask('POST', path, slice(`s-${run}`, node), asNode)).code).toBe(201);
    const foreign = await api.ask('POST', path, slice(`t-${run}`, other), asNode);
    expectRefusal(
      foreign,
      `resourceslices.resource.k8s.io "t-${run}" is forbidden: can only create ResourceSlice with the same NodeName as the requesting node`,
    );
    await api.make(path, slice(`u-${run}`, other));
    const deleted = await api.ask('DELETE', `${path}/u-${run}`, undefined, asNode);
    expectRefusal(
      deleted,
      `resourceslices.resource.k8s.io "u-${run}" is forbidden: can only delete ResourceSlice with the same NodeName as the requesting node`,
    );
    expect((await api.ask('DELETE', `${path}/s-${run}`, undefined, asNode)).code).toBe(200);
  });
});

describe('tokens', () => {
  const request = (spec: object) => api.ask('POST', `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`, { spec }, asNode);
  const boundTo = (name: string, uid: string) => ({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid } });
  const audience = (text: string) => `audience "${text}" not found in pod spec volume`;

  test.each<[string, () => Promise<object> | object, string]>([
    ['that is bound to nothing', () => ({}), 'node requested token not bound to a pod'],
    [
      'that is bound to a secret',
      () => ({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u' } }),
      'node requested token not bound to a pod',
    ],
    ['of a pod without its uid', () => boundTo('mine', ''), 'node requested token with a pod binding without a uid'],
    [
      'of an earlier pod',
      () => boundTo('mine', 'u'),
      'the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      'of a pod elsewhere',
      async () => boundTo('theirs', (await api.get(`${pods}/theirs`)).body.metadata.uid),
      'node requested token bound to a pod scheduled on a different node',
    ],
    ['for two audiences', () => ({ ...boundTo(mine.name, mine.uid), audiences: ['a', 'b'] }), 'node may only request 0 or 1 audiences'],
  ])('a node gets no token %s', async (_, spec, why) => {
    expectRefusal(await request(await spec()), `serviceaccounts "default" is forbidden: ${why}`);
  });

  test('a node gets tokens for what its pod has a use for, or for what it is allowed by name', async () => {
    const sources = [{ serviceAccountToken: { audience: 'vault', path: 'token' } }];
    const spec = { volumes: [{ name: 'v', projected: { sources } }] };
    const uid = (await api.make(pods, podOn(node, 'user', { spec }))).metadata.uid;
    expect((await request({ ...boundTo('user', uid), audiences: ['vault'] })).code).toBe(201);
    // Nodes may do everything here, also ask for any audience.
    expect((await request({ ...boundTo('user', uid), audiences: ['elsewhere'] })).code).toBe(201);
  });

  test('a node that may not ask for it gets no token for another audience', async () => {
    await api.ask('DELETE', `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/nodes-${run}`);
    await expect
      .poll(async () => (await request({ ...boundTo(mine.name, mine.uid), audiences: ['elsewhere'] })).body.message)
      .toBe(`serviceaccounts "default" is forbidden: ${audience('elsewhere')}, system:node:${node} is not authorized to request tokens for this audience`);
  });
});
