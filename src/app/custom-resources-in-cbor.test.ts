// Custom resources that a client sends as CBOR.
import { expect, test } from 'vitest';
import { encodeCbor } from '#schema/cbor/cbor.ts';
import { apiUnderTest } from '../../test/support/api-under-test.ts';

const api = apiUnderTest('--feature-gates=CBORServingAndStorage=true');
const group = 'cbor.example.com';
const version = (name: string, storage: boolean): object => ({ name, served: true, storage, schema: { openAPIV3Schema: { type: 'object' } } });

test('a body in another version than the path is refused as in JSON, be the version there or not', async () => {
  const versions = [version('v1', true), version('v2', false)];
  const spec = { group, scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions };
  await api.make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: `things.${group}` }, spec });
  const path = `/apis/${group}/v1/things`;
  while ((await api.get(path)).code !== 200);
  const sent = async (apiVersion: string, type: string) => {
    const thing = { apiVersion, kind: 'Thing', metadata: { name: 'a' } };
    const { code, body } = await api.ask('POST', path, type === 'application/cbor' ? encodeCbor(undefined, thing) : thing, { type });
    return [code, body.message ?? body.kind];
  };
  for (const type of ['application/cbor', 'application/json']) {
    for (const other of [`${group}/v2`, `${group}/v9`, 'v1', 'apps/v1']) {
      expect(await sent(other, type)).toEqual([400, `the API version in the data (${other}) does not match the expected API version (${group}/v1)`]);
    }
  }
  expect(await sent(`${group}/v1`, 'application/cbor')).toEqual([201, 'Thing']);
});
