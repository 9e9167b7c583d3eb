// DeleteOptions: from the body if there is one, else from the query; never mixed.
import { badRequest } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import { parseApiVersion } from '#api/names.ts';
import type { StructSchema } from '#schema/build.ts';
import { DecodeError, decodeValue } from '#schema/decode.ts';
import { parseJson } from '#schema/parse-json.ts';
import { decodeProtobuf } from '#schema/protobuf.ts';
import { readEnvelope } from '#schema/protobuf-envelope.ts';
import { parseYaml } from '#schema/yaml.ts';
import { type Body, noKindRegistered } from '#verbs/body.ts';
import { checkDryRun, parseFlag, parseInteger, refuse } from '#verbs/options.ts';

export type Propagation = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: Propagation | undefined;
  readonly dryRun?: readonly string[] | undefined;
}

export function parseDeleteOptions(schema: StructSchema, query: URLSearchParams, body: Body | undefined): DeleteOptions {
  const options = body && body.bytes.length > 0 ? fromBody(schema, body) : fromQuery(query);
  check(options);
  return options;
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

function fromBody(schema: StructSchema, body: Body): DeleteOptions {
  try {
    const { value, kind, apiVersion } = readBody(schema, body);
    refuseOtherKind(kind, apiVersion);
    return value as DeleteOptions;
  } catch (error) {
    if (error instanceof DecodeError || (error instanceof Error && unreadable.includes(error.name))) throw badRequest(error.message);
    throw error;
  }
}

const unreadable = ['JsonSyntaxError', 'YamlError', 'ProtobufError'];

function readBody(schema: StructSchema, { mediaType, bytes }: Body): { value: object; kind: string; apiVersion: string } {
  if (mediaType === 'protobuf') {
    const { kind, apiVersion, raw } = readEnvelope(bytes);
    return { value: decodeProtobuf(schema, raw) as object, kind, apiVersion };
  }
  const parsed = (mediaType === 'json' ? parseJson(bytes).value : parseYaml(bytes.toString())) as Record<string, unknown> | null;
  const { kind = '', apiVersion = '' } = (parsed ?? {}) as { kind?: string; apiVersion?: string };
  return { value: decodeValue(schema, parsed ?? {}).object, kind, apiVersion };
}

/** Every group-version knows DeleteOptions, so any well-formed apiVersion will do. */
function refuseOtherKind(kind: string, apiVersion: string): void {
  if (kind === '' || kind === 'DeleteOptions') return;
  const version = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
  throw badRequest(noKindRegistered({ ...version, kind }));
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
