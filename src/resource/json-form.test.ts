import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { spliced, type StoredForm } from '#api/stored-form.ts';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { jsonForm } from '#resource/json-form.ts';
import { schemaFromOpenApi } from '#schema/structural/from-openapi.ts';

const builtIn = jsonForm({ group: '', version: 'v1', kind: 'ConfigMap', schema: ConfigMap });
const custom = jsonForm({
  group: 'rules.example',
  version: 'v1',
  kind: 'Thing',
  schema: schemaFromOpenApi({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, ObjectMeta),
});

const put = (form: StoredForm, text: string, revision = 7) => spliced(Buffer.from(text), form.placeOfVersion(Buffer.from(text), revision)).toString();
const exchanged = (form: StoredForm, text: string, revision: number) =>
  spliced(Buffer.from(text), form.placeOfOtherVersion(Buffer.from(text), revision)).toString();

describe.each([
  ['a built-in kind', builtIn],
  ['a custom kind', custom],
])('the resourceVersion of %s', (_, form) => {
  test('stands behind the uid, where the field belongs', () => {
    expect(put(form, '{"metadata":{"name":"a","uid":"u","labels":{}},"x":"é"}')).toBe(
      '{"metadata":{"name":"a","uid":"u","resourceVersion":"7","labels":{}},"x":"é"}',
    );
  });

  test('is not put into owners and references, which have a uid too', () => {
    const text = '{"metadata":{"uid":"u","ownerReferences":[{"uid":"o"}]},"claimRef":{"uid":"c"}}';
    expect(JSON.parse(put(form, text))).toEqual({ ...JSON.parse(text), metadata: { ...JSON.parse(text).metadata, resourceVersion: '7' } });
  });

  test('does not take text inside a value for a uid', () => {
    const object = { metadata: { name: '"uid":"x"', uid: 'u' } };
    expect(JSON.parse(put(form, JSON.stringify(object)))).toEqual({ metadata: { ...object.metadata, resourceVersion: '7' } });
  });

  test('is there without a uid too', () => {
    expect(put(form, '{"metadata":{"name":"a"}}')).toBe('{"metadata":{"resourceVersion":"7","name":"a"}}');
    expect(put(form, '{"metadata":{}}')).toBe('{"metadata":{"resourceVersion":"7"}}');
    expect(() => put(form, '{}')).toThrow('no metadata');
  });

  test('is exchanged for another of any length', () => {
    expect(exchanged(form, put(form, '{"metadata":{"uid":"u","a":"ü"}}', 99), 100)).toBe('{"metadata":{"uid":"u","resourceVersion":"100","a":"ü"}}');
  });
});

describe('fields of a custom object that stand before its metadata', () => {
  const object = {
    apiVersion: 'rules.example/v1',
    kind: 'Thing',
    claim: { uid: 'x', resourceVersion: '1', metadata: { uid: 'y' } },
    metadata: { name: 'a', uid: 'u' },
  };
  const served = put(custom, custom.encode(object as KubernetesObject).toString());

  test('do not catch the resourceVersion', () => {
    expect(served.indexOf('"claim"')).toBeLessThan(served.indexOf('"metadata":{"name"'));
    expect(JSON.parse(served)).toEqual({ ...object, metadata: { ...object.metadata, resourceVersion: '7' } });
  });

  test('keep theirs when that of the object is exchanged', () => {
    expect(JSON.parse(exchanged(custom, served, 12345))).toEqual({ ...object, metadata: { ...object.metadata, resourceVersion: '12345' } });
  });
});

test('what is stored says nothing about resourceVersion and selfLink', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'u', resourceVersion: '3', selfLink: '/a' } };
  expect(builtIn.encode(object).toString()).toBe('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u"}}');
  expect(builtIn.parse(builtIn.encodeWhole(object))).toEqual(object);
});

describe('in a list', () => {
  const listOf = (form: StoredForm, item: KubernetesObject) => {
    const { head, tail, skip } = form.listFrame({ resourceVersion: '9' });
    return `${head}{${form.encode(item).toString().slice(skip)}${tail}`;
  };

  test('objects of a built-in kind do not repeat their type', () => {
    const item = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } };
    const text = listOf(builtIn, item);
    expect(text).toBe('{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a"}}]}\n');
    expect(builtIn.listObject([item], { resourceVersion: '9' })).toEqual(JSON.parse(text));
  });

  test('custom objects keep theirs, and all keys are sorted', () => {
    const item = { kind: 'Thing', apiVersion: 'rules.example/v1', metadata: { name: 'a' } };
    const text = listOf(custom, item);
    expect(text).toBe(
      '{"apiVersion":"rules.example/v1","items":[{"apiVersion":"rules.example/v1","kind":"Thing","metadata":{"name":"a"}}],"kind":"ThingList","metadata":{"continue":"","resourceVersion":"9"}}\n',
    );
    expect(custom.listObject([item], { resourceVersion: '9' })).toEqual(JSON.parse(text));
  });
});
