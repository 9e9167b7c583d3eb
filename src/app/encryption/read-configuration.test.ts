import { expect, test } from 'vitest';
import { encryptionFileText, parseEncryptionConfiguration } from '#app/encryption/read-configuration.ts';
import { resourceTransformers } from '#encryption/resource-transformers.ts';

const secret = Buffer.alloc(32, 'a').toString('base64');
const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n';
const parse = (text: string) => parseEncryptionConfiguration('file', text, false);
const identity = 'providers: [{identity: {}}]';

/** In the words that a kube-apiserver v1.36 has for the same file. */
test.each([
  ['', 'resources: Required value: at least one resources is required'],
  [
    'resources: [{resources: [], providers: []}]',
    '[resources[0].resources: Required value: at least one resources[0].resources is required, resources[0].providers: Required value: at least one resources[0].providers is required]',
  ],
  [
    'resources: [{resources: [secrets], provders: [], providers: [{identity: {}, foo: 1}]}]',
    'error decoding encryption provider configuration file "file": strict decoding error: unknown field "resources[0].provders", unknown field "resources[0].providers[0].foo"',
  ],
  [
    `resources: [{resources: [secrets], resources: [pods], ${identity}}]`,
    'error decoding encryption provider configuration file "file": strict decoding error: yaml: unmarshal errors:\n  line 3: key "resources" already set in map',
  ],
  [
    'resources: [{resources: [secrets], providers: [{}]}]',
    'resources[0].providers[0]: Invalid value: {"AESGCM":null,"AESCBC":null,"Secretbox":null,"Identity":null,"KMS":null}: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity',
  ],
  [
    'resources: [{resources: [secrets], providers: [{aescbc: {keys: []}}, {aesgcm: {keys: [{name: "", secret: ""},{name: a, secret: "!!"},{name: b, secret: YWJj}]}}, {secretbox: {keys: [{name: a, secret: YWJj}]}}]}]',
    '[resources[0].providers[0].aescbc.keys: Required value: at least one keys is required, resources[0].providers[1].aesgcm.keys[0].name: Required value: name is a mandatory field for a key, resources[0].providers[1].aesgcm.keys[0].secret: Required value: secret is a mandatory field for a key, resources[0].providers[1].aesgcm.keys[1].secret: Invalid value: "REDACTED": secrets must be base64 encoded, resources[0].providers[1].aesgcm.keys[2].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32], resources[0].providers[2].secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [32]]',
  ],
  [
    `resources: [{resources: [Secrets, apiserveripinfo, events.events.k8s.io, ingresses.extensions, "pods.*"], ${identity}}]`,
    `[resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters, resources[0].resources[1]: Invalid value: "apiserveripinfo": resources which do not have REST API/s cannot be encrypted, resources[0].resources[2]: Invalid value: "events.events.k8s.io": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file, resources[0].resources[3]: Invalid value: "ingresses.extensions": 'extensions' group has been removed and cannot be used for encryption, resources[0].resources[4]: Invalid value: "pods.*": encrypting the same resource across groups is not supported]`,
  ],
  [
    `resources: [{resources: ["*"], ${identity}}]`,
    `resources[0].resources[0]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources`,
  ],
  [
    `resources: [{resources: [secrets, secrets, "*."], ${identity}}]`,
    `[resources[0].resources: Invalid value: ["secrets","secrets","*."]: the same resource cannot be specified multiple times, resources[0].resources: Invalid value: ["secrets","secrets","*."]: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked]`,
  ],
  [
    'resources: [{resources: [secrets], providers: [{kms: {name: "", endpoint: "http://x"}}, {kms: {apiVersion: v2, name: "a:b", endpoint: "", timeout: 0s, cachesize: 5}}, {kms: {apiVersion: v3, name: a, endpoint: "unix:///x"}}, {kms: {apiVersion: v2, name: a, endpoint: "unix:///x", timeout: -1s}}]}]',
    `[resources[0].providers[0].kms.name: Required value: name is a mandatory field for a provider, resources[0].providers[0].kms.endpoint: Invalid value: "http://x": unsupported scheme "http" for KMS provider, only unix is supported, resources[0].providers[1].kms.name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':', resources[0].providers[1].kms.timeout: Invalid value: "0s": timeout should be a positive value, resources[0].providers[1].kms.endpoint: Invalid value: "": endpoint is a mandatory field for a kms, resources[0].providers[1].kms.cachesize: Invalid value: 5: cachesize is not supported in v2, resources[0].providers[2].kms.apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported, resources[0].providers[3].kms.name: Invalid value: "a": duplicate KMS provider name a, names must be unique, resources[0].providers[3].kms.timeout: Invalid value: "-1s": timeout should be a positive value]`,
  ],
])('%s is refused', (text, message) => {
  expect(() => parse(header + text)).toThrow(new Error(`error while parsing file: ${message}`));
});

test('files that hold no configuration', () => {
  expect(() => parse('')).toThrow(new Error('error while parsing file: error while loading file: encryption provider configuration file "file" is empty'));
  expect(() => parse('apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration')).toThrow(
    new Error('error while parsing file: got unexpected config type: apiserver.config.k8s.io/v1, Kind=AuthenticationConfiguration'),
  );
  expect(() => encryptionFileText('/nowhere/x')).toThrow(
    new Error(
      'error while parsing file: error while loading file: error reading encryption provider configuration file "/nowhere/x": open /nowhere/x: no such file or directory',
    ),
  );
});

test('a refusal never shows a secret, although the original does', () => {
  const text = `${header}resources: [{resources: [secrets], providers: [{identity: {}, aescbc: {keys: [{name: a, secret: "${secret}"}]}}]}]`;
  expect(() => parse(text)).toThrow('"Secret":"REDACTED"');
  expect(() => parse(text)).not.toThrow(secret);
});

test.each([
  ['["*.apps"]', '[deployments.apps]', 'resource "deployments.apps" is masked by earlier rule "*.apps"'],
  ['["*.*"]', '["*."]', 'resource "*." is masked by earlier rule "*.*"'],
])('a rule that %s hides is refused', (first, second, message) => {
  const configuration = parse(`${header}resources: [{resources: ${first}, ${identity}}, {resources: ${second}, ${identity}}]`);
  const noKms = () => {
    throw new Error('no plugin in this test');
  };
  expect(() => resourceTransformers(configuration, noKms)).toThrow(new Error(message));
});
