// What is wrong with an EncryptionConfiguration, in the words of the original. Secrets are never shown; the original shows those of an element
// that has several providers.
import { FieldErrors } from '#api/field-error.ts';
import { goQuote } from '#base/go-text.ts';
import { parseGoUrl } from '#base/go-url.ts';
import { formatDuration, parseDuration } from '#base/time/duration.ts';
import {
  defaultedKms,
  type EncryptionConfiguration,
  type GroupAndResource,
  type KeyList,
  type KmsPlugin,
  parseResource,
  type Provider,
} from '#encryption/configuration.ts';

const aesSizes = [16, 24, 32];
const secretboxSizes = [32];

/** `reloading`: the file is followed, so that the names of plugins must tell them apart. */
export function configurationErrors({ resources }: EncryptionConfiguration, reloading: boolean): readonly string[] {
  const errors = new FieldErrors();
  if (resources.length === 0) errors.required('resources', 'at least one resources is required');
  const pluginNames = new Set<string>();
  resources.forEach((rule, index) => {
    const at = `resources[${index}]`;
    checkResources(errors, `${at}.resources`, rule.resources);
    if (rule.providers.length === 0) errors.required(`${at}.providers`, `at least one ${at}.providers is required`);
    rule.providers.forEach((provider, place) => checkProvider(errors, `${at}.providers[${place}]`, provider, { pluginNames, reloading }));
  });
  return errors.list.map(String);
}

function checkResources(errors: FieldErrors, field: string, resources: readonly string[]): void {
  if (resources.length === 0) errors.required(field, `at least one ${field} is required`);
  const parsed = resources.map(parseResource);
  const pairs = parsed.flatMap((one, i) => parsed.filter((_, j) => i !== j).map((other) => [one, other] as const));
  if (pairs.some(isSame)) errors.invalid(field, resources, 'the same resource cannot be specified multiple times');
  if (overlap(pairs)) {
    errors.invalid(field, resources, "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked");
  }
  resources.forEach((name, index) => {
    const problem = nameProblem(name);
    if (problem !== undefined) errors.invalid(`${field}[${index}]`, name, problem);
  });
}

type Pair = readonly [GroupAndResource, GroupAndResource];

function isSame([one, other]: Pair): boolean {
  return one.group === other.group && one.resource === other.resource;
}

/** Of those that are the same, the first pair is only a duplicate. */
function overlap(pairs: readonly Pair[]): boolean {
  const first = pairs.findIndex(isSame);
  return pairs.some(([one, other], index) => {
    if (index === first) return false;
    return (one.group === '*' && one.resource === '*') || (one.group === other.group && (one.resource === '*' || other.resource === '*'));
  });
}

/** They have no API of their own. */
const withoutApi = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations']);

function nameProblem(name: string): string | undefined {
  const { group, resource } = parseResource(name);
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (withoutApi.has(name)) return 'resources which do not have REST API/s cannot be encrypted';
  if (group === 'events.k8s.io') {
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  }
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  return group === '*' && resource !== '*' ? 'encrypting the same resource across groups is not supported' : undefined;
}

interface Plugins {
  readonly pluginNames: Set<string>;
  readonly reloading: boolean;
}

function checkProvider(errors: FieldErrors, field: string, provider: Provider, plugins: Plugins): void {
  const { kms, aesgcm, aescbc, secretbox, identity } = provider;
  const given = [kms, aesgcm, aescbc, secretbox, identity].filter((one) => one !== undefined && one !== null).length;
  if (given === 0) {
    errors.invalid(field, shown(provider), 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity');
  }
  if (given > 1) errors.invalid(field, shown(provider), 'more than one provider specified in a single element, should split into different list elements');
  if (kms) checkPlugin(errors, `${field}.kms`, defaultedKms(kms), plugins);
  else if (aesgcm) checkKeys(errors, `${field}.aesgcm.keys`, aesgcm, aesSizes);
  else if (aescbc) checkKeys(errors, `${field}.aescbc.keys`, aescbc, aesSizes);
  else if (secretbox) checkKeys(errors, `${field}.secretbox.keys`, secretbox, secretboxSizes);
}

/** As Go's types would be written, but for the secrets. */
function shown({ aesgcm, aescbc, secretbox, identity, kms }: Provider): object {
  const keys = (list: KeyList | null | undefined) => list && { Keys: (list.keys ?? []).map(({ name = '' }) => ({ Name: name, Secret: 'REDACTED' })) };
  return {
    AESGCM: keys(aesgcm) ?? null,
    AESCBC: keys(aescbc) ?? null,
    Secretbox: keys(secretbox) ?? null,
    Identity: identity ?? null,
    KMS: kms ? shownPlugin(defaultedKms(kms)) : null,
  };
}

function shownPlugin({ apiVersion, name = '', cachesize = null, endpoint = '', timeout }: KmsPlugin): object {
  return { APIVersion: apiVersion, Name: name, CacheSize: cachesize, Endpoint: endpoint, Timeout: timeout };
}

function checkKeys(errors: FieldErrors, field: string, { keys }: KeyList, sizes: readonly number[]): void {
  if (!keys || keys.length === 0) return errors.required(field, 'at least one keys is required');
  keys.forEach(({ name = '', secret = '' }, index) => {
    const at = `${field}[${index}]`;
    if (name === '') errors.required(`${at}.name`, 'name is a mandatory field for a key');
    if (secret === '') return errors.required(`${at}.secret`, 'secret is a mandatory field for a key');
    const bytes = decodedSecret(secret);
    if (bytes === undefined) return errors.invalid(`${at}.secret`, 'REDACTED', 'secrets must be base64 encoded');
    if (sizes.includes(bytes.length)) return;
    errors.invalid(`${at}.secret`, 'REDACTED', `secret is not of the expected length, got ${bytes.length}, expected one of [${sizes.join(' ')}]`);
  });
}

/** Undefined where it is not base64: Go's decoder passes over line breaks, and wants the padding. */
export function decodedSecret(secret: string): Buffer | undefined {
  const text = secret.replace(/[\r\n]/g, '');
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function checkPlugin(errors: FieldErrors, field: string, plugin: KmsPlugin, { pluginNames, reloading }: Plugins): void {
  const { apiVersion = '', name = '', timeout, cachesize } = plugin;
  if (name === '') errors.required(`${field}.name`, 'name is a mandatory field for a provider');
  if (apiVersion !== 'v1' && name.includes(':')) errors.invalid(`${field}.name`, name, `invalid KMS provider name ${name}, must not contain ':'`);
  if ((reloading || apiVersion !== 'v1') && pluginNames.has(name)) {
    errors.invalid(`${field}.name`, name, `duplicate KMS provider name ${name}, names must be unique`);
  }
  pluginNames.add(name);
  const duration = parseDuration(timeout ?? '');
  if (duration <= 0n) errors.invalid(`${field}.timeout`, formatDuration(duration), 'timeout should be a positive value');
  checkEndpoint(errors, `${field}.endpoint`, plugin.endpoint ?? '');
  if (apiVersion !== 'v1' && typeof cachesize === 'number') errors.invalid(`${field}.cachesize`, cachesize, 'cachesize is not supported in v2');
  if (apiVersion === 'v1' && cachesize === 0) errors.invalid(`${field}.cachesize`, 0, 'cachesize should be a positive value, or negative to disable');
  if (apiVersion !== 'v1' && apiVersion !== 'v2') {
    errors.invalid(`${field}.apiVersion`, apiVersion, 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported');
  }
}

function checkEndpoint(errors: FieldErrors, field: string, endpoint: string): void {
  if (endpoint === '') return errors.invalid(field, '', 'endpoint is a mandatory field for a kms');
  const url = parseGoUrl(endpoint);
  if ('problem' in url) errors.invalid(field, endpoint, `invalid endpoint for kms provider, error: ${url.problem}`);
  else if (url.scheme !== 'unix') errors.invalid(field, endpoint, `unsupported scheme ${goQuote(url.scheme)} for KMS provider, only unix is supported`);
}
