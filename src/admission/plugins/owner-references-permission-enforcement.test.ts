import { beforeAll, describe, expect, test, vi } from 'vitest';
import { apiUnderTest, mergePatch } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount', '--enable-admission-plugins=OwnerReferencesPermissionEnforcement');
let namespace = '';
let configMaps = '';
let serial = 0;
const cannotDelete = "cannot set an ownerRef on a resource you can't delete";
const cannotFinalize = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";

/** Users by what they may do besides creating and changing config maps. */
const users: Readonly<Record<string, readonly object[]>> = {
  plain: [],
  deleter: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] }],
  finalizer: [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] },
    { apiGroups: [''], resources: ['configmaps/finalizers'], verbs: ['update'] },
  ],
};

beforeAll(async () => {
  namespace = await api.namespace();
  configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  for (const [name, more] of Object.entries(users)) {
    const rules = [{ apiGroups: [''], resources: ['configmaps', 'pods', 'pods/status'], verbs: ['create', 'patch', 'update', 'get'] }, ...more];
    await api.make(`${rbac}/roles`, { metadata: { name }, rules });
    const subjects = [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }];
    await api.make(`${rbac}/rolebindings`, { metadata: { name }, subjects, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name } });
  }
  await vi.waitUntil(async () => (await api.ask('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'x' } }, { as: 'finalizer' })).code === 201);
});

const owner = (more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', ...more });
const blocking = owner({ blockOwnerDeletion: true });
const create = (as: string, ownerReferences: object[]) => api.ask('POST', configMaps, { metadata: { name: `c${serial++}`, ownerReferences } }, { as });

async function change(as: string, before: object[], after: object[] | null, more: object = {}) {
  const name = `d${serial++}`;
  await api.make(configMaps, { metadata: { name, ownerReferences: before } });
  return api.ask('PATCH', `${configMaps}/${name}`, { metadata: { ownerReferences: after }, ...more }, { ...mergePatch, as });
}

describe('on creation', () => {
  test('everybody may name an owner', async () => {
    expect((await create('plain', [owner()])).code).toBe(201);
    expect((await create('plain', [owner({ blockOwnerDeletion: false })])).code).toBe(201);
  });

  test('blocking an owner takes the right to set its finalizers', async () => {
    const { code, body } = await create('deleter', [blocking]);
    expect(code).toBe(403);
    expect(body.message).toBe(`configmaps "${`c${serial - 1}`}" is forbidden: ${cannotFinalize}: , <nil>`);
    expect((await create('finalizer', [blocking])).code).toBe(201);
  });

  test('whoever may set all finalizers need not be asked about each', async () => {
    expect(
      (await api.ask('POST', configMaps, { metadata: { name: `e${serial++}`, ownerReferences: [owner({ kind: 'Unheard', blockOwnerDeletion: true })] } })).code,
    ).toBe(201);
  });

  test('an owner of a kind that is not served cannot be blocked', async () => {
    const { code, body } = await create('finalizer', [owner({ apiVersion: 'example.com/v1', kind: 'Unheard', blockOwnerDeletion: true })]);
    expect(code).toBe(403);
    expect(body.message).toContain('cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.com/v1 Kind Unheard: ');
  });
});

describe('on change', () => {
  test.each<[string, object[], object[] | null]>([
    ['added', [], [owner()]],
    ['removed', [owner()], null],
    ['exchanged', [owner()], [owner({ uid: 'v' })]],
  ])('an owner is %s only by those who could delete the object', async (_, before, after) => {
    const { code, body } = await change('plain', before, after);
    expect(code).toBe(403);
    expect(body.message).toContain(`${cannotDelete}: `);
    expect((await change('deleter', before, after)).code).toBe(200);
  });

  test('an owner that was not blocked is blocked only by those who could set its finalizers', async () => {
    expect((await change('deleter', [owner()], [blocking])).body.message).toContain(cannotFinalize);
    expect((await change('finalizer', [owner()], [blocking])).code).toBe(200);
  });

  test('an owner that was blocked before needs no leave', async () => {
    expect((await change('deleter', [blocking], [blocking, owner({ uid: 'v' })])).code).toBe(200);
  });

  test('who leaves the owners alone is left alone', async () => {
    expect((await change('plain', [blocking], [blocking], { data: { a: 'b' } })).code).toBe(200);
  });

  test('the status of a pod may come with other owners, which it cannot change', async () => {
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await api.make(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    const { code } = await api.ask('PATCH', `${pods}/p/status`, { metadata: { ownerReferences: [blocking] } }, { ...mergePatch, as: 'plain' });
    expect(code).toBe(200);
  });
});
