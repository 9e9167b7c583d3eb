// AdmissionReview, out and back: what a webhook is sent, and what may count as its answer.
import type { NamedKind, NamedResource } from '#admission/expressions/admission-activation.ts';
import type { Versioned } from '#admission/webhooks/versioned-request.ts';
import type { ReviewVersion } from '#admission/webhooks/webhook.ts';
import type { User } from '#api/user.ts';
import { goQuote } from '#base/go-text.ts';
import { boolean, bytes, type Infer, int32, json, list, map, optional, pointer, ref, rootStruct, string, struct } from '#schema/build.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { quoteJson, stringify } from '#schema/json/json-text.ts';

/**
 * The text of the review; the texts of the objects are shared by all webhooks that get this version. Put together by hand: what is empty is left out, and
 * an object of what remains would cost more than all the rest (test/bench/rules.ts).
 */
export function reviewText(version: ReviewVersion, uid: string, { facts, objectText, oldText }: Versioned): string {
  const { kind, resource, requestKind, requestResource, subresource, name, namespace, operation, user, dryRun, options } = facts;
  const about = `"kind":${kindText(kind)},"resource":${resourceText(resource)}${member('subResource', subresource)}`;
  const asked = `"requestKind":${kindText(requestKind)},"requestResource":${resourceText(requestResource)}${member('requestSubResource', subresource)}`;
  const named = `${member('name', name)}${member('namespace', namespace)},"operation":"${operation}","userInfo":${userText(user)}`;
  const objects = `"object":${objectText()},"oldObject":${oldText()},"dryRun":${dryRun},"options":${options === undefined ? 'null' : stringify(options)}`;
  return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}","request":{"uid":"${uid}",${about},${asked}${named},${objects}}}\n`;
}

function kindText({ group, version, kind }: NamedKind): string {
  return `{"group":${quoteJson(group)},"version":${quoteJson(version)},"kind":${quoteJson(kind)}}`;
}

function resourceText({ group, version, resource }: NamedResource): string {
  return `{"group":${quoteJson(group)},"version":${quoteJson(version)},"resource":${quoteJson(resource)}}`;
}

function member(name: string, value: string): string {
  return value === '' ? '' : `,"${name}":${quoteJson(value)}`;
}

function userText({ name, uid = '', groups = [], extra = {} }: User): string {
  const listed = groups.length === 0 ? '' : `,"groups":${stringify(groups)}`;
  const more = Object.keys(extra).length === 0 ? '' : `,"extra":${stringify(extra)}`;
  return `{"username":${quoteJson(name)}${member('uid', uid)}${listed}${more}}`;
}

const ReviewStatus = struct('io.k8s.apimachinery.pkg.apis.meta.v1.Status', () => ({
  metadata: pointer(1, json),
  status: optional(2, string),
  message: optional(3, string),
  reason: optional(4, string),
  details: pointer(5, json),
  code: optional(6, int32),
}));
export interface ReviewStatus extends Partial<Infer<typeof ReviewStatus>> {}

const AdmissionResponse = struct('io.k8s.api.admission.v1.AdmissionResponse', () => ({
  uid: optional(1, string, { goType: 'types.UID' }),
  allowed: optional(2, boolean),
  status: pointer(3, ref<ReviewStatus>(ReviewStatus)),
  patch: optional(4, bytes),
  patchType: pointer(5, string),
  auditAnnotations: optional(6, map(string)),
  warnings: optional(7, list(string)),
}));
export interface AdmissionResponse extends Infer<typeof AdmissionResponse> {}

const AdmissionReview = rootStruct('io.k8s.api.admission.v1.AdmissionReview', () => ({
  response: pointer(2, ref<AdmissionResponse>(AdmissionResponse)),
}));

const group = 'admission.k8s.io';

/** Throws an Error with the words of the original's decoder. `value` is the parsed answer. */
export function decodeReview(value: unknown, expected: ReviewVersion): AdmissionResponse | undefined {
  const { kind, apiVersion } = (value ?? {}) as { readonly kind?: string; readonly apiVersion?: string };
  const found = { kind: kind || 'AdmissionReview', apiVersion: apiVersion || `${group}/${expected}` };
  const wanted = `(${expected}.AdmissionReview)`;
  if (found.apiVersion === 'v1' && metaKinds.has(found.kind)) throw new Error(`converting (v1.${found.kind}) to ${wanted}: unknown conversion`);
  if (found.kind !== 'AdmissionReview' || !knownVersions.includes(found.apiVersion)) {
    throw new Error(`no kind ${goQuote(found.kind)} is registered for version ${goQuote(found.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
  }
  const { response } = decodeValue(AdmissionReview, value).object as { readonly response?: AdmissionResponse };
  if (found.apiVersion === `${group}/${expected}`) return response;
  throw new Error(`converting (${found.apiVersion.slice(group.length + 1)}.AdmissionReview) to ${wanted}: unknown conversion`);
}

/** What every scheme knows beside its own kinds. */
const metaKinds: ReadonlySet<string> = new Set(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']);

const knownVersions: readonly string[] = [`${group}/v1`, `${group}/v1beta1`];

export interface ExpectedAnswer {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly mutating: boolean;
}

/** Throws an Error with the original's words for an answer that breaks the rules of its version: v1beta1 had none about uid and patch type. */
export function verifiedResponse(value: unknown, response: AdmissionResponse | undefined, { version, uid, mutating }: ExpectedAnswer): AdmissionResponse {
  if (response === undefined) throw new Error('webhook response was absent');
  if (version === 'v1beta1') return { ...response, patch: mutating ? response.patch : '', patchType: response.patch ? 'JSONPatch' : undefined };
  if ((response.uid ?? '') !== uid) throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(response.uid ?? '')}`);
  const { kind = '', apiVersion = '' } = value as { readonly kind?: string; readonly apiVersion?: string };
  if (kind === '' || apiVersion === '') {
    throw new Error(`expected webhook response of ${group}/v1, Kind=AdmissionReview, got ${apiVersion || '/'}, Kind=${kind}`);
  }
  checkPatch(response, mutating);
  return response;
}

function checkPatch({ patch, patchType }: AdmissionResponse, mutating: boolean): void {
  const hasPatch = Boolean(patch);
  const hasType = patchType !== undefined;
  if (!mutating) {
    if (hasPatch) throw new Error('validating webhook may not return response.patch');
    if (hasType) throw new Error('validating webhook may not return response.patchType');
    return;
  }
  if (hasPatch && !hasType) throw new Error('webhook returned response.patch but not response.patchType');
  if (!hasPatch && hasType) throw new Error('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new Error('webhook returned invalid response.patchType of ""');
}
