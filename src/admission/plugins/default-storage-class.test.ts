import { expect, test } from 'vitest';
import { apiUnderTest, mergePatch } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount');
const classes = '/apis/storage.k8s.io/v1/storageclasses';
const mark = 'storageclass.kubernetes.io/is-default-class';
const oldMark = 'storageclass.beta.kubernetes.io/is-default-class';
const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

async function withClasses<T>(marks: Readonly<Record<string, object>>, use: () => Promise<T>): Promise<T> {
  for (const [name, annotations] of Object.entries(marks)) await api.make(classes, { metadata: { name, annotations }, provisioner: 'p' });
  try {
    return await use();
  } finally {
    for (const name of Object.keys(marks)) await api.ask('DELETE', `${classes}/${name}`);
  }
}

interface Claim {
  readonly spec: { readonly storageClassName?: string };
}

const classOf = (claim: unknown) => (claim as Claim).spec.storageClassName;

async function createdClass(metadata: object = {}, more: object = {}): Promise<string | undefined> {
  const path = `/api/v1/namespaces/${await api.namespace()}/persistentvolumeclaims`;
  return classOf(await api.make(path, { metadata: { name: 'c', ...metadata }, spec: { ...spec, ...more } }));
}

test.each([
  ['no class', {}, undefined],
  ['a class that is not marked', { plain: {} }, undefined],
  ['a class that is marked as no default', { no: { [mark]: 'false' } }, undefined],
  ['one default', { fast: { [mark]: 'true' }, plain: {} }, 'fast'],
  ['one default with the mark of old', { slow: { [oldMark]: 'true' } }, 'slow'],
])('where there is %s a claim without a class gets it', async (_, marks, expected) => {
  await withClasses(marks, async () => expect(await createdClass()).toBe(expected));
});

test('of two defaults made in the same second the first by name is taken, of others the newest', async () => {
  await withClasses({ b: { [mark]: 'true' }, a: { [mark]: 'true' } }, async () => {
    const made = await Promise.all(['a', 'b'].map(async (name) => (await api.get(`${classes}/${name}`)).body.metadata.creationTimestamp));
    expect(await createdClass()).toBe(made[0] === made[1] ? 'a' : (made[0] ?? '') > (made[1] ?? '') ? 'a' : 'b');
  });
});

test('a claim that names a class, even none, is left alone, and so is one with the annotation of old', async () => {
  await withClasses({ fast: { [mark]: 'true' } }, async () => {
    expect(await createdClass({}, { storageClassName: 'other' })).toBe('other');
    expect(await createdClass({}, { storageClassName: '' })).toBe('');
    expect(await createdClass({ annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } })).toBeUndefined();
  });
});

test('an update adds no class', async () => {
  const path = `/api/v1/namespaces/${await api.namespace()}/persistentvolumeclaims`;
  await api.make(path, { metadata: { name: 'c' }, spec });
  await withClasses({ fast: { [mark]: 'true' } }, async () => {
    const { code, body } = await api.ask('PATCH', `${path}/c`, { metadata: { labels: { a: 'b' } } }, mergePatch);
    expect([code, classOf(body)]).toEqual([200, undefined]);
  });
});
