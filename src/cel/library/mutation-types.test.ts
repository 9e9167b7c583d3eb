import { expect, test } from 'vitest';
import { kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import { JsonPatchValue, jsonPatchLibrary } from '#cel/library/json-patch.ts';
import { ApplyConfigurationValue, misplacedTypes, mutationTypes } from '#cel/library/mutation-types.ts';
import { isList } from '#cel/value.ts';

const environment = kubernetesEnvironment('stored', { libraries: [jsonPatchLibrary] }).extend({ variables: new Map(), types: mutationTypes });

test('JSON patches are built in expressions', () => {
  const value = evaluated("[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]");
  const patch = value !== undefined && isList(value) ? value.get(0) : undefined;
  expect(patch).toBeInstanceOf(JsonPatchValue);
  expect(patch).toMatchObject({ op: 'add', path: '/metadata/labels/a~1b', from: '', value: 'c' });
});

test('a field that was not given is empty, and told apart by has()', () => {
  expect(evaluated("JSONPatch{op: 'remove', path: '/a'}.from")).toBe('');
  expect(evaluated("has(JSONPatch{op: 'remove', path: '/a'}.from)")).toBe(false);
  expect(evaluated("has(JSONPatch{op: 'remove', path: '/a'}.value)")).toBe(false);
  expect(evaluated("JSONPatch{op: 'add', value: 1} == JSONPatch{op: 'add', value: 1}")).toBe(true);
  expect(evaluated("JSONPatch{op: 'add', value: 1} == JSONPatch{op: 'add', value: 2}")).toBe(false);
});

test('a text field takes nothing but text, an unknown field nothing', () => {
  expect(environment.compile('JSONPatch{op: 1}').program).toBeUndefined();
  const unknown = environment.compile("JSONPatch{nope: 'x'}");
  expect(unknown.program).toBeUndefined();
  expect(unknown).toMatchObject({ text: expect.stringContaining("expected type of field 'nope' is '' but provided type is 'string'") });
});

test('objects of apply configurations have any fields, at the place that their type names', () => {
  const value = evaluated('Object{spec: Object.spec{replicas: 3, list: [Object.spec.list{a: 1}]}}');
  expect(value).toBeInstanceOf(ApplyConfigurationValue);
  expect(value instanceof ApplyConfigurationValue && misplacedTypes(value)).toEqual([]);
  const wrong = evaluated('Object{spec: Object.metadata{name: "x"}}');
  expect(wrong instanceof ApplyConfigurationValue && misplacedTypes(wrong)).toEqual([
    'unexpected type name "Object.metadata", expected "Object.spec", which matches field name path from root Object type',
  ]);
});

function evaluated(expression: string) {
  const { program } = environment.compile(expression);
  if (program === undefined) throw new Error('refused');
  const outcome = program.evaluate(new Map());
  if (outcome.status === 'error') throw new Error(outcome.message);
  return outcome.value;
}
