// Which transformer the objects of a resource go through: the rule that names the resource, its group, or everything.
import { goQuote } from '#base/go-text.ts';
import { aesCbc, aesGcm } from '#encryption/aes.ts';
import { type EncryptionConfiguration, type GroupAndResource, type KeyList, parseResource, type Provider, type KmsPlugin } from '#encryption/configuration.ts';
import { identity } from '#encryption/identity.ts';
import { secretbox } from '#encryption/secretbox.ts';
import { type PrefixedTransformer, prefixed, prefixTransformers, type Transformer } from '#encryption/transformer.ts';
import { decodedSecret } from '#encryption/validate-configuration.ts';

/** Undefined: no rule is about the resource. */
export type TransformerOf = (resource: GroupAndResource) => Transformer | undefined;

/** Makes what speaks with a KMS plugin. */
export type KmsTransformer = (plugin: KmsPlugin) => PrefixedTransformer;

/** Of a valid configuration. Throws where one rule hides another, as the original does. */
export function resourceTransformers({ resources: rules }: EncryptionConfiguration, kms: KmsTransformer): TransformerOf {
  const providers = new Map<string, PrefixedTransformer[]>();
  for (const rule of rules) {
    const transformers = rule.providers.map((provider) => providerTransformer(provider, kms));
    for (const text of rule.resources) {
      const named = parseResource(text);
      refuseMasked(providers, named);
      const name = nameOf(named);
      providers.set(name, [...(providers.get(name) ?? []), ...transformers]);
    }
  }
  const made = new Map<string, Transformer>();
  for (const [name, [first, ...others]] of providers) if (first) made.set(name, prefixTransformers('no matching prefix found', [first, ...others]));
  return ({ group, resource }) => made.get(nameOf({ group, resource })) ?? made.get(nameOf({ group, resource: '*' })) ?? made.get(everything);
}

const everything = '*.*';

function nameOf({ group, resource }: GroupAndResource): string {
  return group === '' && resource !== '*' ? resource : `${resource}.${group}`;
}

function refuseMasked(providers: ReadonlyMap<string, unknown>, named: GroupAndResource): void {
  const mask = [nameOf({ group: named.group, resource: '*' }), everything].find((name) => providers.has(name));
  if (mask !== undefined) throw new Error(`resource ${goQuote(nameOf(named))} is masked by earlier rule ${goQuote(mask)}`);
}

function providerTransformer({ aesgcm, aescbc, secretbox: box, kms }: Provider, kmsTransformer: KmsTransformer): PrefixedTransformer {
  if (aesgcm) return prefixed('k8s:enc:aesgcm:v1:', byKeyName(aesgcm, aesGcm, 'AES'));
  if (aescbc) return prefixed('k8s:enc:aescbc:v1:', byKeyName(aescbc, aesCbc, 'AES'));
  if (box) return prefixed('k8s:enc:secretbox:v1:', byKeyName(box, secretbox, 'Secretbox'));
  return kms ? kmsTransformer(kms) : prefixed('', identity);
}

function byKeyName({ keys }: KeyList, transformer: (secret: Uint8Array) => Transformer, shownName: string): Transformer {
  const [first, ...others] = (keys ?? []).map(({ name, secret = '' }) => prefixed(`${name}:`, transformer(decodedSecret(secret) ?? Buffer.alloc(0))));
  if (first === undefined) throw new Error('a provider has no keys');
  return prefixTransformers(`no matching key was found for the provided ${shownName} transformer`, [first, ...others]);
}
