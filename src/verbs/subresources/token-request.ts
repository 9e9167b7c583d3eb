// serviceaccounts/token: makes a token for the account, bound to a pod, a secret or a node where the client asks for it.
import { badRequest, conflict, invalid, notFound } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import { parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { BoundObjectReference, TokenRequest, TokenRequestSpec } from '#kinds/authentication/v1/token-request.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { StructSchema } from '#schema/build.ts';
import { noDefaults } from '#schema/defaults.ts';
import type { ExpectedKind } from '#verbs/body.ts';
import { admit } from '#verbs/admit.ts';
import type { Call } from '#verbs/call.ts';
import { fieldManagerRequest } from '#verbs/field-manager.ts';
import { settleNamespace, timestamp } from '#verbs/metadata.ts';
import { parseWriteOptions, type WriteOptions } from '#verbs/options.ts';
import type { SubresourceHandler, SubresourceRequest } from '#verbs/subresource.ts';
import { nothingReset, sentObject, withCreator } from '#verbs/subresources/sent-object.ts';

interface ObjectRef {
  readonly name: string;
  readonly uid: string;
}

export interface TokenSubject {
  readonly namespace: string;
  readonly account: ObjectRef;
  readonly pod?: ObjectRef;
  readonly secret?: ObjectRef;
  readonly node?: ObjectRef;
}

export interface TokenRequestServices {
  readonly schema: StructSchema;
  /** Those of this server: what a token is for when the client does not say. */
  readonly audiences: readonly string[];
  /** 0: no limit. */
  readonly maxSeconds: number;
  /** Old clients read a pod's token once and keep it: such a token really lives this long. 0: never longer than asked. */
  readonly extendedSeconds: number;
  readonly issue: (
    subject: TokenSubject,
    life: { readonly audiences: readonly string[]; readonly seconds: number; readonly warnAfterSeconds?: number },
  ) => { readonly token: string; readonly credentialId: string };
}

type Request = TokenRequest & KubernetesObject;

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };

export function requestToken(services: TokenRequestServices): SubresourceHandler {
  return async (call, request) => {
    const options = parseWriteOptions('CreateOptions', call.query);
    const { dryRun, sent } = options;
    const object = await readRequest(call, request, services.schema, options);
    const asked = { operation: 'CREATE' as const, object, old: undefined, schema: services.schema, name: call.name, dryRun, options: sent };
    let uid = '';
    const wanted = (await admit(call, asked, async (one) => {
      uid = await completed(call, one as unknown as Request, services.audiences);
      return one;
    })) as unknown as Request;
    const bound = wanted.spec.boundObjectRef ? await boundTo(call, wanted.spec.boundObjectRef) : {};
    shorten(call, wanted.spec, services.maxSeconds);
    const subject: TokenSubject = { namespace: call.namespace, account: { name: call.name, uid }, ...bound };
    const { token, credentialId } = services.issue(subject, lifeOf(wanted.spec, bound, services));
    call.annotate('authentication.kubernetes.io/issued-credential-id', credentialId);
    const ends = new Date(call.world.clock.now().getTime() + secondsOf(wanted.spec) * 1000);
    return { is: 'object', code: 201, schema: services.schema, object: { ...wanted, status: { token, expirationTimestamp: timestamp(ends) } } };
  };
}

async function readRequest(call: Call, { body }: SubresourceRequest, schema: StructSchema, options: WriteOptions): Promise<Request> {
  const expected: ExpectedKind = { ...kind, version: 'v1', schema, defaults: noDefaults };
  const object = await sentObject(call, body, expected, options);
  settleNamespace(call, object);
  (object['spec'] as TokenRequestSpec).expirationSeconds ??= defaultSeconds;
  const manager = { ...fieldManagerRequest(call, options.fieldManager), schema, apiVersion: 'authentication.k8s.io/v1', resetFields: nothingReset };
  const tracked = (await withCreator(manager, object)) as unknown as Request;
  tracked.status = { token: '' };
  return tracked;
}

const defaultSeconds = 3600;

function refuseOtherName(call: Call, { metadata }: Request): void {
  if (!metadata.name || metadata.name === call.name) return;
  const errors = new FieldErrors();
  errors.invalid('metadata.name', metadata.name, 'must match the service account name if specified');
  throw invalid(kind, call.name, errors.list);
}

async function liveAccount(call: Call): Promise<KubernetesObject> {
  const account = await call.world.lister.get({ group: '', resource: 'serviceaccounts' }, call.namespace, call.name);
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, call.name);
  return account;
}

/** Checks the request and fills it in; the uid of the account. */
async function completed(call: Call, wanted: Request, audiences: readonly string[]): Promise<string> {
  refuseOtherName(call, wanted);
  const account = await liveAccount(call);
  complete(call, wanted, account, audiences);
  refuseBadLife(wanted.spec);
  return account.metadata.uid ?? '';
}

function complete(call: Call, { metadata, spec }: Request, account: KubernetesObject, audiences: readonly string[]): void {
  const { uid = '' } = account.metadata;
  if (metadata.uid && metadata.uid !== uid) refuseOtherUid(call, metadata.uid, uid);
  metadata.name = call.name;
  metadata.uid ||= uid;
  metadata.creationTimestamp = timestamp(call.world.clock.now());
  if (!spec.audiences?.length) spec.audiences = [...audiences];
}

function refuseOtherUid(call: Call, asked: string, uid: string): void {
  const why = `the UID in the token request (${asked}) does not match the UID of the service account (${uid})`;
  if (call.world.gate('TokenRequestServiceAccountUIDValidation')) throw conflict({ group: kind.group, resource: kind.kind }, call.name, why);
  call.warn(`${why} but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error`);
}

function secondsOf({ expirationSeconds }: TokenRequestSpec): number {
  return Number(expirationSeconds ?? defaultSeconds);
}

function refuseBadLife(spec: TokenRequestSpec): void {
  const errors = new FieldErrors();
  const { expirationSeconds } = spec;
  if (secondsOf(spec) < 600) errors.invalid('spec.expirationSeconds', expirationSeconds, 'may not specify a duration less than 10 minutes');
  if (secondsOf(spec) > 2 ** 32) errors.invalid('spec.expirationSeconds', expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  if (!errors.empty) throw invalid(kind, '', errors.list);
}

type Bound = Pick<TokenSubject, 'pod' | 'secret' | 'node'>;

async function boundTo(call: Call, ref: BoundObjectReference): Promise<Bound> {
  const { group, version } = parseApiVersion(ref.apiVersion ?? '') ?? { group: '', version: ref.apiVersion ?? '' };
  if (group === '' && ref.kind === 'Pod') return boundToPod(call, ref);
  if (group === '' && ref.kind === 'Node') return { node: await boundObject(call, 'nodes', '', ref) };
  if (group === '' && ref.kind === 'Secret') return { secret: await boundObject(call, 'secrets', call.namespace, ref) };
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${ref.kind ?? ''}`);
}

async function boundToPod(call: Call, ref: BoundObjectReference): Promise<Bound> {
  const found = await liveObject(call, 'pods', call.namespace, ref.name ?? '');
  const { spec } = found as unknown as Pod;
  if (spec.serviceAccountName !== call.name)
    throw badRequest(`cannot bind token for serviceaccount ${JSON.stringify(call.name)} to pod running with different serviceaccount name.`);
  const pod = sameObject(ref, found);
  if (!spec.nodeName) return { pod };
  // A node that is not there (yet) is still worth naming.
  const node = await call.world.lister.get({ group: '', resource: 'nodes' }, '', spec.nodeName);
  return { pod, node: { name: spec.nodeName, uid: node?.metadata.uid ?? '' } };
}

async function boundObject(call: Call, resource: string, namespace: string, ref: BoundObjectReference): Promise<ObjectRef> {
  return sameObject(ref, await liveObject(call, resource, namespace, ref.name ?? ''));
}

async function liveObject(call: Call, resource: string, namespace: string, name: string): Promise<KubernetesObject> {
  if (name === '') throw badRequest('Name parameter required.');
  const found = await call.world.lister.get({ group: '', resource }, namespace, name);
  if (found === undefined) throw notFound({ group: '', resource }, name);
  return found;
}

function sameObject(ref: BoundObjectReference, { metadata }: KubernetesObject): ObjectRef {
  const { name = '', uid = '' } = metadata;
  if (!ref.uid || ref.uid === uid) return { name, uid };
  const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: '', resource: ref.kind ?? '' }, name, why);
}

function shorten(call: Call, spec: TokenRequestSpec, maxSeconds: number): void {
  const asked = secondsOf(spec);
  if (maxSeconds <= 0 || asked <= maxSeconds) return;
  call.warn(`requested expiration of ${asked} seconds shortened to ${maxSeconds} seconds`);
  spec.expirationSeconds = maxSeconds;
}

/** What kubelets ask for on behalf of pods that do not say otherwise. */
const projectedSeconds = 3607;

function lifeOf(spec: TokenRequestSpec, { pod }: Bound, { audiences: own, extendedSeconds }: TokenRequestServices) {
  const audiences = spec.audiences ?? [];
  const seconds = secondsOf(spec);
  const extended = extendedSeconds > 0 && pod !== undefined && seconds === projectedSeconds && audiences.every((audience) => own.includes(audience));
  return extended ? { audiences, seconds: extendedSeconds, warnAfterSeconds: seconds } : { audiences, seconds };
}
