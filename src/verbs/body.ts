// From the bytes of a request to an object of the expected kind, with the refusals of the original.
import { ApiError, badRequest } from '#api/api-error.ts';
import { goQuote } from '#base/go-text.ts';
import type { FieldValidation } from '#api/field-validation.ts';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { isReset } from '#patch/apply/managed-fields.ts';
import type { StructSchema } from '#schema/build.ts';
import { applyDefaults, type DefaultedKind } from '#schema/defaults.ts';
import { DecodeError, type Decoded, decodeBody as decodeJsonBody, decodeValue, readJson } from '#schema/json/decode.ts';
import { decodeSentProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { readYaml } from '#schema/yaml/yaml.ts';
import type { Call } from '#verbs/call.ts';
import { isReadKind, isSameKind } from '#verbs/scheme-kinds.ts';
import { completed, typeMetaOf, unparsable } from '#verbs/type-meta.ts';

export interface Body {
  readonly mediaType: 'json' | 'yaml' | 'protobuf';
  readonly bytes: Buffer;
}

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
  /** Of what it was decoded from. */
  readonly bytes: number;
}

export function decodeObject(call: Call, body: Body, expected: ExpectedKind, validation: FieldValidation): KubernetesObject {
  return decodeBody(call, body, expected, validation).object;
}

/** A complete object of the requested version, defaults filled in; strict findings are refused or become warnings. */
export function decodeBody(call: Call, body: Body, expected: ExpectedKind, validation: FieldValidation): DecodedBody {
  const { object, problems, reset } = body.mediaType === 'protobuf' ? decodeBinary(call, body.bytes, expected) : decodeText(call, body, expected);
  reportProblems(call, expected, problems, validation);
  object.kind = expected.kind;
  object.apiVersion = apiVersionOf(expected);
  applyDefaults(expected, object);
  call.received?.(object, expected.schema);
  return { object, reset, bytes: body.bytes.length };
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

function decodeText(call: Call, body: Body, expected: ExpectedKind): Decoded & { reset: boolean } {
  const { value, decode } = parseText(body, expected);
  const found = typeMetaOf(value, expected, (why) => unrecognized(expected, why, body.bytes));
  refuseOtherKind(call, found, expected);
  const reset = resetsManagedFields(value);
  try {
    return { ...decode(expected.schema), reset };
  } catch (error) {
    if (error instanceof DecodeError) throw cannotHandle(found, expected, error.message);
    throw error;
  }
}

export function resetsManagedFields(value: unknown): boolean {
  const { metadata } = (value ?? {}) as { metadata?: { managedFields?: unknown } | null };
  return isReset(metadata?.managedFields as never);
}

interface ParsedText {
  /** To look at; decoding uses it up. */
  readonly value: unknown;
  readonly decode: (schema: StructSchema) => Decoded;
}

function parseText({ mediaType, bytes }: Body, expected: ExpectedKind): ParsedText {
  try {
    return mediaType === 'json' ? parseJsonText(bytes) : parseYamlText(bytes);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ApiError) throw error;
    throw unrecognized(expected, unparsable(error), bytes);
  }
}

function parseJsonText(bytes: Buffer): ParsedText {
  const json = readJson(bytes);
  return { value: json.value, decode: (schema) => decodeJsonBody(schema, json) };
}

function parseYamlText(bytes: Buffer): ParsedText {
  const { value, problem } = readYaml(bytes);
  return {
    value,
    decode: (schema) => {
      const { object, problems } = decodeValue(schema, value);
      return { object, problems: problem === undefined ? problems : [problem, ...problems] };
    },
  };
}

function decodeBinary(call: Call, bytes: Buffer, expected: ExpectedKind): Decoded & { reset: boolean } {
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
  return { object: object as KubernetesObject, problems: [], reset: false };
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
  if (found.kind === expected.kind && [apiVersionOf(expected), ...(expected.aliases ?? [])].includes(apiVersionOf(found))) return;
  if (!isRegistered(call, found)) throw cannotHandle(found, expected, noKindRegistered(found));
  if (isSameKind(found, expected))
    throw badRequest(`the API version in the data (${apiVersionOf(found)}) does not match the expected API version (${apiVersionOf(expected)})`);
  throw cannotHandle(found, expected, noConversion(found, expected));
}

/** Between two kinds that are both known. */
export function noConversion(found: GroupVersionKind, expected: GroupVersionKind): string {
  return `converting (${found.version}.${found.kind}) to (${internalPackage(expected.group)}.${expected.kind}): unknown conversion`;
}

export function noKindRegistered({ kind, ...version }: GroupVersionKind): string {
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersionOf(version))} in scheme "pkg/runtime/scheme.go:111"`;
}

export function isRegistered({ world: { catalog } }: Pick<Call, 'world'>, found: GroupVersionKind): boolean {
  const { group, version, kind } = found;
  if ([kind, kind.replace(/List$/, '')].some((name) => catalog.byKind(group, version, name) !== undefined)) return true;
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
  const shown = bytes[0] === 0x7b ? bytes.subarray(0, summaryLength).toString() : bytes.subarray(0, summaryLength).toString('hex');
  return bytes.length > summaryLength ? `${shown} ...` : shown;
}
