// RFC 7386, and the two ways a merge patch is decoded.
import { badRequest } from '#api/api-error.ts';
import type { FieldValidation } from '#api/field-validation.ts';
import { isPlainObject, jsonTypeName, memberOf, type PlainObject } from '#patch/members.ts';
import { setMember } from '#schema/clone.ts';
import { JsonSyntaxError, parseJson } from '#schema/json/parse-json.ts';

export interface DecodedPatch {
  readonly patch: unknown;
  /** What strict field validation finds: `duplicate field "data.x"`. */
  readonly findings: readonly string[];
}

/** With fieldValidation=Ignore upstream decodes patches another way and says so in other words. */
export function decodeMergePatch(bytes: Buffer, fieldValidation: FieldValidation = 'Warn'): DecodedPatch {
  const lenient = fieldValidation === 'Ignore';
  try {
    const { value, duplicates } = parseJson(bytes);
    if (value === null || (lenient && !isPlainObject(value) && !Array.isArray(value))) throw badRequest('Invalid JSON Patch');
    if (!lenient && !isPlainObject(value)) throw new JsonSyntaxError(notAnObject(value));
    return { patch: value, findings: lenient ? [] : duplicates.map((path) => `duplicate field "${path}"`) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(lenient ? 'Invalid JSON Patch' : `error decoding patch: ${error.message}`);
  }
}

export function notAnObject(value: unknown): string {
  return `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`;
}

/** The merged document; both arguments stay as they are. */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return Array.isArray(patch) ? withoutNulls(patch) : patch;
  return isPlainObject(document) ? mergeObjects(document, patch) : withoutNulls(patch);
}

function mergeObjects(document: PlainObject, patch: PlainObject): PlainObject {
  const kept = Object.keys(document).filter((key) => !Object.hasOwn(patch, key));
  const given = Object.keys(patch).filter((key) => patch[key] !== null);
  const result: PlainObject = {};
  // What a patch has touched is written anew, as Go writes maps: refusals quote it in this order.
  for (const key of kept.concat(given).sort()) {
    setMember(result, key, Object.hasOwn(patch, key) ? mergeValue(memberOf(document, key), patch[key]) : document[key]);
  }
  return result;
}

function mergeValue(current: unknown, patch: unknown): unknown {
  if (!isPlainObject(current)) return withoutNulls(patch);
  return isPlainObject(patch) ? mergeObjects(current, patch) : patch;
}

/** Nulls are instructions, not values; those that are items of lists stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isPlainObject(value)) return value;
  const result: PlainObject = {};
  for (const key of Object.keys(value).toSorted()) if (value[key] !== null) setMember(result, key, withoutNulls(value[key]));
  return result;
}
