// Which transformer the objects of a resource go through: the rule that names the resource, its group, or everything.
import { goQuote } from '#base/go-text.ts';
import { aesCbc, aesGcm } from '#encryption/aes.ts';
import { type EncryptionConfiguration, type GroupAndResource, type KeyList, parseResource, type Provider, type KmsPlugin } from '#encryption/configuration.ts';
import { identity } from '#encryption/identity.ts';
import { secretbox } from '#encryption/secretbox.ts';
import { type PrefixedTransformer, prefixed, prefixTransformers, type TransformationObserver, type Transformer, unobserved } from '#encryption/transformer.ts';
import { decodedSecret } from '#encryption/validate-configuration.ts';

/** Undefined: no rule is about the resource. */
export type TransformerOf = (resource: GroupAndResource) => Transformer | undefined;

/** Makes what speaks with a KMS plugin. */
export type KmsTransformer = (plugin: KmsPlugin) => PrefixedTransformer;

/** Of one resource, whose name is as `deployments.apps`. */
export type ObserverOf = (resource: string) => TransformationObserver;

/** What a provider does with the values of one resource. */
type ObservedProvider = (observer: TransformationObserver) => PrefixedTransformer;

/** Of a valid configuration. Throws where one rule hides another, as the original does. */
export function resourceTransformers(
  { resources: rules }: EncryptionConfiguration,
  kms: KmsTransformer,
  observerOf: ObserverOf = () => unobserved,
): TransformerOf {
  const providers = new Map<string, ObservedProvider[]>();
  for (const rule of rules) {
    const transformers = rule.providers.map((provider) => providerTransformer(provider, kms));
    for (const text of rule.resources) {
      const named = parseResource(text);
      refuseMasked(providers, named);
      const name = nameOf(named);
      providers.set(name, [...(providers.get(name) ?? []), ...transformers]);
    }
  }
  const made = new Map<string, Transformer | undefined>();
  return ({ group, resource }) => {
    const name = nameOf({ group, resource });
    if (!made.has(name)) {
      const ofRule = providers.get(name) ?? providers.get(nameOf({ group, resource: '*' })) ?? providers.get(everything);
      made.set(name, ofRule && transformerOfAll(ofRule, observerOf(name)));
    }
    return made.get(name);
  };
}

function transformerOfAll(providers: readonly ObservedProvider[], observer: TransformationObserver): Transformer | undefined {
  const [first, ...others] = providers.map((provider) => provider(observer));
  return first && prefixTransformers('no matching prefix found', [first, ...others], observer);
}

const everything = '*.*';

function nameOf({ group, resource }: GroupAndResource): string {
  return group === '' && resource !== '*' ? resource : `${resource}.${group}`;
}

function refuseMasked(providers: ReadonlyMap<string, unknown>, named: GroupAndResource): void {
  const mask = [nameOf({ group: named.group, resource: '*' }), everything].find((name) => providers.has(name));
  if (mask !== undefined) throw new Error(`resource ${goQuote(nameOf(named))} is masked by earlier rule ${goQuote(mask)}`);
}

function providerTransformer({ aesgcm, aescbc, secretbox: box, kms }: Provider, kmsTransformer: KmsTransformer): ObservedProvider {
  if (aesgcm) return (observer) => prefixed('k8s:enc:aesgcm:v1:', byKeyName(aesgcm, aesGcm, 'AES', observer));
  if (aescbc) return (observer) => prefixed('k8s:enc:aescbc:v1:', byKeyName(aescbc, aesCbc, 'AES', observer));
  if (box) return (observer) => prefixed('k8s:enc:secretbox:v1:', byKeyName(box, secretbox, 'Secretbox', observer));
  // One connection to a plugin serves all resources of its rule.
  const only = kms ? kmsTransformer(kms) : prefixed('', identity);
  return () => only;
}

function byKeyName({ keys }: KeyList, transformer: (secret: Uint8Array) => Transformer, shownName: string, observer: TransformationObserver): Transformer {
  const [first, ...others] = (keys ?? []).map(({ name, secret = '' }) => prefixed(`${name}:`, transformer(decodedSecret(secret) ?? Buffer.alloc(0))));
  if (first === undefined) throw new Error('a provider has no keys');
  return prefixTransformers(`no matching key was found for the provided ${shownName} transformer`, [first, ...others], observer);
}
