import { expect, test } from 'vitest';
import type { StoredForm } from '#api/stored-form.ts';
import { encryptedResources, type EncryptionAtRest } from '#encryption/encrypted-form.ts';
import { defineResource, type ResourceDefinition } from '#resource/definition.ts';
import { rootStruct } from '#schema/build.ts';

/** A resource whose form is made when it is first asked for, like that of a custom kind. */
function lateFormed(form: Partial<StoredForm>) {
  const kind = { group: 'g.example.com', version: 'v1', kind: 'Widget', plural: 'widgets', singular: 'widget', namespaced: true };
  const resource = defineResource({ ...kind, schema: rootStruct('', () => ({})), storage: { version: 'v1', prefix: 'g.example.com/widgets', hash: '' } });
  let made = 0;
  const late = Object.defineProperty(resource, 'form', { get: () => ((made += 1), form), enumerable: true });
  return { late, made: () => made };
}

const live: EncryptionAtRest = { transformerOf: () => undefined, isLive: true, storedKey: (key) => key };

test.each([
  ['with rules', live],
  ['without rules', undefined],
])('no form is made before somebody asks for it, %s', (_, encryption) => {
  const fromStore: StoredForm['fromStore'] = (stored) => stored.map(({ value }) => value);
  const { late, made } = lateFormed({ fromStore });
  const [resource] = encryptedResources([late], encryption) as [ResourceDefinition];
  expect(made()).toBe(0);
  const { form } = resource;
  expect(form.fromStore).not.toBe(fromStore);
  expect([resource.form, made()]).toEqual([form, 1]);
});

test('a form that reads nothing of the store is left as it is', () => {
  const { late } = lateFormed({});
  const [resource] = encryptedResources([late], undefined) as [ResourceDefinition];
  expect(resource.form).toBe(late.form);
  const plain: ResourceDefinition = { ...late };
  expect(encryptedResources([plain], undefined)[0]).toBe(plain);
});
