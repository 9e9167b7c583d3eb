// Questions in the form of objects: who am I, may this user do that, whose token is this. Nothing is stored.
import { badRequest } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { User } from '#api/user.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { Turn } from '#base/next-turn.ts';
import { arrange } from '#schema/json/arrange.ts';
import type { Answer } from '#verbs/answer.ts';
import { admitMutated, mutated } from '#verbs/admit.ts';
import type { Call } from '#verbs/call.ts';
import { fieldManagerRequest } from '#verbs/field-manager.ts';
import { settleNamespace, timestamp, wipeSystemFields } from '#verbs/metadata.ts';
import { parseWriteOptions } from '#verbs/options.ts';
import type { SubresourceHandler, SubresourceRequest } from '#verbs/subresource.ts';
import { sentObject, withCreator } from '#verbs/subresources/sent-object.ts';
import { accessOf, type AccessSpec, refuseBadReview, type ReviewedAccess } from '#verbs/subresources/reviewed-access.ts';

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
  readonly authorize: (user: User, access: ReviewedAccess) => MaybePromise<AccessVerdict>;
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

interface AskedReview {
  readonly review: KubernetesObject;
  /** Admission has the last word before the question is answered, as with everything that is created. */
  readonly admit: () => MaybePromise<unknown>;
}

async function readReview(call: Call, { body }: SubresourceRequest): Promise<AskedReview> {
  const options = parseWriteOptions('CreateOptions', call.query);
  const decoded = await sentObject(call, body, call.definition, options);
  settleNamespace(call, decoded);
  wipeSystemFields(decoded);
  const tracked = await withCreator(fieldManagerRequest(call, options.fieldManager), decoded);
  const turn = new Turn();
  // Refusals quote the metadata as it would be written.
  const schema = call.definition.schema.fields['metadata']?.schema;
  const object = schema === undefined ? tracked : { ...tracked, metadata: arrange(schema, tracked.metadata) as KubernetesObject['metadata'] };
  await turn.next();
  const { dryRun, sent } = options;
  const subject = { operation: 'CREATE' as const, object, old: undefined, name: object.metadata.name ?? '', dryRun, options: sent };
  const review = await mutated(call, subject);
  return { review, admit: () => admitMutated(call, { ...subject, object: review }, (one) => one) };
}

function answered(call: Call, object: object): Answer {
  return { is: 'object', code: 201, schema: call.definition.schema, object };
}

async function reviewSelf(call: Call, request: SubresourceRequest): Promise<Answer> {
  const { review, admit } = await readReview(call, request);
  const { kind, apiVersion } = review;
  await admit();
  const metadata = { creationTimestamp: timestamp(call.world.clock.now()) };
  return answered(call, { kind, apiVersion, metadata, status: { userInfo: userInfo(call.user) } });
}

function userInfo({ name, uid, groups, extra }: User): object {
  return { username: name, ...(uid && { uid }), ...(groups.length > 0 && { groups }), ...(extra && Object.keys(extra).length > 0 && { extra }) };
}

async function reviewToken(call: Call, request: SubresourceRequest, { authenticateToken }: ReviewServices): Promise<Answer> {
  const { review, admit } = await readReview(call, request);
  const { token = '', audiences = [] } = review['spec'] as { token?: string; audiences?: readonly string[] };
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  await admit();
  const verdict = await authenticateToken(token, audiences);
  // What the client claims about the user stays where no authenticator says otherwise; that the token is good never does.
  const { authenticated: _, error: __, ...claimed } = (review['status'] ?? {}) as { authenticated?: boolean; error?: string };
  const status =
    'error' in verdict ? { user: {}, ...claimed, error: verdict.error } : { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences };
  return answered(call, { ...review, status });
}

async function reviewAccess(call: Call, request: SubresourceRequest, { authorize }: ReviewServices): Promise<Answer> {
  const { review, admit } = await readReview(call, request);
  const spec = review['spec'] as AccessSpec;
  const self = call.definition.kind === 'SelfSubjectAccessReview';
  refuseBadReview(call.definition.kind, spec, review);
  await admit();
  const { access, note } = accessOf(spec);
  const { decision, reason } = await authorize(self ? call.user : subjectOf(spec), access);
  const status = {
    allowed: decision === 'allow',
    ...(decision === 'deny' && { denied: true }),
    ...(reason !== '' && { reason }),
    ...(note !== '' && { evaluationError: note }),
  };
  return answered(call, { ...review, status });
}

function subjectOf({ user = '', groups = [], uid, extra }: AccessSpec): User {
  const lowered = Object.fromEntries(Object.entries(extra ?? {}).map(([key, values]) => [key.toLowerCase(), values]));
  return { name: user, groups, ...(uid && { uid }), extra: lowered };
}

async function reviewRules(call: Call, request: SubresourceRequest, { rulesFor }: ReviewServices): Promise<Answer> {
  const { review, admit } = await readReview(call, request);
  const { kind, apiVersion, spec } = review;
  const { namespace = '' } = (spec ?? {}) as { namespace?: string };
  if (namespace === '') throw badRequest('no namespace on request');
  await admit();
  return answered(call, { kind, apiVersion, metadata: {}, spec: {}, status: await rulesFor(call.user, namespace) });
}
