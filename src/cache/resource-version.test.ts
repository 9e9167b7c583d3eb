import { expect, test } from 'vitest';
import { exchangeResourceVersion, withResourceVersion } from '#cache/resource-version.ts';

const put = (text: string, revision = 7) => withResourceVersion(Buffer.from(text), revision).toString();

test('the resourceVersion stands behind the uid, where the field belongs', () => {
  expect(put('{"metadata":{"name":"a","uid":"u","labels":{}},"x":"é"}')).toBe('{"metadata":{"name":"a","uid":"u","resourceVersion":"7","labels":{}},"x":"é"}');
});

test('only the first uid counts: others belong to owners and references', () => {
  const text = '{"metadata":{"uid":"u","ownerReferences":[{"uid":"o"}]},"claimRef":{"uid":"c"}}';
  expect(JSON.parse(put(text))).toEqual({ ...JSON.parse(text), metadata: { ...JSON.parse(text).metadata, resourceVersion: '7' } });
});

test('text that looks like a uid field inside a value is not mistaken for one', () => {
  const object = { metadata: { name: '"uid":"x"', uid: 'u' } };
  expect(JSON.parse(put(JSON.stringify(object)))).toEqual({ metadata: { ...object.metadata, resourceVersion: '7' } });
});

test('an object without uid gets it too', () => {
  expect(put('{"metadata":{"name":"a"}}')).toBe('{"metadata":{"resourceVersion":"7","name":"a"}}');
  expect(put('{"metadata":{}}')).toBe('{"metadata":{"resourceVersion":"7"}}');
  expect(() => put('{}')).toThrow('no metadata');
});

test('a resourceVersion in place is exchanged for another of any length', () => {
  const json = withResourceVersion(Buffer.from('{"metadata":{"uid":"u","a":"ü"}}'), 99);
  expect(exchangeResourceVersion(json, 100).toString()).toBe('{"metadata":{"uid":"u","resourceVersion":"100","a":"ü"}}');
});
