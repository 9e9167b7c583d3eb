// One patch applied to one document, whatever its type: the result, and how refusals of the result quote it.
import { type ApiError, invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { FieldValidation } from '#api/field-validation.ts';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '#api/names.ts';
import { inOneGo, type Steps } from '#base/steps.ts';
import type { KubernetesObject } from '#api/object.ts';
import { fromUnstructured, holdsFreeJson } from '#patch/from-unstructured.ts';
import { formatGo } from '#patch/go-format.ts';
import { decodeJsonPatch, membersNamedBy, patchInRequest } from '#patch/json-patch.ts';
import { isPlainObject, type PlainObject } from '#patch/members.ts';
import { applyMergePatch, decodeMergePatch } from '#patch/merge-patch.ts';
import { decodeStrategicMergePatch, mergeStrategically } from '#patch/strategic-merge-patch.ts';
import { type IsStable, type Touched, touchedPart } from '#patch/untouched.ts';
import type { StructSchema } from '#schema/build.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { type Decoded, DecodeError, decodeValue, valueDecodingSteps } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { writeJson } from '#schema/json/json-text.ts';
import { sorted } from '#schema/json/sorted.ts';
import { isCustom } from '#schema/struct-plan.ts';
import { parseWritten } from '#schema/json/parse-json.ts';
import { type DecodedBody, type ExpectedKind, noConversion, noKindRegistered, resetsManagedFields } from '#verbs/body.ts';
import { nullApiVersion, typeMetaOf } from '#verbs/type-meta.ts';

export type PatchType = 'json' | 'merge' | 'strategic';

export interface PatchRequest {
  readonly type: PatchType;
  readonly bytes: Buffer;
  readonly validation: FieldValidation;
  readonly warn: (text: string) => void;
  /** The live object is as it was stored: what the patch does not touch needs no decoding. */
  readonly isStored?: boolean;
  /** Is this a kind that the server knows? */
  readonly isRegistered?: (kind: GroupVersionKind) => boolean;
}

/** The live object with the patch applied, decoded again: strict findings and wrong types are the patch's fault. */
export function patchedObject(expected: ExpectedKind, request: PatchRequest, live: KubernetesObject): DecodedBody {
  return inOneGo(patchSteps(expected, request, live));
}

/** The same in steps, for large patches. */
export function* patchSteps(expected: ExpectedKind, request: PatchRequest, live: KubernetesObject): Steps<DecodedBody> {
  const { result, quoted, findings } = yield* computePatch(expected.schema, request, live);
  yield;
  try {
    const touched = touchedBy(expected, request, result, live);
    const { object: decoded, problems } = yield* decodeResult(expected, request, touched?.part ?? result);
    yield;
    const object = touched === undefined ? decoded : (touched.whole(decoded as unknown as PlainObject) as unknown as KubernetesObject);
    const found = [...findings, ...problems];
    if (found.length > 0 && request.validation === 'Strict') throw new DecodeError(`strict decoding error: ${found.join(', ')}`);
    if (request.validation === 'Warn') for (const finding of found) request.warn(finding);
    yield;
    applyDefaults(expected, object);
    return { object, reset: resetsManagedFields(result) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const text = yield* quoted();
    yield;
    throw unusable(text, error.message);
  }
}

interface Computed {
  readonly result: unknown;
  readonly quoted: () => Steps<string>;
  readonly findings: readonly string[];
}

/** Decoding uses up the result, so that it is computed anew where it is quoted. */
function* computePatch(schema: StructSchema, request: PatchRequest, live: KubernetesObject): Steps<Computed> {
  const { type, bytes, validation, isStored = false } = request;
  if (type === 'json') {
    const { operations, findings } = decodeJsonPatch(bytes, validation);
    yield;
    const document = isStored ? asWrittenWhere(schema, live, membersNamedBy(operations)) : asWritten(schema, live);
    const result = yield* patchInRequest(document, operations);
    return { result, findings, quoted: () => quotedAs(schema, jsonPatched(schema, request, live)) };
  }
  if (type === 'merge') {
    const { patch, findings } = decodeMergePatch(bytes, validation);
    yield;
    return { result: applyMergePatch(live, patch), findings, quoted: () => quotedAs(schema, mergePatched(schema, request, live)) };
  }
  const { patch, findings } = decodeStrategicMergePatch(bytes, validation);
  yield;
  const { document, consumed } = mergeStrategically(schema, live, patch);
  return { result: document, findings, quoted: () => formatted(consumed) };
}

function* formatted(consumed: unknown): Steps<string> {
  yield;
  return formatGo(consumed);
}

function* jsonPatched(schema: StructSchema, { bytes, validation }: PatchRequest, live: KubernetesObject): Steps<unknown> {
  yield;
  const { operations } = decodeJsonPatch(bytes, validation);
  yield;
  return yield* patchInRequest(asWritten(schema, live), operations);
}

function* mergePatched(schema: StructSchema, { bytes, validation }: PatchRequest, live: KubernetesObject): Steps<unknown> {
  yield;
  const { patch } = decodeMergePatch(bytes, validation);
  yield;
  return applyMergePatch(asWritten(schema, live), patch);
}

/** What has no Go type is a map, which Go prints sorted. */
function* quotedAs(schema: StructSchema, patching: Steps<unknown>): Steps<string> {
  const result = yield* patching;
  yield;
  return writeJson(isCustom(schema) ? sorted(result) : result);
}

/** As clients read it: with a null for lists and times that are always written. However deep: the server takes definitions that are deeper than what senders may nest freely. */
function asWritten(schema: StructSchema, live: KubernetesObject): unknown {
  return parseWritten(encodeJson(schema, live));
}

/** Only these members as clients read them, the others as they are. */
function asWrittenWhere(schema: StructSchema, live: KubernetesObject, named: ReadonlySet<string> | 'all'): unknown {
  if (named === 'all') return asWritten(schema, live);
  const members = Object.entries(live);
  const part = Object.fromEntries(members.filter(([name, value]) => named.has(name) || typeof value !== 'object'));
  const untouched = Object.fromEntries(members.filter(([name]) => !Object.hasOwn(part, name)));
  return { ...(asWritten(schema, part as unknown as KubernetesObject) as object), ...untouched };
}

/** Undefined where all of the result is decoded: so it is without an apiVersion, which leaves nothing of the object. */
function touchedBy({ schema }: ExpectedKind, { type, isStored }: PatchRequest, result: unknown, live: KubernetesObject): Touched | undefined {
  if (!isStored || !isPlainObject(result) || (type !== 'strategic' && !result['apiVersion'])) return undefined;
  return touchedPart(schema, result, live as unknown as PlainObject, isStable[type]);
}

const isStable: Readonly<Record<PatchType, IsStable>> = { json: () => true, merge: () => true, strategic: (schema) => !holdsFreeJson(schema) };

function decodeResult(expected: ExpectedKind, request: PatchRequest, result: unknown): Steps<Decoded> {
  return request.type === 'strategic' ? decodeStrategic(expected, result) : decodeSent(expected, request, result);
}

/** What a strategic patch says about kind and apiVersion is not looked at. */
function* decodeStrategic(expected: ExpectedKind, result: unknown): Steps<Decoded> {
  const typed = fromUnstructured(expected.schema, result);
  yield;
  return yield* valueDecodingSteps(expected.schema, { ...(typed as object), kind: expected.kind, apiVersion: apiVersionOf(expected) }, 'unstructured');
}

/** Without an apiVersion upstream decodes into a type that knows none of the JSON names; a kind that is missing is the one asked for. */
function* decodeSent(expected: ExpectedKind, request: PatchRequest, result: unknown): Steps<Decoded> {
  const { schema } = expected;
  if (expected.kindIsValidated) return yield* valueDecodingSteps(schema, readableCustom(expected, result));
  refuseOtherKind(expected, request, result);
  const given = (result ?? {}) as Record<string, unknown>;
  if (given['apiVersion']) return yield* valueDecodingSteps(schema, given['kind'] ? result : { ...given, kind: expected.kind });
  const fields = Object.keys(given).filter((field) => field !== 'kind' && field !== 'apiVersion');
  const problems = fields
    .sort()
    .slice(0, mostProblems)
    .map((field) => `unknown field ${JSON.stringify(field)}`);
  return { object: decodeValue(schema, {}).object, problems };
}

/** An object without a Go type has to say in words what it is; whether that is right is for validation to judge. */
function readableCustom(expected: ExpectedKind, result: unknown): unknown {
  if (!isPlainObject(result)) return result;
  typeMetaOf(result, expected, (why) => new DecodeError(why));
  const { apiVersion, kind, metadata } = result;
  if (!kind) throw new DecodeError(`Object 'Kind' is missing in '${writeJson(sorted(result))}'`);
  if (apiVersion === null) throw new DecodeError(nullApiVersion);
  const said = typeof apiVersion === 'string' && apiVersion.startsWith('/') ? { apiVersion: apiVersion.slice(1) } : {};
  return { ...result, ...said, ...(metadata === null && { metadata: {} }) };
}

/** As many as Go's strict decoding collects. */
const mostProblems = 100;

function refuseOtherKind(expected: ExpectedKind, { isRegistered }: PatchRequest, result: unknown): void {
  if (Array.isArray(result)) typeMetaOf(result, expected, (why) => new DecodeError(why));
  const { kind, apiVersion } = (result ?? {}) as { kind?: unknown; apiVersion?: unknown };
  if (typeof apiVersion !== 'string' || apiVersion === '' || (kind && typeof kind !== 'string')) return;
  const found = { ...(parseApiVersion(apiVersion) ?? { group: '', version: apiVersion }), kind: kind ? String(kind) : expected.kind };
  if (found.kind === expected.kind && apiVersion === apiVersionOf(expected)) return;
  throw new DecodeError(isRegistered?.(found) ? noConversion(found, expected) : noKindRegistered(found));
}

/** A result that is no object of the kind: 422 on the pseudo field `patch`. */
function unusable(quoted: string, why: string): ApiError {
  const errors = new FieldErrors();
  errors.invalid('patch', quoted, why);
  return invalid({ group: '', kind: '' }, '', errors.list);
}
