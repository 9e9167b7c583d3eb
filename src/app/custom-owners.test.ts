// Who owns the fields of custom objects that are written in several versions of their kind.
import { expect, test } from 'vitest';
import { apiUnderTest, applyPatch, mergePatch } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function version(name: string, type: string, served = true): object {
  const spec = { type: 'object', properties: { a: { type }, b: { type: 'string' } } };
  return { name, served, storage: name === 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
}

/** v1 is stored, v2 is alike, v3 is not served, and in v4 the field has another type. */
const versions = [version('v1', 'string'), version('v2', 'string'), version('v3', 'string', false), version('v4', 'integer')];

async function gadgets(group: string): Promise<(version: string) => string> {
  const names = { plural: 'gadgets', kind: 'Gadget' };
  await api.make(definitions, { metadata: { name: `gadgets.${group}` }, spec: { group, scope: 'Namespaced', names, versions } });
  const namespace = await api.namespace();
  const path = (of: string) => `/apis/${group}/${of}/namespaces/${namespace}/gadgets`;
  while ((await api.get(path('v4'))).code !== 200);
  return path;
}

/** As in `v1 m1 f:a`. */
function entry(apiVersion: string, manager: string): object {
  return { apiVersion, manager, operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:a': {} } } };
}

function ownersOf({ body }: { readonly body: { readonly metadata: { readonly managedFields?: readonly { manager?: string; apiVersion?: string }[] } } }) {
  return (body.metadata.managedFields ?? []).map(({ manager, apiVersion }) => `${manager} ${apiVersion?.replace(/.*\//, '')}`);
}

test('owners in a version that is not served any more stay', async () => {
  const path = await gadgets('unserved.example.com');
  await api.make(`${path('v1')}?fieldManager=m1`, { apiVersion: 'unserved.example.com/v1', kind: 'Gadget', metadata: { name: 'a' }, spec: { a: 'x', b: 'y' } });
  const managedFields = [entry('unserved.example.com/v3', 'old')];
  const taken = await api.ask('PATCH', `${path('v1')}/a?fieldManager=m2`, { metadata: { managedFields }, spec: { b: 'z' } }, mergePatch);
  expect(ownersOf(taken)).toEqual(['old v3', 'm2 v1']);
  const applied = { apiVersion: 'unserved.example.com/v1', kind: 'Gadget', spec: { a: 'z' } };
  expect((await api.ask('PATCH', `${path('v1')}/a?fieldManager=m3`, applied, applyPatch)).body.message).toBe(
    'Apply failed with 1 conflict: conflict with "old" using unserved.example.com/v3: .spec.a',
  );
});

test('an owner in a version that the definition does not have ends the tracking of an update, and an apply', async () => {
  const group = 'missing.example.com';
  const path = await gadgets(group);
  const object = (name: string, managedFields?: readonly object[]) => ({
    apiVersion: `${group}/v1`,
    kind: 'Gadget',
    metadata: { name, managedFields },
    spec: { a: 'x' },
  });
  expect(ownersOf(await api.ask('POST', path('v1'), object('a', [entry(`${group}/v9`, 'old')])))).toEqual([]);
  expect(ownersOf(await api.ask('POST', path('v1'), object('b', [entry('other.example.com/v1', 'old')])))).toEqual([]);

  await api.make(path('v2'), { ...object('c'), apiVersion: `${group}/v2` });
  await api.ask(
    'PATCH',
    `${definitions}/gadgets.${group}`,
    { spec: { versions: versions.filter((one) => !JSON.stringify(one).includes('"v2"')) } },
    mergePatch,
  );
  while ((await api.get(path('v2'))).code !== 404);
  expect(
    (await api.ask('PATCH', `${path('v1')}/c?fieldManager=m3`, { apiVersion: `${group}/v1`, kind: 'Gadget', spec: { b: 'y' } }, applyPatch)).body.message,
  ).toBe(`request to convert CR to an invalid group/version: ${group}/v2`);
  expect(ownersOf(await api.get(`${path('v1')}/c`))).toHaveLength(1);
  expect(ownersOf(await api.ask('PATCH', `${path('v1')}/c`, { spec: { b: 'y' } }, mergePatch))).toEqual([]);
});

test('an object that is none in the version of a patch loses its owners', async () => {
  const path = await gadgets('typed.example.com');
  await api.make(path('v4'), { apiVersion: 'typed.example.com/v4', kind: 'Gadget', metadata: { name: 'a' }, spec: { a: 5, b: 'x' } });
  expect(ownersOf(await api.get(`${path('v1')}/a`))).toHaveLength(1);
  expect(ownersOf(await api.ask('PATCH', `${path('v1')}/a`, { spec: { b: 'y' } }, mergePatch))).toEqual([]);
});
