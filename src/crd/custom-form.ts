// How the objects of a custom kind lie in the store. What was written under another schema, or in a version that was stored before, is shown as
// the schema of the stored version has it now: defaults filled in, unknown fields dropped, as upstream's decoder of stored objects does.
import type { KubernetesObject } from '#api/object.ts';
import type { StoredForm } from '#api/stored-form.ts';
import { andThen } from '#base/and-then.ts';
import { lazily } from '#base/lazily.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { Converter } from '#crd/converter.ts';
import { type FormedKind, jsonForm } from '#resource/json-form.ts';
import type { StructSchema } from '#schema/build.ts';
import { clone } from '#schema/clone.ts';
import { applyStructuralDefaults, statesDefault } from '#schema/structural/structural-defaults.ts';
import { prune } from '#schema/structural/prune.ts';

export interface CustomFormOptions {
  /** In the stored version. */
  readonly kind: FormedKind;
  readonly apiVersion: string;
  /** Of every version, by apiVersion. */
  readonly schemas: ReadonlyMap<string, StructSchema>;
  readonly convert: Converter;
}

export function customForm(options: CustomFormOptions): StoredForm {
  const plain = jsonForm(options.kind);
  // Objects that come through another version may have fields that the stored one does not know. A kind without objects is followed without its schema.
  const whole = lazily(() =>
    new Set(options.schemas.values()).size > 1 ? (object: KubernetesObject) => settled(options.kind.schema, clone(object)) : withStatus(options.kind.schema),
  );
  const asStored = (object: KubernetesObject) => whole()(object);
  /** What this form has encoded needs no second look when it comes back from the store. */
  const encoded = new WeakSet<Uint8Array>();
  return {
    ...plain,
    encode(object) {
      const bytes = plain.encode(asStored(object));
      encoded.add(bytes);
      return bytes;
    },
    encodeWhole: (object) => plain.encodeWhole(asStored(object)),
    fromStore(stored) {
      const strange = stored.filter(({ value }) => !encoded.has(value));
      if (strange.length === 0) return stored.map(({ value }) => value);
      return andThen(renewed(options, plain, strange), (made) => {
        const byValue = new Map(strange.map(({ value }, index) => [value, made[index] as Uint8Array]));
        return stored.map(({ value }) => byValue.get(value) ?? value);
      });
    },
  };
}

/** A create drops the status that was sent, and with it what the schema fills in: readers see the default none the less. */
function withStatus(schema: StructSchema): (object: KubernetesObject) => KubernetesObject {
  if (!statesDefault(schema, 'status')) return (object) => object;
  return (object) => {
    if (object['status'] !== undefined) return object;
    const whole = { ...object };
    applyStructuralDefaults(schema, whole);
    return whole;
  };
}

function settled(schema: StructSchema, object: KubernetesObject): KubernetesObject {
  applyStructuralDefaults(schema, object);
  return prune(schema, object).value as KubernetesObject;
}

/** Defaults are those of the version in which the object was stored. */
function renewed(options: CustomFormOptions, plain: StoredForm, stored: readonly { readonly value: Uint8Array }[]): MaybePromise<readonly Uint8Array[]> {
  const { kind, apiVersion, schemas, convert } = options;
  const objects = stored.map(({ value }) => {
    const object = plain.parse(asBuffer(value));
    applyStructuralDefaults(schemas.get(object.apiVersion ?? '') ?? kind.schema, object);
    return object;
  });
  const old = objects.filter((object) => object.apiVersion !== apiVersion);
  const encode = (object: KubernetesObject) => plain.encode(prune(kind.schema, object).value as KubernetesObject);
  if (old.length === 0) return objects.map(encode);
  return andThen(convert(old, apiVersion), (converted) => {
    const byObject = new Map(old.map((object, index) => [object, converted[index] as KubernetesObject]));
    return objects.map((object) => encode(byObject.get(object) ?? object));
  });
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
