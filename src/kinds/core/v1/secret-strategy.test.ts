import { secrets } from '#kinds/core/v1/secret-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: 'one' }, type: 'Opaque', data: { key: 'AAEC' }, stringData: { text: 'more' }, immutable: false };
const frozen = { metadata: { name: 'one' }, type: 'Opaque', data: { key: 'AAEC' }, immutable: true };
const base64 = (text: string) => Buffer.from(text).toString('base64');

describeRefusals('secrets', secrets, valid, [
  [
    'a key that is none',
    { 'data.a b': 'AA==' },
    "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ],
  ['more than a mebibyte', { 'stringData.g': 'x'.repeat(1024 * 1024) }, 'data: Too long: may not be more than 1048576 bytes'],
  ['a token of nobody', { type: 'kubernetes.io/service-account-token' }, 'metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  ['an old configuration of docker that is missing', { type: 'kubernetes.io/dockercfg' }, 'data[.dockercfg]: Required value'],
  [
    'an old configuration of docker that is no JSON',
    { type: 'kubernetes.io/dockercfg', 'data.~1dockercfg': base64('x') },
    'data[.dockercfg]: Invalid value: "<secret contents redacted>": invalid character \'x\' looking for beginning of value',
  ],
  ['a configuration of docker that is missing', { type: 'kubernetes.io/dockerconfigjson' }, 'data[.dockerconfigjson]: Required value'],
  [
    'a configuration of docker that is no object',
    { type: 'kubernetes.io/dockerconfigjson', 'data.~1dockerconfigjson': base64('[]') },
    'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    'a configuration of docker that is cut off',
    { type: 'kubernetes.io/dockerconfigjson', 'data.~1dockerconfigjson': base64('{"a":') },
    'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input',
  ],
  [
    'an empty configuration of docker',
    { type: 'kubernetes.io/dockerconfigjson', 'data.~1dockerconfigjson': '' },
    'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input',
  ],
  ['neither user nor password', { type: 'kubernetes.io/basic-auth' }, 'data[password]: Required value', 'data[username]: Required value'],
  ['no key for SSH', { type: 'kubernetes.io/ssh-auth' }, 'data[ssh-privatekey]: Required value'],
  ['an empty key for SSH', { type: 'kubernetes.io/ssh-auth', 'data.ssh-privatekey': '' }, 'data[ssh-privatekey]: Required value'],
  ['no certificate', { type: 'kubernetes.io/tls' }, 'data[tls.crt]: Required value', 'data[tls.key]: Required value'],
]);

describeUpdateRefusals('updates of immutable secrets', secrets, frozen, [
  ['another type', { type: 'example.com/other' }, 'type: Invalid value: "example.com/other": field is immutable'],
  ['that it can change again', { immutable: false }, 'immutable: Forbidden: field is immutable when `immutable` is set'],
  ['other data', { 'data.key': 'AA==' }, 'data: Forbidden: field is immutable when `immutable` is set'],
  ['more data as text', { stringData: { text: 'more' } }, 'data: Forbidden: field is immutable when `immutable` is set'],
]);
