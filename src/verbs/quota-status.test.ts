import { describe, expect, test } from 'vitest';
import type { StoredQuota } from '#admission/quota/quota-account.ts';
import type { KubernetesObject } from '#api/object.ts';
import { statusForm, usedBytes } from '#verbs/quota-status.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { ResourceCatalog } from '#resource/catalog.ts';

const catalog = new ResourceCatalog(builtinResources, { enabled: () => true, gate: () => true });
const served = catalog.find('', 'v1', 'resourcequotas');
if (served === undefined) throw new Error('resourcequotas are not served');
const hub = catalog.hubOf(served);

interface Facts {
  readonly used: Readonly<Record<string, string>>;
  readonly time: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly others?: readonly object[];
  readonly manager?: string;
}

function quota({ used, time, labels = {}, others = [], manager = 'kube-apiserver' }: Facts): StoredQuota {
  const hard = Object.fromEntries(Object.keys(used).map((name) => [name, '1k']));
  const fields = { 'f:status': { 'f:used': { '.': {}, ...Object.fromEntries(Object.keys(used).map((name) => [`f:${name}`, {}])) } } };
  const own = { manager, operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1: fields, subresource: 'status' };
  const metadata = { name: 'q', namespace: 'n', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', labels, managedFields: [...others, own] };
  return { kind: 'ResourceQuota', apiVersion: 'v1', metadata, spec: { hard }, status: { hard, used } } as unknown as StoredQuota;
}

const creator = {
  manager: 'kubectl "time":"@"',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:hard': {} } },
};

describe('a charge writes what an ordinary update would write', () => {
  test.each<[string, Omit<Facts, 'time'>]>([
    ['one number', { used: { pods: '0' } }],
    [
      'many numbers, in the order of their names',
      { used: { 'requests.cpu': '1', pods: '3', 'count/jobs.batch': '2', 'gold.storageclass.storage.k8s.io/requests.storage': '5Gi' } },
    ],
    ['labels in any language, and texts that look like marks', { used: { pods: '0' }, labels: { a: 'größer', b: '"used":{"@":"0"}' }, others: [creator] }],
  ])('%s', (_, facts) => {
    const [before, after] = ['2026-01-01T00:00:00Z', '2026-02-03T04:05:06Z'];
    const form = statusForm({ catalog }, quota({ ...facts, time: before }));
    if (form === 'foreign') throw new Error('not our numbers');
    const used = Object.fromEntries(Object.keys(facts.used).map((name, index) => [name, `${index * 37}m`]));
    const bytes = usedBytes(form, new Map(Object.entries(used)), after);
    expect(bytes.toString()).toBe(hub.form.encode(quota({ ...facts, used, time: after }) as unknown as KubernetesObject).toString());
  });
});

test.each<[string, Partial<Facts>]>([
  ['of somebody else', { manager: 'somebody' }],
  ['that somebody owns too', { others: [{ ...creator, subresource: 'status', fieldsV1: { 'f:status': { 'f:used': { 'f:pods': {} } } } }] }],
  ['that are not there yet', { used: {} }],
])('numbers %s are not written past an ordinary update', (_, facts) => {
  expect(statusForm({ catalog }, quota({ used: { pods: '0' }, time: '2026-01-01T00:00:00Z', ...facts }))).toBe('foreign');
});

test('numbers that the quota controller wrote stay its own while a charge does not change them', () => {
  const counted = { 'f:status': { 'f:used': { 'f:requests.cpu': {} } } };
  const charged = { 'f:status': { 'f:used': { 'f:pods': {} } } };
  const common = { operation: 'Update', apiVersion: 'v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1', subresource: 'status' };
  const managedFields = [
    { ...common, manager: 'resourcequota-controller', fieldsV1: counted },
    { ...common, manager: 'kube-apiserver', fieldsV1: charged },
  ];
  const base = quota({ used: { pods: '1', 'requests.cpu': '2' }, time: '' });
  const form = statusForm({ catalog }, { ...base, metadata: { ...base.metadata, managedFields } } as unknown as StoredQuota);
  expect(form).toMatchObject({ others: ['requests.cpu'] });
});
