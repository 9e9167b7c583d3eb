// A webhook as a function of the test, and a user who may do one thing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from 'binnacle/testing';

const map = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
const rbac = 'rbac.authorization.k8s.io';

let server;
beforeAll(async () => {
  server = await startTestServer({
    // Without this controller the roles `view`, `edit` and `admin` are empty, as with a bare kube-apiserver.
    controllers: ['clusterrole-aggregation-controller'],
    users: [{ name: 'alice', groups: ['developers'] }],
    webhooks: [
      {
        type: 'validating',
        name: 'names.example.com',
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        handler: ({ name }) => (name === 'bad' ? { allowed: false, message: 'no bad names' } : { allowed: true }),
      },
    ],
  });
});
afterAll(() => server.close());

test('the webhook refuses', async () => {
  await expect(server.client.create(map('bad'))).rejects.toThrow('no bad names');
  await server.client.create(map('good'));
});

test('alice may not, until a role lets her', async () => {
  const { client } = server.user('alice');
  await expect(client.list(map(''), 'default')).rejects.toMatchObject({ code: 403 });
  await server.client.create({
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'developers', namespace: 'default' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: rbac, kind: 'Group', name: 'developers' }],
  });
  await expect.poll(() => client.list(map(''), 'default').then(() => 'allowed', (problem) => problem.reason)).toBe('allowed');
});
