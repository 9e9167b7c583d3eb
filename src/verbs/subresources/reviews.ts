// Questions in the form of objects: who am I, may somebody do something, whose token is this. Nothing is stored.
import { badRequest, invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { User } from '#api/user.ts';
import { updateManagedFields } from '#patch/apply/field-manager.ts';
import { timestamp } from '#verbs/metadata.ts';
import type { Answer } from '#verbs/answer.ts';
import { decodeObject } from '#verbs/body.ts';
import type { Call } from '#verbs/call.ts';
import { fieldManagerRequest } from '#verbs/field-manager.ts';
import { settleNamespace } from '#verbs/metadata.ts';
import { parseWriteOptions } from '#verbs/options.ts';
import type { SubresourceHandler, SubresourceRequest } from '#verbs/subresource.ts';

/** What a review asks for, in the terms of an authorizer. */
export interface ReviewedAccess {
  readonly isResource: boolean;
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

export interface AccessVerdict {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
}

export type TokenVerdict = { readonly user: User; readonly audiences: readonly string[] } | { readonly error: string };

export interface ReviewedRules {
  readonly resourceRules: readonly object[];
  readonly nonResourceRules: readonly object[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

export interface ReviewServices {
  readonly authorize: (user: User, access: ReviewedAccess) => Promise<AccessVerdict>;
  readonly authenticateToken: (token: string, audiences: readonly string[]) => Promise<TokenVerdict>;
  readonly rulesFor: (user: User, namespace: string) => Promise<ReviewedRules>;
}

/** By resource name. */
export function reviewHandlers(services: ReviewServices): Readonly<Record<string, SubresourceHandler>> {
  return {
    selfsubjectreviews: (call, request) => reviewSelf(call, request),
    tokenreviews: (call, request) => reviewToken(call, request, services),
    subjectaccessreviews: (call, request) => reviewAccess(call, request, services),
    localsubjectaccessreviews: (call, request) => reviewAccess(call, request, services),
    selfsubjectaccessreviews: (call, request) => reviewAccess(call, request, services),
    selfsubjectrulesreviews: (call, request) => reviewRules(call, request, services),
  };
}

function readReview(call: Call, { body }: SubresourceRequest): KubernetesObject {
  const options = parseWriteOptions('CreateOptions', call.query);
  const review = decodeObject(call, body ?? { mediaType: 'json', bytes: Buffer.alloc(0) }, call.definition, options.fieldValidation);
  settleNamespace(call, review);
  return updateManagedFields({ ...fieldManagerRequest(call, options.fieldManager), live: undefined, object: review });
}

function answered(call: Call, object: object): Answer {
  return { is: 'object', code: 201, schema: call.definition.schema, object };
}

async function reviewSelf(call: Call, request: SubresourceRequest): Promise<Answer> {
  const { kind, apiVersion } = readReview(call, request);
  const metadata = { creationTimestamp: timestamp(call.world.clock.now()) };
  return answered(call, { kind, apiVersion, metadata, status: { userInfo: userInfo(call.user) } });
}

function userInfo({ name, uid, groups, extra }: User): object {
  return { username: name, ...(uid && { uid }), ...(groups.length > 0 && { groups }), ...(extra && Object.keys(extra).length > 0 && { extra }) };
}

async function reviewToken(call: Call, request: SubresourceRequest, { authenticateToken }: ReviewServices): Promise<Answer> {
  const review = readReview(call, request);
  const { token = '', audiences = [] } = review['spec'] as { token?: string; audiences?: readonly string[] };
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const verdict = await authenticateToken(token, audiences);
  const status = 'error' in verdict ? { user: {}, error: verdict.error } : { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences };
  return answered(call, { ...review, status });
}

interface AccessSpec {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
}

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly labelSelector?: { readonly rawSelector?: string };
  readonly fieldSelector?: { readonly rawSelector?: string };
}

async function reviewAccess(call: Call, request: SubresourceRequest, { authorize }: ReviewServices): Promise<Answer> {
  const review = readReview(call, request);
  const spec = review['spec'] as AccessSpec;
  const self = call.definition.kind === 'SelfSubjectAccessReview';
  checkAccessSpec(call, spec, review, self);
  const { decision, reason } = await authorize(self ? call.user : subjectOf(spec), accessOf(spec));
  const status = { allowed: decision === 'allow', ...(decision === 'deny' && { denied: true }), ...(reason !== '' && { reason }) };
  return answered(call, { ...review, status });
}

function subjectOf({ user = '', groups = [], uid, extra }: AccessSpec): User {
  const lowered = Object.fromEntries(Object.entries(extra ?? {}).map(([key, values]) => [key.toLowerCase(), values]));
  return { name: user, groups, ...(uid && { uid }), extra: lowered };
}

function accessOf({ resourceAttributes: resource, nonResourceAttributes: url }: AccessSpec): ReviewedAccess {
  return {
    isResource: resource !== undefined,
    verb: resource?.verb ?? url?.verb ?? '',
    path: url?.path ?? '',
    group: resource?.group ?? '',
    version: resource?.version ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    namespace: resource?.namespace ?? '',
    name: resource?.name ?? '',
    labelSelector: resource?.labelSelector?.rawSelector ?? '',
    fieldSelector: resource?.fieldSelector?.rawSelector ?? '',
  };
}

/** Upstream names no kind in these refusals. */
function checkAccessSpec(call: Call, spec: AccessSpec, { metadata }: KubernetesObject, self: boolean): void {
  const errors = new FieldErrors();
  const { resourceAttributes: resource, nonResourceAttributes: url } = spec;
  if (resource !== undefined && url !== undefined)
    errors.invalid('spec.nonResourceAttributes', internalUrl(url), 'cannot be specified in combination with resourceAttributes');
  if (resource === undefined && url === undefined)
    errors.invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified');
  if (!self && !spec.user && !spec.groups?.length) errors.invalid('spec.user', '', 'at least one of user or group must be specified');
  if (call.definition.kind === 'LocalSubjectAccessReview') {
    if (url !== undefined) errors.invalid('spec.nonResourceAttributes', internalUrl(url), 'disallowed on this kind of request');
    if (resource !== undefined && (resource.namespace ?? '') !== metadata.namespace)
      errors.invalid('spec.resourceAttributes.namespace', resource.namespace ?? '', 'must match metadata.namespace');
  }
  if (!errors.empty) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors.list);
}

function internalUrl({ path = '', verb = '' }: { readonly path?: string; readonly verb?: string }): object {
  return { Path: path, Verb: verb };
}

async function reviewRules(call: Call, request: SubresourceRequest, { rulesFor }: ReviewServices): Promise<Answer> {
  const { kind, apiVersion, spec } = readReview(call, request);
  const { namespace = '' } = (spec ?? {}) as { namespace?: string };
  if (namespace === '') throw badRequest('no namespace on request');
  return answered(call, { kind, apiVersion, metadata: {}, spec: {}, status: await rulesFor(call.user, namespace) });
}
