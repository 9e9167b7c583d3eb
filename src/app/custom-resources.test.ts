import { describe, expect, test } from 'vitest';
import { apiUnderTest } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function widgets(group: string) {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } } };
  return {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } }],
    },
  };
}

async function established(name: string): Promise<void> {
  for (;;) {
    const { body } = await api.get(`${definitions}/${name}`);
    if (JSON.stringify(body).includes('"InitialNamesAccepted"')) return;
  }
}

describe('a custom resource', () => {
  test('is served once its definition is established: pruned, defaulted, validated, and gone with it', async () => {
    const group = 'served.example.com';
    await api.make(definitions, widgets(group));
    await established(`widgets.${group}`);
    const path = `/apis/${group}/v1/namespaces/${await api.namespace()}/widgets`;
    const made = await api.ask('POST', path, { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { extra: 1 } });
    expect(made.code).toBe(201);
    expect(made.body).toMatchObject({ spec: { size: 3 }, metadata: { generation: 1 } });
    expect(made.body['spec']).not.toHaveProperty('extra');
    const wrong = await api.ask('POST', path, { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'b' }, spec: { size: 'x' } });
    expect(wrong.code).toBe(422);
    expect((await api.get(`/apis/${group}/v1`)).body).toMatchObject({ resources: [{ name: 'widgets', kind: 'Widget' }, { name: 'widgets/status' }] });
    expect((await api.ask('DELETE', `${definitions}/widgets.${group}`)).code).toBe(200);
    while ((await api.get(`${definitions}/widgets.${group}`)).code !== 404);
    expect((await api.get(path)).code).toBe(404);
  });
});
