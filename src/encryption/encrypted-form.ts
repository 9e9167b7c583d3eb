// Objects of a resource as they lie encrypted in the store. The form beneath decides what is encrypted: JSON, or protobuf in an etcd.
import { internalError } from '#api/api-error.ts';
import type { StoredBytes, StoredForm } from '#api/stored-form.ts';
import { isEncrypted, readEncryptedData, UnreadableError } from '#api/unreadable-error.ts';
import { andThen } from '#base/and-then.ts';
import { lazily } from '#base/lazily.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { identity } from '#encryption/identity.ts';
import type { TransformerOf } from '#encryption/resource-transformers.ts';
import type { Decrypted, Transformer } from '#encryption/transformer.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { goTypeOf } from '#resource/go-type.ts';
import { RecentWrites } from '#resource/recent-writes.ts';

export interface EncryptionAtRest {
  /** The rules of today: they may be exchanged while the server runs. */
  readonly transformerOf: TransformerOf;
  /** Whether a resource without a rule may get one. */
  readonly isLive: boolean;
  /** The key as it is in an etcd: providers authenticate it. */
  readonly storedKey: (key: string) => string;
}

/** The same resources; those with a rule lie encrypted in the store. */
export function encryptedResources(resources: readonly ResourceDefinition[], encryption: EncryptionAtRest | undefined): readonly ResourceDefinition[] {
  return resources.map((definition) => {
    const { group, plural: resource, storage } = definition;
    if (storage === undefined || (storage.group ?? group) !== group || storage.version !== definition.version) return definition;
    const covered = encryption !== undefined && (encryption.isLive || encryption.transformerOf({ group, resource }) !== undefined);
    return withForm(definition, covered ? () => encryptedForm(definition, encryption) : () => plainForm(definition));
  });
}

/** What a definition works out when it is first asked for is not worked out here: the form of a custom kind looks at its whole schema. */
function withForm(definition: ResourceDefinition, make: () => StoredForm): ResourceDefinition {
  const own = Object.getOwnPropertyDescriptors(definition);
  if (own.form.get !== undefined) return defined({ ...own, form: { get: lazily(make), enumerable: true } });
  const form = make();
  return form === definition.form ? definition : defined({ ...own, form: { value: form, enumerable: true } });
}

function defined(properties: PropertyDescriptorMap): ResourceDefinition {
  return Object.defineProperties({}, properties) as ResourceDefinition;
}

/** No rule is about it: what lies there encrypted was written under another configuration. */
function plainForm(definition: ResourceDefinition): StoredForm {
  const { form } = definition;
  if (form.fromStore === undefined) return form;
  return {
    ...form,
    fromStore(stored) {
      const sealed = stored.find(({ value }) => isEncrypted(value));
      if (sealed !== undefined) return Promise.reject(new UnreadableError(sealed.key, goTypeOf(definition), readEncryptedData));
      return form.fromStore?.(stored) ?? stored.map(({ value }) => value);
    },
  };
}

function encryptedForm(definition: ResourceDefinition, { transformerOf, storedKey }: EncryptionAtRest): StoredForm {
  const { form, group, plural: resource } = definition;
  const recent = new RecentWrites();
  const transformer = (): Transformer => transformerOf({ group, resource }) ?? identity;
  const opened = ({ key, value }: StoredBytes): MaybePromise<Decrypted> =>
    orElse(
      () => transformer().decrypt(value, storedKey(key)),
      (error) => new UnreadableError(storedKey(key), goTypeOf(definition), error.message),
    );
  const sealed = (inner: Uint8Array, key: string): MaybePromise<Uint8Array> =>
    orElse(
      () => transformer().encrypt(inner, storedKey(key)),
      (error) => internalError(error.message, error),
    );
  return {
    ...form,
    toStore: (json, key) =>
      andThen(form.toStore?.(json, key) ?? json, (inner) =>
        andThen(sealed(inner, key), (value) => {
          recent.add(key, value, inner);
          return value;
        }),
      ),
    fromStore(stored) {
      try {
        const inner = all(stored.map((one) => recent.take(one) ?? andThen(opened(one), ({ data }) => data)));
        return andThen(inner, (values) => form.fromStore?.(stored.map(({ key }, at) => ({ key, value: values[at] as Uint8Array }))) ?? values);
      } catch (error) {
        // Only this resource waits until its objects can be read again.
        return Promise.reject(error);
      }
    },
    isStale: (stored) => andThen(opened(stored), ({ isStale }) => isStale),
  };
}

/** Local keys answer at once, a plugin does not: either may fail. */
function orElse<T>(attempt: () => MaybePromise<T>, refusal: (error: Error) => Error): MaybePromise<T> {
  const fail = (error: unknown): never => {
    throw refusal(error as Error);
  };
  try {
    const made = attempt();
    return made instanceof Promise ? made.catch(fail) : made;
  } catch (error) {
    return fail(error);
  }
}

function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
