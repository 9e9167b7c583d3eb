import { configmaps } from '#kinds/core/v1/config-map-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: 'one', labels: { app: 'web' } }, data: { 'a.b': 'c', d_e: '' }, binaryData: { f: 'AAEC' }, immutable: false };
const frozen = { ...valid, immutable: true };

describeRefusals('config maps', configmaps, valid, [
  [
    'a key that is none',
    { 'data.a b': 'c' },
    "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ],
  [
    'a binary key that is none',
    { 'binaryData.a b': 'AA==' },
    "binaryData[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ],
  ['a key of two dots', { 'data.~1~1': 'c' }, 'data[..]: Invalid value: "..": must not be \'..\''],
  [
    'too long a key',
    { [`data.${'k'.repeat(254)}`]: 'c' },
    'data[kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk]: Invalid value: "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk": must be no more than 253 characters',
  ],
  ['a key in both', { 'data.f': 'c' }, 'data[f]: Invalid value: "f": duplicate of key present in binaryData'],
  ['more than a mebibyte', { 'data.g': 'x'.repeat(1024 * 1024) }, '[]: Too long: may not be more than 1048576 bytes'],
]);

describeUpdateRefusals('updates of immutable config maps', configmaps, frozen, [
  ['that it can change again', { immutable: false }, 'immutable: Forbidden: field is immutable when `immutable` is set'],
  ['other data', { 'data.d_e': 'x' }, 'data: Forbidden: field is immutable when `immutable` is set'],
  ['other binary data', { 'binaryData.f': 'AA==' }, 'binaryData: Forbidden: field is immutable when `immutable` is set'],
  ['nothing when only labels change', { 'metadata.labels': { app: 'db' } }],
]);
