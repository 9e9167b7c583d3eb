import { expect, test } from 'vitest';
import { apiUnderTest, mergePatch } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount');
const classes = '/apis/networking.k8s.io/v1/ingressclasses';
const spec = { defaultBackend: { service: { name: 's', port: { number: 1 } } } };

async function withClasses<T>(marks: Readonly<Record<string, string | undefined>>, use: () => Promise<T>): Promise<T> {
  for (const [name, mark] of Object.entries(marks)) {
    const annotations = mark === undefined ? {} : { 'ingressclass.kubernetes.io/is-default-class': mark };
    await api.make(classes, { metadata: { name, annotations }, spec: { controller: 'a/b' } });
  }
  try {
    return await use();
  } finally {
    for (const name of Object.keys(marks)) await api.ask('DELETE', `${classes}/${name}`);
  }
}

interface Ingress {
  readonly spec: { readonly ingressClassName?: string };
}

async function createdClass(metadata: object = {}, more: object = {}): Promise<string | undefined> {
  const path = `/apis/networking.k8s.io/v1/namespaces/${await api.namespace()}/ingresses`;
  const made = await api.make(path, { metadata: { name: 'i', ...metadata }, spec: { ...spec, ...more } });
  return (made as unknown as Ingress).spec.ingressClassName;
}

test.each([
  ['no class', {}, undefined],
  ['a class that is not marked', { plain: undefined }, undefined],
  ['a class that is marked as no default', { no: 'false' }, undefined],
  ['one default', { web: 'true', plain: undefined }, 'web'],
])('where there is %s an ingress without a class gets it', async (_, marks, expected) => {
  await withClasses(marks, async () => expect(await createdClass()).toBe(expected));
});

test('of two defaults made in the same second the first by name is taken, of others the newest', async () => {
  await withClasses({ b: 'true', a: 'true' }, async () => {
    const made = await Promise.all(['a', 'b'].map(async (name) => (await api.get(`${classes}/${name}`)).body.metadata.creationTimestamp));
    expect(await createdClass()).toBe(made[0] === made[1] ? 'a' : (made[0] ?? '') > (made[1] ?? '') ? 'a' : 'b');
  });
});

test('an ingress that names a class, or used to in an annotation, is left alone', async () => {
  await withClasses({ web: 'true' }, async () => {
    expect(await createdClass({}, { ingressClassName: 'other' })).toBe('other');
    expect(await createdClass({ annotations: { 'kubernetes.io/ingress.class': 'old' } })).toBeUndefined();
  });
});

test('an update adds no class', async () => {
  const path = `/apis/networking.k8s.io/v1/namespaces/${await api.namespace()}/ingresses`;
  await api.make(path, { metadata: { name: 'i' }, spec });
  await withClasses({ web: 'true' }, async () => {
    const { code, body } = await api.ask('PATCH', `${path}/i`, { metadata: { labels: { a: 'b' } } }, mergePatch);
    expect([code, (body as unknown as Ingress).spec.ingressClassName]).toEqual([200, undefined]);
  });
});
