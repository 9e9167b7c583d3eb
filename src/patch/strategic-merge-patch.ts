// Strategic merge patch: a merge patch that knows how lists of built-in kinds are keyed, with directives inside the patch.
import { badRequest, unclassified } from '#api/api-error.ts';
import type { FieldValidation } from '#api/field-validation.ts';
import { goTypeOf } from '#patch/go-format.ts';
import { isPlainObject, memberOf, type PlainObject } from '#patch/members.ts';
import { type DecodedPatch, notAnObject } from '#patch/merge-patch.ts';
import { deleteFromList, mergeLists, orderMerged, refuseUnordered, unknownDirective } from '#patch/strategic-lists.ts';
import { itemTarget, memberTarget, type PatchTarget, rootTarget } from '#patch/strategic-lookup.ts';
import type { StructSchema } from '#schema/build.ts';
import { clone, setMember } from '#schema/clone.ts';
import { JsonSyntaxError, parseJson } from '#schema/json/parse-json.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const setElementOrder = '$setElementOrder';
const deleteFromPrimitiveList = '$deleteFromPrimitiveList';

export function decodeStrategicMergePatch(bytes: Buffer, fieldValidation: FieldValidation = 'Warn'): DecodedPatch {
  try {
    const { value, duplicates } = parseJson(bytes);
    if (value !== null && !isPlainObject(value)) throw new JsonSyntaxError(notAnObject(value));
    return { patch: value ?? {}, findings: fieldValidation === 'Ignore' ? [] : duplicates.map((path) => `duplicate field "${path}"`) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(error.message);
  }
}

/** The merged document; both arguments stay as they are. Fields the schema does not know pass through. */
export function applyStrategicMergePatch(schema: StructSchema, document: unknown, patch: unknown): unknown {
  return mergeStrategically(schema, document, patch).document;
}

export interface StrategicMerge {
  readonly document: PlainObject;
  /** The patch without the directives that were carried out; refusals of the result quote it (`formatGo`). */
  readonly consumed: PlainObject;
}

export function mergeStrategically(schema: StructSchema, document: unknown, patch: unknown): StrategicMerge {
  const consumed = isPlainObject(patch) ? clone(patch) : {};
  return { document: mergeMaps(isPlainObject(document) ? document : {}, consumed, rootTarget(schema)), consumed };
}

/** Consumes the patch, leaves the original alone. */
function mergeMaps(original: PlainObject, patch: PlainObject, target: PatchTarget): PlainObject {
  if (Object.hasOwn(patch, directive)) return followDirective(patch);
  const result = { ...original };
  retainOnly(result, patch);
  for (const key of Object.keys(patch)) if (key.startsWith(setElementOrder)) mergeOrdered(result, patch, key, target);
  for (const key of Object.keys(patch)) mergeMember(result, key, patch[key], target);
  return result;
}

function followDirective(patch: PlainObject): PlainObject {
  const value = patch[directive];
  if (value === 'delete') return {};
  if (value !== 'replace') throw unknownDirective(value, patch);
  delete patch[directive];
  return patch;
}

function retainOnly(result: PlainObject, patch: PlainObject): void {
  if (!Object.hasOwn(patch, retainKeys)) return;
  const keys = patch[retainKeys];
  delete patch[retainKeys];
  if (!Array.isArray(keys)) throw badRequest('invalid patch format of retainKeys');
  const kept = new Set<unknown>(keys);
  const stray = Object.keys(patch).some((key) => patch[key] !== null && !isParallelList(key) && !kept.has(key));
  if (stray) throw badRequest('invalid patch format of retainKeys');
  for (const key of Object.keys(result)) if (!kept.has(key)) delete result[key];
}

function isParallelList(key: string): boolean {
  return key.startsWith(deleteFromPrimitiveList) || key.startsWith(setElementOrder);
}

/** `$setElementOrder/containers` and `containers` are one instruction; afterwards both are done with. */
function mergeOrdered(result: PlainObject, patch: PlainObject, directiveKey: string, parent: PatchTarget): void {
  const order = listOf(patch[directiveKey]);
  delete patch[directiveKey];
  const key = parallelKey(directiveKey, setElementOrder, 'invalid patch format of setElementOrder list');
  const live = Object.hasOwn(result, key) ? listOf(result[key]) : undefined;
  const wanted = Object.hasOwn(patch, key) ? listOf(patch[key]) : undefined;
  const target = itemTarget(parent, key);
  refuseUnordered(wanted ?? [], order, target.key);
  const merged = mergedList(live, wanted, target);
  if (merged === undefined) return;
  setMember(result, key, orderMerged(merged, { order, live: live ?? [], patch: wanted ?? [] }, target.key));
  delete patch[key];
}

function mergedList(live: unknown[] | undefined, wanted: unknown[] | undefined, target: PatchTarget): unknown[] | undefined {
  if (wanted === undefined) return live;
  if (live === undefined) return withoutDirectives(wanted) as unknown[];
  return target.strategy === 'merge' ? mergeLists(live, wanted, target, mergeMaps) : wanted;
}

function mergeMember(result: PlainObject, patchKey: string, value: unknown, parent: PatchTarget): void {
  const isDeletion = patchKey.startsWith(deleteFromPrimitiveList);
  const key = isDeletion ? parallelKey(patchKey, deleteFromPrimitiveList, 'invalid patch format of primitive list') : patchKey;
  if (value === null) {
    delete result[key];
    return;
  }
  const current = memberOf(result, key);
  if (isPlainObject(current) && isPlainObject(value)) {
    const target = memberTarget(parent, key);
    setMember(result, key, target.strategy === 'replace' ? value : mergeMaps(current, value, target));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const target = itemTarget(parent, key);
    setMember(result, key, mergedLists(current, value, target, isDeletion));
  } else if (!isDeletion) takeOver(result, key, value);
}

function mergedLists(current: readonly unknown[], value: readonly unknown[], target: PatchTarget, isDeletion: boolean): readonly unknown[] {
  if (isDeletion) return deleteFromList(current, value, target, mergeMaps);
  return target.strategy === 'merge' ? mergeLists(current, value, target, mergeMaps) : value;
}

/** A value for which there is nothing to merge with. */
function takeOver(result: PlainObject, key: string, value: unknown): void {
  const taken = withoutDirectives(withoutNulls(value));
  if (taken === undefined) delete result[key];
  else setMember(result, key, taken);
}

function parallelKey(key: string, prefix: string, refusal: string): string {
  const slash = key.indexOf('/');
  if (slash < 0 || key.slice(0, slash) !== prefix) throw badRequest(refusal);
  return key.slice(slash + 1);
}

/** Undefined for a map that is itself a directive. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isPlainObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  for (const key of Object.keys(value)) {
    const rest = withoutDirectives(value[key]);
    if (rest === undefined) delete value[key];
    else setMember(value, key, rest);
  }
  return value;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) for (const item of value) withoutNulls(item);
  else if (isPlainObject(value)) {
    for (const key of Object.keys(value)) {
      if (value[key] === null) delete value[key];
      else withoutNulls(value[key]);
    }
  }
  return value;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw unclassified(`expected a []interface {}, but received a ${goTypeOf(value)}`);
}
