// From the bytes of a request to an object of the expected kind, with the refusals of the original.
import { ApiError, badRequest } from '#api/api-error.ts';
import { textOfBytes } from '#base/byte-text.ts';
import { goQuote } from '#base/go-text.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { Turn } from '#base/next-turn.ts';
import { inTurns } from '#base/steps.ts';
import type { FieldValidation } from '#api/field-validation.ts';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { isReset } from '#patch/apply/managed-fields.ts';
import type { StructSchema } from '#schema/build.ts';
import { applyDefaults, type DefaultedKind } from '#schema/defaults.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { canonicalObject, DecodeError, type Decoded, decodeBodyInTurns, readJsonInTurns, valueDecodingSteps } from '#schema/json/decode.ts';
import { decodeSentProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { isCustom } from '#schema/struct-plan.ts';
import { yamlReadingSteps } from '#schema/yaml/yaml.ts';
import type { Call } from '#verbs/call.ts';
import { isInSchemeOf, isReadKind, isSameKind, versionPackage } from '#verbs/scheme-kinds.ts';
import { completed, nullApiVersion, typeMetaOf, unparsable } from '#verbs/type-meta.ts';

export type Body = CborBody | { readonly mediaType: 'json' | 'yaml' | 'protobuf'; readonly bytes: Buffer };

export interface CborBody {
  readonly mediaType: 'cbor';
  readonly bytes: Buffer;
  /** What reads it. */
  readonly cbor: Cbor;
}

/** What is read where the client sent nothing. */
export const noBody: Body = { mediaType: 'json', bytes: Buffer.alloc(0) };

export interface ExpectedKind extends GroupVersionKind, DefaultedKind {
  /** Other apiVersions under which the same kind may come. */
  readonly aliases?: readonly string[];
  /** A patch may make another kind of it, which validation refuses. */
  readonly kindIsValidated?: boolean;
}

export interface DecodedBody {
  readonly object: KubernetesObject;
  /** The client sent managedFields that start tracking again; the canonical form does not show it. */
  readonly reset: boolean;
}

/**
 * A complete object of the requested version, defaults filled in; strict findings are refused or become warnings. Large bodies give others
 * their turn between the steps; the small ones that most requests have are done by plain calls, which V8 compiles far better than generators.
 */
export function decodeBody(call: Call, body: Body, expected: ExpectedKind, validation: FieldValidation, turn: Turn): MaybePromise<DecodedBody> {
  return andThen(decodeForm(call, body, expected, turn), ({ object, problems, reset, kind }) => {
    reportProblems(call, expected, problems, validation);
    object.kind = kind;
    object.metadata ??= {};
    object.apiVersion = apiVersionOf(expected);
    return turn.run(() => {
      applyDefaults(expected, object);
      call.received?.(object, expected.schema);
      return { object, reset };
    });
  });
}

interface DecodedForm extends Decoded {
  readonly reset: boolean;
  /** Another one than expected is refused by validation. */
  readonly kind: string;
}

function decodeForm(call: Call, body: Body, expected: ExpectedKind, turn: Turn): MaybePromise<DecodedForm> {
  switch (body.mediaType) {
    case 'cbor':
      return isCustom(expected.schema) ? decodeCustomCbor(body, expected, turn) : decodeCbor(call, body, expected, turn);
    case 'protobuf':
      return decodeBinary(call, body.bytes, expected);
    default:
      return andThen(parseText(body, expected, turn), (parsed) => decodeText(call, body, parsed, { expected, turn }));
  }
}

function reportProblems(call: Call, expected: ExpectedKind, problems: readonly string[], validation: FieldValidation): void {
  if (problems.length === 0 || validation === 'Ignore') return;
  if (validation === 'Strict') throw cannotHandle(expected, expected, `strict decoding error: ${problems.join(', ')}`);
  for (const problem of problems) for (const text of warningsIn(problem)) call.warn(text);
}

/** YAML reports all repeated keys in one text of several lines, under a headline. */
function warningsIn(problem: string): readonly string[] {
  const [, ...lines] = problem.split('\n  ');
  return lines.length === 0 ? [problem] : lines;
}

interface Decoding {
  readonly expected: ExpectedKind;
  readonly turn: Turn;
}

function decodeText(call: Call, body: TextBody, { value, decode }: ParsedText, { expected, turn }: Decoding): MaybePromise<DecodedForm> {
  const found = typeMetaOf(value, expected, (why) => unrecognized(expected, why, body.bytes));
  const { kindIsValidated = false } = expected;
  if (kindIsValidated) refuseOtherVersion(value, expected, body.bytes);
  else if (!isExpected(found, expected)) return refuseText(call, found, expected, decode);
  const reset = resetsManagedFields(value);
  return turn.run(() =>
    andThen(
      tryDecode(() => decode(expected.schema), found, expected),
      ({ object, problems }) => ({ object, problems, reset, kind: kindIsValidated ? found.kind : expected.kind }),
    ),
  );
}

/** Go reads a body as what it says it is before it finds out that it is something else. */
function refuseText(call: Call, found: GroupVersionKind, expected: ExpectedKind, decode: ParsedText['decode']): MaybePromise<never> {
  const other = call.world.catalog.byKind(found.group, found.version, found.kind);
  const read = other === undefined || isCustom(other.schema) ? undefined : tryDecode(() => decode(other.schema), found, expected);
  return andThen(read, () => refuseKind(call, found, expected));
}

export function resetsManagedFields(value: unknown): boolean {
  const { metadata } = (value ?? {}) as { metadata?: { managedFields?: unknown } | null };
  return isReset(metadata?.managedFields as never);
}

type TextBody = Pick<Body, 'mediaType' | 'bytes'>;

interface ParsedText {
  /** To look at; decoding uses it up. */
  readonly value: unknown;
  readonly decode: (schema: StructSchema) => MaybePromise<Decoded>;
}

function parseText({ mediaType, bytes }: TextBody, expected: ExpectedKind, turn: Turn): MaybePromise<ParsedText> {
  const refused = (error: unknown): never => {
    if (!(error instanceof Error) || error instanceof ApiError) throw error;
    throw unrecognized(expected, unparsable(error), bytes);
  };
  try {
    const parsing = mediaType === 'json' ? parseJsonText(bytes, turn) : parseYamlText(bytes, turn);
    return parsing instanceof Promise ? parsing.catch(refused) : parsing;
  } catch (error) {
    return refused(error);
  }
}

function parseJsonText(bytes: Buffer, turn: Turn): MaybePromise<ParsedText> {
  return andThen(readJsonInTurns(bytes, turn), (json) => ({ value: json.value, decode: (schema) => decodeBodyInTurns(schema, json, turn) }));
}

function parseYamlText(bytes: Buffer, turn: Turn): MaybePromise<ParsedText> {
  return andThen(inTurns(yamlReadingSteps(bytes), turn), ({ value, problem }) => ({
    value,
    decode: (schema) =>
      andThen(inTurns(valueDecodingSteps(schema, value), turn), ({ object, problems }) => ({
        object,
        problems: problem === undefined ? problems : [problem, ...problems],
      })),
  }));
}

function decodeBinary(call: Call, bytes: Buffer, expected: ExpectedKind): DecodedForm {
  const envelope = tryRead(
    () => readEnvelope(bytes),
    (why) => unrecognized(expected, why, bytes),
  );
  const version = parseApiVersion(envelope.apiVersion) ?? { group: '', version: '' };
  const found = completed(version, envelope.kind, expected);
  refuseOtherKind(call, found, expected);
  const object = tryRead(
    () => decodeSentProtobuf(expected.schema, envelope.raw),
    (why) => cannotHandle(found, expected, why),
  );
  return { object: object as KubernetesObject, problems: [], reset: false, kind: expected.kind };
}

function decodeCbor(call: Call, body: CborBody, expected: ExpectedKind, turn: Turn): MaybePromise<DecodedForm> {
  const { bytes, cbor } = body;
  const { apiVersion, kind } = cborTypeMeta(body, expected);
  const found = completed(parseApiVersion(apiVersion) ?? { group: '', version: '' }, kind, expected);
  refuseOtherKind(call, found, expected);
  const { value, problems } = tryRead(
    () => cbor.decodeTyped(expected.schema, bytes),
    (why) => cannotHandle(found, expected, why),
  );
  const reset = resetsManagedFields(value);
  return turn.run(() => ({ object: canonicalObject(expected.schema, value), problems, reset, kind: expected.kind }));
}

/** As the original reads objects without a Go type: all of it, then what it is. It looks for no unknown fields here, and leaves the kind to validation. */
function decodeCustomCbor(body: CborBody, expected: ExpectedKind, turn: Turn): MaybePromise<DecodedForm> {
  const { bytes, cbor } = body;
  const read = (why: string): Error => {
    const { apiVersion, kind } = cborTypeMeta(body, expected);
    return cannotHandle(completed(parseApiVersion(apiVersion) ?? { group: '', version: '' }, kind, expected), expected, why);
  };
  const value = tryRead(() => {
    cbor.refuseIllFormed(bytes);
    return cbor.decodeUntyped(bytes);
  }, read);
  const { apiVersion, kind } = value;
  const version = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '') ?? { group: '', version: '' };
  const found = { ...version, kind: typeof kind === 'string' ? kind : '' };
  if (found.kind === '') throw unrecognized(expected, `Object 'Kind' is missing in '${cbor.diagnoseCbor(bytes)}'`, bytes);
  if (found.version === '') throw cannotHandle(found, expected, `Object 'apiVersion' is missing in '${cbor.diagnoseCbor(bytes)}'`);
  if (apiVersionOf(found) !== apiVersionOf(expected)) throw otherVersion(apiVersionOf(found), expected);
  const reset = resetsManagedFields(value);
  const decode = () => turn.run(() => inTurns(valueDecodingSteps(expected.schema, value), turn));
  return andThen(tryDecode(decode, found, expected), ({ object }) => ({ object, problems: [], reset, kind: found.kind }));
}

function cborTypeMeta({ bytes, cbor }: CborBody, expected: ExpectedKind): { readonly apiVersion: string; readonly kind: string } {
  return tryRead(
    () => cbor.readTypeMeta(bytes),
    (why) => unrecognized(expected, `unable to determine group/version/kind: ${why}`, bytes),
  );
}

function tryDecode(decode: () => MaybePromise<Decoded>, found: GroupVersionKind, expected: ExpectedKind): MaybePromise<Decoded> {
  const refused = (error: unknown): never => {
    throw error instanceof DecodeError ? cannotHandle(found, expected, error.message) : error;
  };
  try {
    const decoding = decode();
    return decoding instanceof Promise ? decoding.catch(refused) : decoding;
  } catch (error) {
    return refused(error);
  }
}

function tryRead<T>(read: () => T, refusal: (why: string) => Error): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ApiError) throw error;
    throw refusal(error.message);
  }
}

function refuseOtherKind(call: Call, found: GroupVersionKind, expected: ExpectedKind): void {
  if (!isExpected(found, expected)) refuseKind(call, found, expected);
}

function isExpected(found: GroupVersionKind, expected: ExpectedKind): boolean {
  if (found === expected) return true;
  if (found.kind !== expected.kind) return false;
  return (found.group === expected.group && found.version === expected.version) || expected.aliases?.includes(apiVersionOf(found)) === true;
}

function refuseKind(call: Call, found: GroupVersionKind, expected: ExpectedKind): never {
  if (!isRegistered(call, found, expected.group)) throw cannotHandle(found, expected, noKindRegistered(found));
  if (isSameKind(found, expected)) throw otherVersion(apiVersionOf(found), expected);
  throw cannotHandle(found, expected, noConversion(found, expected));
}

/** Of custom resources only the version is looked at here; that there is some kind, upstream's decoder of unstructured objects wants. */
function refuseOtherVersion(value: unknown, expected: ExpectedKind, bytes: Buffer): void {
  const { apiVersion, kind } = (value ?? {}) as { readonly apiVersion?: string | null; readonly kind?: string | null };
  if (!kind) throw unrecognized(expected, `Object 'Kind' is missing in '${bytes.toString()}'`, bytes);
  if (apiVersion === apiVersionOf(expected)) return;
  if (apiVersion === null) throw cannotHandle({ group: '', version: '', kind }, expected, nullApiVersion);
  throw otherVersion(apiVersion?.replace(/^\//, '') ?? '', expected);
}

function otherVersion(found: string, expected: ExpectedKind): Error {
  return badRequest(`the API version in the data (${found}) does not match the expected API version (${apiVersionOf(expected)})`);
}

/** Between two kinds that are both known. */
export function noConversion(found: GroupVersionKind, expected: GroupVersionKind): string {
  return `converting (${versionPackage(found)}.${found.kind}) to (${internalPackage(expected.group)}.${expected.kind}): unknown conversion`;
}

export function noKindRegistered({ kind, ...version }: GroupVersionKind): string {
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersionOf(version))} in scheme "pkg/runtime/scheme.go:111"`;
}

/** In the scheme by which objects of `where`, a group, are read; custom resources are in none. */
export function isRegistered({ world: { catalog } }: Pick<Call, 'world'>, found: GroupVersionKind, where: string): boolean {
  const { group, version, kind } = found;
  if (!isInSchemeOf(where, found)) return false;
  const isBuiltIn = (name: string): boolean => catalog.byKind(group, version, name)?.refusals === 'router';
  if ([kind, kind.replace(/List$/, '')].some(isBuiltIn)) return true;
  return isReadKind(found, catalog.resourcesOf(group, version).length > 0);
}

/** The Go package that holds the internal types of a group: `core`, `apps`, `rbac`. */
export function internalPackage(group: string): string {
  return group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.')[0] ?? '');
}

function cannotHandle(found: GroupVersionKind, expected: GroupVersionKind, why: string): Error {
  return badRequest(`${found.kind} in version ${goQuote(found.version)} cannot be handled as a ${expected.kind}: ${why}`);
}

function unrecognized(expected: GroupVersionKind, why: string, bytes: Buffer): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summary(bytes)})`);
}

const summaryLength = 30;

function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const shown = bytes[0] === 0x7b ? textOfBytes(bytes, 0, Math.min(summaryLength, bytes.length)) : bytes.subarray(0, summaryLength).toString('hex');
  return bytes.length > summaryLength ? `${shown} ...` : shown;
}
