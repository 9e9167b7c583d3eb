// A webhook's patch, applied to the object in the version that the webhook saw, and the result decoded, pruned and given its defaults in that version.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { AdmissionResponse } from '#admission/webhooks/admission-review.ts';
import { webhookRefusal } from '#admission/webhooks/refusal.ts';
import type { Versioned } from '#admission/webhooks/versioned-request.ts';
import type { Webhook } from '#admission/webhooks/webhook.ts';
import { WebhookFailure } from '#admission/webhooks/webhook-failure.ts';
import { ApiError, internalError, unclassified } from '#api/api-error.ts';
import { apiVersionOf, parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { goQuote } from '#base/go-text.ts';
import { decodeJsonPatch, JsonPatchFailure, type JsonPatchOperation, patchDocument } from '#patch/json-patch.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { noTypeMeta, typeMetaProblem } from '#resource/type-meta-problem.ts';
import { applyDefaults } from '#schema/defaults.ts';
import type { StructSchema } from '#schema/build.ts';
import { DecodeError, decodeValue } from '#schema/json/decode.ts';
import { writeSorted } from '#schema/json/json-text.ts';
import { parseJson } from '#schema/json/parse-json.ts';

export interface Patched {
  /** Of this version. */
  readonly definition: ResourceDefinition;
  readonly object: KubernetesObject;
  readonly operations: readonly JsonPatchOperation[];
}

/** Undefined when there is nothing to apply. */
export function patchedObject(webhook: Webhook, response: AdmissionResponse, versioned: Versioned, request: AdmissionRequest): Patched | undefined {
  if (!response.patch) return undefined;
  const operations = operationsIn(webhook, response.patch);
  if (operations.length === 0) return undefined;
  const { object } = versioned;
  if (object === undefined) {
    throw internalError(`admission webhook ${goQuote(webhook.name)} attempted to modify the object, which is not supported for this operation`);
  }
  if (response.patchType !== 'JSONPatch') {
    const { code } = webhookRefusal(webhook.name, response.status);
    throw new WebhookFailure(webhook.name, `unsupported patch type ${goQuote(response.patchType ?? '')}`, { code });
  }
  try {
    const result = patchDocument(parseJson(Buffer.from(versioned.objectText())).value, operations);
    return { operations, ...decodedResult(result, versioned, request) };
  } catch (error) {
    if (error instanceof JsonPatchFailure || error instanceof DecodeError) throw internalError(error.message, error);
    throw error;
  }
}

function operationsIn(webhook: Webhook, patch: string): readonly JsonPatchOperation[] {
  try {
    return decodeJsonPatch(Buffer.from(patch, 'base64'), 'Ignore').operations;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new WebhookFailure(webhook.name, `received undecodable patch in webhook response: ${error.message}`, { code: 503, cause: error });
  }
}

function decodedResult(result: unknown, { definition, schema, facts }: Versioned, request: AdmissionRequest): Pick<Patched, 'definition' | 'object'> {
  const expected = { kind: facts.kind.kind, apiVersion: apiVersionOf(facts.kind) };
  const sent = (result ?? {}) as Partial<NamedType>;
  const problem = typeof sent === 'object' && !Array.isArray(sent) ? typeMetaProblem(sent) : noTypeMeta(sent);
  if (problem !== undefined) throw internalError(problem);
  const found = { kind: sent.kind || kindOfUnnamed(result, expected.kind, definition), apiVersion: sent.apiVersion ?? '' };
  // The kind of a custom object is judged by its validation.
  const isKind = found.kind === expected.kind || definition.kindIsValidated === true;
  const isSame = isKind && (found.apiVersion === expected.apiVersion || (found.apiVersion === '' && definition.kindIsValidated !== true));
  const other = isSame ? undefined : otherVersion(found, definition, request);
  const target = other ?? { definition, schema };
  const { object } = decodeValue(target.schema, definition.kindIsValidated === true ? withReadableMetadata(target.schema, result as object) : result);
  if (request.schema === undefined) object.metadata ??= {};
  object.kind = found.kind;
  object.apiVersion = other === undefined ? expected.apiVersion : found.apiVersion;
  applyDefaults({ schema: target.schema, defaults: target.definition.defaults }, object);
  return { definition: target.definition, object };
}

/** Metadata of a custom object is read field by field, as upstream's Unstructured does: a field of the wrong type counts as not there. */
function withReadableMetadata(schema: StructSchema, object: { readonly metadata?: unknown }): object {
  const { metadata } = object;
  if (metadata === undefined || metadata === null) return object;
  if (typeof metadata !== 'object' || Array.isArray(metadata)) throw internalError('system metadata was not initialized');
  const readable = Object.entries(metadata).filter(([name, value]) => canBeRead(schema, { metadata: { [name]: value } }));
  return { ...object, metadata: Object.fromEntries(readable) };
}

function canBeRead(schema: StructSchema, object: object): boolean {
  try {
    decodeValue(schema, object);
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

/** What an object is that does not say so; a custom one has to. */
function kindOfUnnamed(result: unknown, expected: string, { kindIsValidated }: ResourceDefinition): string {
  if (kindIsValidated !== true) return expected;
  throw internalError(`Object 'Kind' is missing in '${writeSorted(result)}'`);
}

interface NamedType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** A patch may change the version, but not what the object is. */
function otherVersion(
  found: NamedType,
  definition: ResourceDefinition,
  { catalog, definition: requested }: AdmissionRequest,
): Pick<Versioned, 'definition' | 'schema'> {
  const version = parseApiVersion(found.apiVersion);
  if (version === undefined) throw internalError(`unexpected GroupVersion string: ${found.apiVersion}`);
  const named = catalog.byKind(version.group, version.version, found.kind);
  if (named === undefined && definition.kindIsValidated === true) {
    throw unclassified(
      `${found.apiVersion || '/'}, Kind=${found.kind} is unstructured and is not suitable for converting to ${goQuote(apiVersionOf(requested))}`,
    );
  }
  if (named === undefined) {
    throw internalError(`no kind ${goQuote(found.kind)} is registered for version ${goQuote(found.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
  }
  if (catalog.hubOf(named) === catalog.hubOf(definition)) return { definition: named, schema: named.schema };
  const from = `${version.version}.${found.kind}`;
  throw unclassified(`converting (${from}) to (${internalPackage(definition.group)}.${definition.kind}): unknown conversion`);
}

/** The Go package that holds the internal types of a group. */
export function internalPackage(group: string): string {
  return group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.')[0] ?? '');
}
