// The rules of metadata, put through config maps; what a request never brings as far as the rules is put to them directly.
import type { FieldErrors } from '#api/field-error.ts';
import type { ObjectMeta } from '#api/object.ts';
import { configmaps } from '#kinds/core/v1/config-map-resource.ts';
import { namespaces } from '#kinds/core/v1/namespace-resource.ts';
import { validateCommonMetadata, validateCommonMetadataUpdate } from '#resource/metadata-rules.ts';
import { notKey, notLabel, notLabelValue, notSubdomain } from '../../../test/support/format-texts.ts';
import { describeFieldErrors, describeRefusals, describeUpdateRefusals } from '../../../test/support/rule-cases.ts';

const owner = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'rs',
  uid: '0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11',
  controller: true,
  blockOwnerDeletion: true,
};
const valid = {
  metadata: {
    name: 'one',
    labels: { app: 'web', 'example.com/tier': '' },
    annotations: { 'Example.com/Note': 'any text' },
    ownerReferences: [owner],
    finalizers: ['example.com/keep', 'orphan'],
  },
};
const entry = { manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {}, time: '2030-01-02T03:04:05Z' };
const notReached = { notAsked: 'the server replaces what is asked for before the rules see it' };

describeRefusals('metadata', configmaps, valid, [
  ['no name', { 'metadata.name': '' }, 'metadata.name: Required value: name or generateName is required'],
  ['a name that is none', { 'metadata.name': 'A' }, `metadata.name: ${notSubdomain('A')}`],
  [
    'too long a name',
    { 'metadata.name': 'a'.repeat(254) },
    'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 253 characters',
  ],
  ['a label key that is none', { 'metadata.labels': { 'a b': 'c' } }, `metadata.labels: ${notKey('a b')}`],
  [
    'a label key of three parts',
    { 'metadata.labels': { 'a/b/c': 'd' } },
    "metadata.labels: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  ],
  ['a label key without prefix', { 'metadata.labels': { '/a': 'd' } }, 'metadata.labels: Invalid value: "/a": prefix part must be non-empty'],
  [
    'a label key with a prefix that is none',
    { 'metadata.labels': { 'A_B/c': 'd' } },
    "metadata.labels: Invalid value: \"A_B/c\": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  ['a label value that is none', { 'metadata.labels': { a: 'b c' } }, `metadata.labels: ${notLabelValue('b c')}`],
  [
    'too long a label value',
    { 'metadata.labels': { a: 'b'.repeat(64) } },
    'metadata.labels: Invalid value: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": must be no more than 63 bytes',
  ],
  ['an annotation key that is none', { 'metadata.annotations': { 'a b': 'c' } }, `metadata.annotations: ${notKey('a b')}`],
  ['too much in annotations', { 'metadata.annotations': { a: 'b'.repeat(256 * 1024) } }, 'metadata.annotations: Too long: may not be more than 262144 bytes'],
  [
    'an owner without version',
    { 'metadata.ownerReferences.0.apiVersion': '' },
    'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
  ],
  ['an owner without kind', { 'metadata.ownerReferences.0.kind': '' }, 'metadata.ownerReferences.kind: Invalid value: "": must not be empty'],
  ['an owner without name', { 'metadata.ownerReferences.0.name': '' }, 'metadata.ownerReferences.name: Invalid value: "": must not be empty'],
  ['an owner without uid', { 'metadata.ownerReferences.0.uid': '' }, 'metadata.ownerReferences.uid: Invalid value: "": must not be empty'],
  [
    'an event as owner',
    { 'metadata.ownerReferences.0.apiVersion': 'v1', 'metadata.ownerReferences.0.kind': 'Event' },
    'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"rs","uid":"0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11","controller":true,"blockOwnerDeletion":true}: /v1, Kind=Event is disallowed from being an owner',
  ],
  [
    'two controllers',
    { 'metadata.ownerReferences.1': { ...owner, name: 'other', uid: '1e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c12' } },
    'metadata.ownerReferences: Invalid value: [{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11","controller":true,"blockOwnerDeletion":true},{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"other","uid":"0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11","controller":true,"blockOwnerDeletion":true}]: Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/rs and ReplicaSet/other',
  ],
  [
    'a finalizer that is none',
    { 'metadata.finalizers': ['a b'] },
    `metadata.finalizers: ${notKey('a b')}`,
    'metadata.finalizers[0]: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [
    'a finalizer without domain',
    { 'metadata.finalizers': ['mine'] },
    'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [
    'dependents orphaned and deleted first',
    { 'metadata.finalizers': ['orphan', 'foregroundDeletion'] },
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ],
]);

describeRefusals('metadata that could generate a name', configmaps, { metadata: { name: 'one', generateName: 'one-' } }, [
  ['a prefix that is none', { 'metadata.generateName': 'AB-' }, `metadata.generateName: ${notSubdomain('AB-')}`],
]);

describeRefusals(
  'metadata of the server',
  configmaps,
  valid,
  [
    ['a negative generation', { 'metadata.generation': -1 }, 'metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    [
      'an unknown operation',
      { 'metadata.managedFields': [{ ...entry, operation: 'Create' }] },
      'metadata.managedFields[0].operation: Invalid value: "Create": must be `Apply` or `Update`',
    ],
    [
      'fields of another type',
      { 'metadata.managedFields': [{ ...entry, fieldsType: 'FieldsV2' }] },
      'metadata.managedFields[0].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
    ],
    [
      'too long a manager',
      { 'metadata.managedFields': [{ ...entry, manager: 'm'.repeat(129) }] },
      'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
    ],
    [
      'a manager with a line break',
      { 'metadata.managedFields': [{ ...entry, manager: 'a\nb' }] },
      'metadata.managedFields[0].manager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
    ],
    [
      'too long a subresource',
      { 'metadata.managedFields': [{ ...entry, subresource: 's'.repeat(257) }] },
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
  ],
  notReached,
);

describeUpdateRefusals('updates of metadata', configmaps, valid, [
  ['a label that is none', { 'metadata.labels': { 'a b': 'c' } }, `metadata.labels: ${notKey('a b')}`],
  ['an annotation key that is none', { 'metadata.annotations': { 'a b': 'c' } }, `metadata.annotations: ${notKey('a b')}`],
  ['an owner without kind', { 'metadata.ownerReferences.0.kind': '' }, 'metadata.ownerReferences.kind: Invalid value: "": must not be empty'],
  [
    'a finalizer without domain',
    { 'metadata.finalizers': ['mine'] },
    'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ],
]);

const stored: ObjectMeta = {
  name: 'one',
  namespace: 'default',
  uid: 'u',
  resourceVersion: '1',
  generation: 2,
  creationTimestamp: '2030-01-02T03:04:05Z',
};
const deleted: ObjectMeta = { ...stored, deletionTimestamp: '2030-01-02T03:05:05Z', deletionGracePeriodSeconds: 30, finalizers: ['example.com/keep'] };
const created = (changes: Partial<ObjectMeta>, namespaced: boolean) => (errors: FieldErrors) =>
  validateCommonMetadata({ ...stored, ...changes }, namespaced, errors);
const updated =
  (changes: Partial<ObjectMeta>, old = stored) =>
  (errors: FieldErrors) =>
    validateCommonMetadataUpdate({ ...old, ...changes }, old, true, errors);

describeFieldErrors('the namespaces of objects', 'create', configmaps, [
  ['none', created({ namespace: '' }, true), 'metadata.namespace: Required value'],
  ['one that is none', created({ namespace: 'A' }, true), `metadata.namespace: ${notLabel('A')}`],
]);

describeFieldErrors('objects of the whole cluster', 'create', namespaces, [
  ['a namespace', created({}, false), 'metadata.namespace: Forbidden: not allowed on this type'],
]);

describeFieldErrors('changes of metadata', 'update', configmaps, [
  [
    'new finalizers of what is being deleted',
    updated({ finalizers: ['example.com/keep', 'b.example/c', 'a.example/c'] }, deleted),
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.example/c", "b.example/c"}',
  ],
  ['no version', updated({ resourceVersion: '' }), 'metadata.resourceVersion: Invalid value: "": must be specified for an update'],
  ['a generation that goes back', updated({ generation: 1 }), 'metadata.generation: Invalid value: 1: must not be decremented'],
  ['another name', updated({ name: 'two' }), 'metadata.name: Invalid value: "two": field is immutable'],
  ['another namespace', updated({ namespace: 'other' }), 'metadata.namespace: Invalid value: "other": field is immutable'],
  ['another uid', updated({ uid: 'v' }), 'metadata.uid: Invalid value: "v": field is immutable'],
  [
    'another time of creation',
    updated({ creationTimestamp: '2031-01-02T03:04:05Z' }),
    'metadata.creationTimestamp: Invalid value: "2031-01-02T03:04:05Z": field is immutable',
  ],
  ['another time of deletion', updated({ deletionTimestamp: undefined }, deleted), 'metadata.deletionTimestamp: Invalid value: null: field is immutable'],
  ['another grace period', updated({ deletionGracePeriodSeconds: 5 }, deleted), 'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable'],
  [
    'an unknown operation',
    updated({ managedFields: [{ ...entry, operation: 'Create' }] as unknown as ObjectMeta['managedFields'] }),
    'metadata.managedFields[0].operation: Invalid value: "Create": must be `Apply` or `Update`',
  ],
]);
