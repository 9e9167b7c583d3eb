// What an expression of a mutating policy makes of an object: a JSON patch, or an apply configuration that is merged by the kind's schema.
import { jsonOf } from '#cel/json-of.ts';
import { JsonPatchValue } from '#cel/library/json-patch.ts';
import { ApplyConfigurationValue, misplacedTypes } from '#cel/library/mutation-types.ts';
import { ValueMap } from '#cel/standard/value-map.ts';
import { ArrayList, CelError, type CelValue, Duration, isList } from '#cel/value.ts';
import { parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { internalPackage } from '#admission/webhooks/patched-object.ts';
import { goQuote } from '#base/go-text.ts';
import { mergeValues } from '#patch/apply/merge.ts';
import { type Topology, topologyOf } from '#patch/apply/topology.ts';
import { refuseMisfit, TypeMismatch } from '#patch/apply/validate.ts';
import { JsonPatchFailure, JsonPatchTestFailed, type JsonPatchOperation, patchDocument } from '#patch/json-patch.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { applyDefaults, type DefaultedKind } from '#schema/defaults.ts';
import type { StructSchema } from '#schema/build.ts';
import { DecodeError, decodeValue } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';

/** The patch cannot be made or applied: the policy's failure policy decides. */
export class PolicyPatchError extends Error {
  override readonly name = 'PolicyPatchError';
}

/** What a patch is applied to. */
export interface PatchTarget extends DefaultedKind {
  readonly type: NamedType;
  readonly catalog: Pick<ResourceCatalog, 'byKind'>;
  /** Judged by its own validation, and pruned. */
  readonly isCustom: boolean;
}

interface NamedType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** Throws a DecodeError where the result is no object of the kind. */
export function patched(target: PatchTarget, object: KubernetesObject, value: CelValue, is: 'applyConfiguration' | 'jsonPatch'): KubernetesObject {
  const { schema } = target;
  const result = is === 'jsonPatch' ? byJsonPatch(schema, object, value) : byApplyConfiguration(schema, object, value);
  if (result === object) return object;
  if (!target.isCustom) refuseOtherType(target, result as Partial<NamedType>);
  const { object: decoded, problems } = decodeValue(schema, result);
  if (problems.length > 0 && !target.isCustom) throw new DecodeError(`strict decoding error: ${problems.join(', ')}`);
  applyDefaults(target, decoded);
  return decoded;
}

/** Upstream decodes the result as what it says it is. */
function refuseOtherType({ type, catalog }: PatchTarget, result: Partial<NamedType>): void {
  const { kind = type.kind, apiVersion = type.apiVersion } = result;
  if (kind === type.kind && apiVersion === type.apiVersion) return;
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
  const named = catalog.byKind(group, version, kind);
  if (named === undefined)
    throw new DecodeError(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
  decodeValue(named.schema, result);
  const wanted = `${internalPackage(parseApiVersion(type.apiVersion)?.group ?? '')}.${type.kind}`;
  throw new DecodeError(`failed to convert object: converting (${version}.${kind}) to (${wanted}): unknown conversion`);
}

function byJsonPatch(schema: StructSchema, object: KubernetesObject, value: CelValue): unknown {
  if (!isList(value)) throw new PolicyPatchError('type mismatch: JSONPatchType.');
  try {
    return patchDocument(JSON.parse(encodeJson(schema, object)), [...value].map(operationOf));
  } catch (error) {
    if (error instanceof JsonPatchTestFailed) return object;
    if (error instanceof JsonPatchFailure) throw new PolicyPatchError(`JSON Patch: ${error.message}`);
    throw error;
  }
}

function operationOf(value: CelValue): JsonPatchOperation {
  if (!(value instanceof JsonPatchValue)) throw new PolicyPatchError('type mismatch: JSONPatchType.');
  const { op, path, from } = value;
  return { op, path, ...(from !== '' && { from }), ...(value.value !== undefined && { value: writable(value.value) }) };
}

function writable(value: CelValue): unknown {
  try {
    return jsonOf(value);
  } catch (error) {
    if (error instanceof CelError) throw new PolicyPatchError(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${error.message}`);
    throw error;
  }
}

function byApplyConfiguration(schema: StructSchema, object: KubernetesObject, value: CelValue): unknown {
  if (!(value instanceof ApplyConfigurationValue)) throw new PolicyPatchError('unsupported return type from ApplyConfiguration expression');
  const misplaced = misplacedTypes(value);
  if (misplaced.length > 0) throw new PolicyPatchError(`type mismatch: ${misplaced.join(', ')}`);
  const { apiVersion, kind } = object;
  const applied = { ...(nativeOf(value) as object), apiVersion, kind };
  const topology = topologyOf(schema);
  try {
    refuseMisfit(topology, applied, 'refused');
  } catch (error) {
    if (error instanceof TypeMismatch) throw new PolicyPatchError(`error applying patch: failed to convert patch object to typed object: ${error.message}`);
    throw error;
  }
  const atomics = atomicsIn(topology, applied);
  if (atomics.length > 0)
    throw new PolicyPatchError(`error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`);
  return mergeValues(topology, JSON.parse(encodeJson(schema, object)), applied);
}

/** What Go holds of a configuration that an expression wrote: null is the number of its only value there, a duration its nanoseconds. */
function nativeOf(value: CelValue): unknown {
  if (value === null) return 0;
  if (value instanceof Duration) return jsonOf(value.nanos);
  if (value instanceof ArrayList) return value.elements.map(nativeOf);
  if (!(value instanceof ApplyConfigurationValue || value instanceof ValueMap)) return jsonOf(value);
  return Object.fromEntries([...value.keys()].map((key) => [String(key), nativeOf(value.get(key) ?? null)]));
}

/** Where a configuration would replace a whole list, map or struct: its author may not know that whatever it leaves out would go. */
function atomicsIn(topology: Topology | undefined, value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) {
    const { list } = topology ?? {};
    if (list === undefined) return [];
    return [...(list.atomic ? [path] : []), ...value.flatMap((item, index) => atomicsIn(list.item, item, `${path}[${index}]`))];
  }
  const map = isObject(value) ? topology?.map : undefined;
  if (map === undefined) return [];
  const below = Object.entries(value as object).flatMap(([name, member]) => (map.declares(name) ? atomicsIn(map.typeOf(name), member, `${path}.${name}`) : []));
  return [...(map.atomic ? [path] : []), ...below];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
