// DeleteOptions: from the body if there is one, else from the query; never mixed.
import { badRequest } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { GroupVersionKind } from '#api/names.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { inTurns, type Steps } from '#base/steps.ts';
import type { StructSchema } from '#schema/build.ts';
import { canonicalObject, DecodeError, valueDecodingSteps } from '#schema/json/decode.ts';
import { parseJson } from '#schema/json/parse-json.ts';
import { decodeSentProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';
import { type Body, type CborBody, noKindRegistered } from '#verbs/body.ts';
import { typeMetaOf, unparsable } from '#verbs/type-meta.ts';
import { checkDryRun, parseFlag, parseInteger, refuse } from '#verbs/options.ts';

export type Propagation = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: Propagation | undefined;
  readonly dryRun?: readonly string[] | undefined;
}

/** A body may be as large as any other, and has its turns. */
export function parseDeleteOptions(schema: StructSchema, query: URLSearchParams, body: Body | undefined): MaybePromise<DeleteOptions> {
  return andThen(body && body.bytes.length > 0 ? inTurns(fromBody(schema, body)) : fromQuery(query), (options) => {
    check(options);
    return options;
  });
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const dryRun = query.getAll('dryRun');
  const policy = query.get('propagationPolicy');
  return {
    gracePeriodSeconds: parseInteger(query, 'gracePeriodSeconds'),
    ...preconditionsFrom(query),
    ...(query.has('orphanDependents') && { orphanDependents: parseFlag(query, 'orphanDependents') }),
    ...(policy !== null && { propagationPolicy: policy as Propagation }),
    ...(dryRun.length > 0 && { dryRun }),
  };
}

function preconditionsFrom(query: URLSearchParams): Pick<DeleteOptions, 'preconditions'> {
  const uid = query.get('uid');
  const resourceVersion = query.get('resourceVersion');
  return uid || resourceVersion ? { preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) } } : {};
}

function* fromBody(schema: StructSchema, body: Body): Steps<DeleteOptions> {
  try {
    return (yield* readBody(schema, body)) as DeleteOptions;
  } catch (error) {
    if (error instanceof DecodeError || (error instanceof Error && unreadable.includes(error.name))) throw badRequest(error.message);
    throw error;
  }
}

const deleteOptions: GroupVersionKind = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' };
const unreadable = ['JsonSyntaxError', 'YamlError', 'ProtobufError', 'CborError'];

function* readBody(schema: StructSchema, body: Body): Steps<object> {
  const { mediaType, bytes } = body;
  if (mediaType === 'cbor') return readCbor(schema, body);
  if (mediaType === 'protobuf') {
    const { kind, apiVersion, raw } = readEnvelope(bytes);
    refuseOtherKind(typeMetaOf({ kind, apiVersion }, deleteOptions, badRequest));
    return decodeSentProtobuf(schema, raw) as object;
  }
  const parsed = parse(mediaType, bytes);
  refuseOtherKind(typeMetaOf(parsed, deleteOptions, badRequest));
  yield;
  return (yield* valueDecodingSteps(schema, parsed ?? {})).object;
}

function readCbor(schema: StructSchema, { bytes, cbor }: CborBody): object {
  const { apiVersion, kind } = tryTypeMeta(() => cbor.readTypeMeta(bytes));
  refuseOtherKind(typeMetaOf({ kind, apiVersion }, deleteOptions, badRequest));
  return canonicalObject(schema, cbor.decodeTyped(schema, bytes).value);
}

function tryTypeMeta<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Error && unreadable.includes(error.name) ? badRequest(`unable to determine group/version/kind: ${error.message}`) : error;
  }
}

function parse(mediaType: Body['mediaType'], bytes: Buffer): unknown {
  try {
    return mediaType === 'json' ? parseJson(bytes).value : parseYaml(bytes.toString());
  } catch (error) {
    throw error instanceof Error && unreadable.includes(error.name) ? badRequest(unparsable(error)) : error;
  }
}

/** Every group-version knows DeleteOptions, so any well-formed apiVersion will do. */
function refuseOtherKind(found: GroupVersionKind): void {
  if (found.kind !== deleteOptions.kind) throw badRequest(noKindRegistered(found));
}

function check({ orphanDependents, propagationPolicy, dryRun }: DeleteOptions): void {
  const errors = new FieldErrors();
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    errors.invalid('propagationPolicy', propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set');
  }
  if (propagationPolicy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(propagationPolicy)) {
    errors.notSupported('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']);
  }
  checkDryRun(dryRun ?? [], errors);
  refuse('DeleteOptions', errors);
}
