// Built-in kinds as the original keeps them in etcd, so that both can work on the same data: protobuf of the storage version in its envelope, or JSON.
// Whatever form an object has there, and whatever version, it is read.
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { StoredBytes, StoredForm } from '#api/stored-form.ts';
import { UnreadableError } from '#api/unreadable-error.ts';
import { lazily } from '#base/lazily.ts';
import { apart } from '#base/memory/short-lived.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { goTypeOf } from '#resource/go-type.ts';
import { asBuffer, hasVersion, withoutVersion } from '#resource/json-form.ts';
import { RecentWrites } from '#resource/recent-writes.ts';
import { ShapedProtobuf } from '#resource/shaped-protobuf.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { canonical } from '#schema/json/canonical.ts';
import { parseStored } from '#schema/json/parse-json.ts';
import { decodeProtobuf, encodeProtobuf, hasProtobuf } from '#schema/protobuf/protobuf.ts';
import { isEnvelope, readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { ShapeBudget } from '#schema/shaped/per-shape.ts';

/** What --storage-media-type may say. */
export type StoredMediaType = 'application/vnd.kubernetes.protobuf' | 'application/json';

/** The original keeps these in JSON, whatever the flag says: the servers that it delegates to have a codec of their own. */
const alwaysJson = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** What is made of the shapes of all resources. */
const shapesBytes = 16 << 20;

/** By `apiVersion kind`: versions that nobody is served and that the original still stores in JSON, and how they become the storage version. */
export type UnservedVersions = Readonly<Record<string, (object: KubernetesObject) => KubernetesObject>>;

/** The same resources, whose objects lie in the store as the original's do. */
export function inOriginalForm(
  definitions: readonly ResourceDefinition[],
  mediaType: StoredMediaType,
  unserved: UnservedVersions = {},
): readonly ResourceDefinition[] {
  const versions = new Map<string, ResourceDefinition[]>();
  for (const definition of definitions) {
    const prefix = definition.storage?.prefix;
    if (prefix !== undefined) versions.set(prefix, [...(versions.get(prefix) ?? []), definition]);
  }
  const budget = new ShapeBudget(shapesBytes);
  return definitions.map((definition) => {
    if (!isHub(definition)) return definition;
    const toProtobuf = mediaType !== 'application/json' && !alwaysJson.has(definition.group) && hasProtobuf(definition.schema);
    return { ...definition, form: originalForm(definition, versions.get(definition.storage?.prefix ?? '') ?? [], { toProtobuf, unserved, budget }) };
  });
}

function isHub({ group, version, storage }: ResourceDefinition): boolean {
  return storage !== undefined && (storage.group ?? group) === group && storage.version === version;
}

interface FormOptions {
  readonly toProtobuf: boolean;
  readonly unserved: UnservedVersions;
  readonly budget: ShapeBudget;
}

function originalForm(hub: ResourceDefinition, versions: readonly ResourceDefinition[], { toProtobuf, unserved, budget }: FormOptions): StoredForm {
  const plain = hub.form;
  const apiVersion = apiVersionOf(hub);
  const byKind = new Map(versions.map((definition) => [`${apiVersionOf(definition)} ${definition.kind}`, definition]));
  const known = { hub, served: byKind, unserved };
  const recent = new RecentWrites();
  /** What was encoded last is stored next, most often: then it need not be parsed. */
  let last: { readonly json: Buffer; readonly object: KubernetesObject } | undefined;
  const encoded = (object: KubernetesObject) =>
    writeEnvelope(apiVersion, hub.kind, encodeProtobuf(hub.schema, hasVersion(object) ? withoutVersion(object) : object));
  const parse = (json: Buffer) => plain.parse(json);
  const codec = {
    toStored: (json: Buffer) => encoded(parse(json)),
    decode: (value: Buffer) => fromEnvelope(known, value).object,
    applyDefaults: (object: object) => applyDefaults(hub, object),
    parse,
    encode: (object: object) => plain.encode(object as KubernetesObject),
  };
  const shaped = lazily(() => new ShapedProtobuf({ apiVersion, kind: hub.kind, schema: hub.schema, codec }, budget));
  const stored = (json: Buffer) => shaped().write(json) ?? encoded(last?.json === json ? last.object : parse(json));
  const served = (entry: StoredBytes) => {
    const value = asBuffer(entry.value);
    if (!isEnvelope(value)) return plain.encode(readStored(known, entry));
    const alike = shaped().read(value);
    if (alike !== undefined) return alike;
    const json = plain.encode(readStored(known, entry));
    shaped().learn(json);
    return json;
  };
  return {
    ...plain,
    encode(object) {
      const json = apart(plain.encode(object));
      last = { json, object };
      return json;
    },
    toStore(json, key) {
      const value = toProtobuf ? stored(json) : json;
      last = undefined;
      recent.add(key, value, json);
      return value;
    },
    fromStore(entries) {
      try {
        return entries.map((entry) => recent.take(entry) ?? served(entry));
      } catch (error) {
        // Only this resource waits until its objects can be read again.
        return Promise.reject(error);
      }
    },
  };
}

interface KnownVersions {
  readonly hub: ResourceDefinition;
  readonly served: ReadonlyMap<string, ResourceDefinition>;
  readonly unserved: UnservedVersions;
}

/** In the storage version, with the defaults of the version that it was stored in, as apiserver's decoder of stored objects does. */
function readStored(known: KnownVersions, { key, value }: StoredBytes): KubernetesObject {
  const { hub } = known;
  try {
    const { definition, object } = isEnvelope(value) ? fromEnvelope(known, value) : fromJson(known, value);
    applyDefaults(definition, object);
    if (definition === hub || sameVersion(definition, hub)) return object;
    const converted = definition.conversion === undefined ? object : (definition.conversion.toHub(object as never) as KubernetesObject);
    return canonical(hub.schema, { ...converted, kind: hub.kind, apiVersion: apiVersionOf(hub) }) as KubernetesObject;
  } catch (error) {
    throw new UnreadableError(key, goTypeOf(hub), `what is stored cannot be decoded: ${(error as Error).message}`);
  }
}

function sameVersion(one: ResourceDefinition, other: ResourceDefinition): boolean {
  return one.group === other.group && one.version === other.version;
}

interface Read {
  readonly definition: ResourceDefinition;
  readonly object: KubernetesObject;
}

function fromEnvelope(versions: KnownVersions, value: Uint8Array): Read {
  const { apiVersion, kind, raw } = readEnvelope(value);
  const definition = definitionOf(versions, apiVersion, kind);
  return { definition, object: { kind, apiVersion, ...decodeProtobuf(definition.schema, raw) } as unknown as KubernetesObject };
}

function fromJson(versions: KnownVersions, value: Uint8Array): Read {
  const bytes = asBuffer(value);
  const parsed = JSON.parse(bytes.toString()) as KubernetesObject;
  const { apiVersion = '', kind = '' } = parsed;
  const converted = versions.unserved[`${apiVersion} ${kind}`]?.(parsed);
  if (converted !== undefined) return { definition: versions.hub, object: canonical(versions.hub.schema, converted) as KubernetesObject };
  const definition = definitionOf(versions, apiVersion, kind);
  return { definition, object: canonical(definition.schema, parseStored(bytes, definition.schema)) as KubernetesObject };
}

function definitionOf({ served }: KnownVersions, apiVersion: string, kind: string): ResourceDefinition {
  const definition = served.get(`${apiVersion} ${kind}`);
  if (definition === undefined) throw new Error(`no kind ${JSON.stringify(kind)} is known for version ${JSON.stringify(apiVersion)}`);
  return definition;
}
