// --encryption-provider-config: what lies encrypted in the store of this server, and with which keys.
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { StoreKind } from '#app/open-store.ts';
import type { GroupAndResource } from '#encryption/configuration.ts';
import { encryptedResources, type EncryptionAtRest } from '#encryption/encrypted-form.ts';
import { storeRoot } from '#resource/keys.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

/** Gives resources the form in which they lie in the store. */
export type AsStored = (resources: readonly ResourceDefinition[]) => readonly ResourceDefinition[];

export interface Encryption {
  readonly asStored: AsStored;
  /** Whether the objects of a resource may not lie in the clear. */
  readonly isEncrypted: (resource: GroupAndResource) => boolean;
}

/** Throws a FlagError where the file cannot be used. The providers are loaded only by servers that have a file. */
export async function openEncryption({ flags }: ServerOptions, kind: StoreKind): Promise<Encryption> {
  const file = flags.text('encryption-provider-config');
  if (file === '') return { asStored: (resources) => encryptedResources(resources, undefined), isEncrypted: () => false };
  const { readEncryptionConfiguration } = await import('#app/encryption/read-configuration.ts');
  const { resourceTransformers } = await import('#encryption/resource-transformers.ts');
  try {
    const configuration = readEncryptionConfiguration(file, false);
    const transformerOf = buildingTransformers(() => resourceTransformers(configuration, refuseKms));
    const atRest: EncryptionAtRest = { transformerOf, isLive: false, storedKey: storedKeys(kind, flags.text('etcd-prefix')) };
    return { asStored: (resources) => encryptedResources(resources, atRest), isEncrypted: (resource) => transformerOf(resource) !== undefined };
  } catch (error) {
    throw new FlagError((error as Error).message);
  }
}

function buildingTransformers<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    throw new Error(`error while building transformers: ${(error as Error).message}`);
  }
}

function refuseKms(): never {
  throw new Error('this build has no KMS providers; use aesgcm, aescbc or secretbox');
}

/** Providers authenticate the key that a value has in its etcd. */
function storedKeys(kind: StoreKind, prefix: string): (key: string) => string {
  const root = kind === 'etcd' ? `/${prefix.replace(/^\/+|\/+$/g, '')}/` : storeRoot;
  return root === storeRoot ? (key) => key : (key) => root + key.slice(storeRoot.length);
}
