// What an expression of a mutating policy makes of an object: a JSON patch, or an apply configuration that is merged by the kind's schema.
import { jsonOf } from '#cel/json-of.ts';
import { JsonPatchValue } from '#cel/library/json-patch.ts';
import { ApplyConfigurationValue, misplacedTypes } from '#cel/library/mutation-types.ts';
import { type CelValue, isList } from '#cel/value.ts';
import type { KubernetesObject } from '#api/object.ts';
import { mergeValues } from '#patch/apply/merge.ts';
import { topologyOf } from '#patch/apply/topology.ts';
import { refuseMisfit, TypeMismatch } from '#patch/apply/validate.ts';
import { JsonPatchFailure, JsonPatchTestFailed, type JsonPatchOperation, patchDocument } from '#patch/json-patch.ts';
import { applyDefaults, type DefaultedKind } from '#schema/defaults.ts';
import type { StructSchema } from '#schema/build.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';

/** The patch cannot be made or applied: the policy's failure policy decides. */
export class PolicyPatchError extends Error {
  override readonly name = 'PolicyPatchError';
}

/** Throws a DecodeError where the result is no object of the kind. */
export function patched(kind: DefaultedKind, object: KubernetesObject, value: CelValue, is: 'applyConfiguration' | 'jsonPatch'): KubernetesObject {
  const { schema } = kind;
  const result = is === 'jsonPatch' ? byJsonPatch(schema, object, value) : byApplyConfiguration(schema, object, value);
  const decoded = decodeValue(schema, result).object;
  applyDefaults(kind, decoded);
  return decoded;
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
  return { op, path, ...(from !== '' && { from }), ...(value.value !== undefined && { value: jsonOf(value.value) }) };
}

function byApplyConfiguration(schema: StructSchema, object: KubernetesObject, value: CelValue): unknown {
  if (!(value instanceof ApplyConfigurationValue)) throw new PolicyPatchError('unsupported return type from ApplyConfiguration expression');
  const misplaced = misplacedTypes(value);
  if (misplaced.length > 0) throw new PolicyPatchError(`type mismatch: ${misplaced.join(', ')}`);
  const { apiVersion, kind } = object;
  const applied = { ...(jsonOf(value) as object), apiVersion, kind };
  const topology = topologyOf(schema);
  try {
    refuseMisfit(topology, applied, 'refused');
  } catch (error) {
    if (error instanceof TypeMismatch) throw new PolicyPatchError(`error applying patch: failed to convert patch object to typed object: ${error.message}`);
    throw error;
  }
  return mergeValues(topology, JSON.parse(encodeJson(schema, object)), applied);
}
