import { describe, expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { ObjectMeta } from '#api/object.ts';
import { validateCommonMetadata, validateCommonMetadataUpdate, validateMetadata } from '#resource/metadata-rules.ts';

const valid: ObjectMeta = {
  name: 'one',
  namespace: 'default',
  uid: 'u',
  resourceVersion: '1',
  generation: 2,
  creationTimestamp: '2030-01-02T03:04:05Z',
  labels: { app: 'web', 'example.com/tier': '' },
  annotations: { 'Example.com/Note': 'any text' },
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'x', controller: true }],
  finalizers: ['example.com/keep', 'orphan'],
  managedFields: [{ manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', subresource: 'status' }],
};

function created(changes: Partial<ObjectMeta>, namespaced = true): string[] {
  const errors = new FieldErrors();
  validateMetadata({ ...valid, ...changes }, { namespaced, name: nameIsSubdomain }, 'metadata', errors);
  return errors.list.map(String);
}

function updated(changes: Partial<ObjectMeta>, old: Partial<ObjectMeta> = {}): string[] {
  const errors = new FieldErrors();
  validateCommonMetadataUpdate({ ...valid, ...changes }, { ...valid, ...old }, true, errors);
  return [...new Set(errors.list.map(String))];
}

const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };

describe('metadata of a new object', () => {
  test('may have everything', () => {
    expect(created({})).toEqual([]);
  });

  test.each<[Partial<ObjectMeta>, string]>([
    [{ name: undefined }, 'metadata.name: Required value: name or generateName is required'],
    [{ name: 'A' }, 'metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain'],
    [{ generateName: 'AB-' }, 'metadata.generateName: Invalid value: "AB-": a lowercase RFC 1123 subdomain'],
    [{ namespace: '' }, 'metadata.namespace: Required value'],
    [{ namespace: 'A' }, 'metadata.namespace: Invalid value: "A": a lowercase RFC 1123 label'],
    [{ generation: -1 }, 'metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    [{ labels: { 'a b': 'c' } }, 'metadata.labels: Invalid value: "a b": name part must consist of'],
    [{ labels: { 'a/b/c': 'c' } }, 'metadata.labels: Invalid value: "a/b/c": a valid label key must consist of'],
    [{ labels: { 'A.B/c': 'c' } }, 'metadata.labels: Invalid value: "A.B/c": prefix part a lowercase RFC 1123 subdomain'],
    [{ labels: { '/c': 'c' } }, 'metadata.labels: Invalid value: "/c": prefix part must be non-empty'],
    [{ labels: { a: 'b c' } }, 'metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of'],
    [{ labels: { a: 'b'.repeat(64) } }, `metadata.labels: Invalid value: "${'b'.repeat(64)}": must be no more than 63 bytes`],
    [{ annotations: { 'a b': 'c' } }, 'metadata.annotations: Invalid value: "a b": name part must consist of'],
    [{ annotations: { a: 'b'.repeat(256 * 1024) } }, 'metadata.annotations: Too long: may not be more than 262144 bytes'],
    [{ ownerReferences: [{ ...owner, apiVersion: '' }] }, 'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty'],
    [{ ownerReferences: [{ ...owner, kind: '' }] }, 'metadata.ownerReferences.kind: Invalid value: "": must not be empty'],
    [{ ownerReferences: [{ ...owner, name: '' }] }, 'metadata.ownerReferences.name: Invalid value: "": must not be empty'],
    [{ ownerReferences: [{ ...owner, uid: '' }] }, 'metadata.ownerReferences.uid: Invalid value: "": must not be empty'],
    [
      { ownerReferences: [{ ...owner, kind: 'Event' }] },
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
    [{ finalizers: ['a b'] }, 'metadata.finalizers: Invalid value: "a b": name part must consist of'],
    [
      { finalizers: ['orphan', 'foregroundDeletion'] },
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [{ managedFields: [{ operation: 'Nope' }] }, 'metadata.managedFields[0].operation: Invalid value: "Nope": must be `Apply` or `Update`'],
    [{ managedFields: [{ operation: 'Apply', fieldsType: 'V9' }] }, 'metadata.managedFields[0].fieldsType: Invalid value: "V9": must be `FieldsV1`'],
    [{ managedFields: [{ operation: 'Apply', manager: 'a'.repeat(129) }] }, 'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes'],
    [
      { managedFields: [{ operation: 'Apply', manager: 'ä\u0001' }] },
      'metadata.managedFields[0].manager: Invalid value: "ä\\x01": invalid character U+0001 (at position 2)',
    ],
    [
      { managedFields: [{ operation: 'Apply', subresource: 'a'.repeat(257) }] },
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
  ])('may not have %j', (changes, message) => {
    const messages = created(changes);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.startsWith(message)).toBe(true);
  });

  test('may name one controller only', () => {
    const [message] = created({
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, uid: 'v', controller: true },
      ],
    });
    expect(message).toContain('Only one reference can have Controller set to true. Found "true" in references for Node/n and Node/n');
  });

  test('has no namespace where the kind has none', () => {
    expect(created({}, false)).toEqual(['metadata.namespace: Forbidden: not allowed on this type']);
  });

  test('needs a name that can stand in a path, whatever the kind', () => {
    const errors = new FieldErrors();
    validateCommonMetadata({ ...valid, name: 'A:b' }, true, errors);
    expect(errors.empty).toBe(true);
    validateCommonMetadata({ ...valid, name: 'a/b' }, true, errors);
    expect(errors.list.map(String)).toEqual(['metadata.name: Invalid value: "a/b": may not contain \'/\'']);
  });
});

describe('metadata of a changed object', () => {
  test('may stay as it is', () => {
    expect(updated({})).toEqual([]);
  });

  test.each<[Partial<ObjectMeta>, string]>([
    [{ name: 'two' }, 'metadata.name: Invalid value: "two": field is immutable'],
    [{ namespace: 'other' }, 'metadata.namespace: Invalid value: "other": field is immutable'],
    [{ uid: 'v' }, 'metadata.uid: Invalid value: "v": field is immutable'],
    [{ deletionTimestamp: '2030-01-02T03:04:05Z' }, 'metadata.deletionTimestamp: Invalid value: "2030-01-02T03:04:05Z": field is immutable'],
    [{ deletionGracePeriodSeconds: 1 }, 'metadata.deletionGracePeriodSeconds: Invalid value: 1: field is immutable'],
    [{ generation: 1 }, 'metadata.generation: Invalid value: 1: must not be decremented'],
    [{ resourceVersion: '' }, 'metadata.resourceVersion: Invalid value: "": must be specified for an update'],
  ])('may not have %j', (changes, message) => {
    expect(updated(changes)).toEqual([message]);
  });

  test('gets no new finalizers while it goes away', () => {
    const gone = { deletionTimestamp: '2030-01-02T03:04:05Z' };
    const messages = updated({ ...gone, finalizers: ['example.com/b', 'example.com/a'] }, gone);
    const detail = 'no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/a", "example.com/b"}';
    expect(messages).toEqual([`metadata.finalizers: Forbidden: ${detail}`]);
  });
});
