// Pods run as a service account of their namespace and carry its token.
import { andThen } from '#base/and-then.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import { refuseForeignSecrets } from '#admission/mountable-secrets.ts';
import { namesSecrets } from '#admission/pod-secrets.ts';
import { isPodCreate, only, podOf, pods, refusal, type StoredPod } from '#admission/request-subject.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { ServiceAccount } from '#kinds/core/v1/service-account.ts';
import type { Volume } from '#kinds/core/v1/volume/volume.ts';

export interface ServiceAccountOptions {
  readonly generateName: (prefix: string) => string;
  /** A new namespace gets its default account only after a moment. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

type Account = ServiceAccount & KubernetesObject;

const accounts = { group: '', resource: 'serviceaccounts' };
const mirrored = 'kubernetes.io/config.mirror';
const volumePrefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const isDebugging = only(['UPDATE'], pods, 'ephemeralcontainers');
const lookupsOfDefault = 10;
const lookupPauseMs = 150;

export function serviceAccount(options: ServiceAccountOptions): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    matches: (scope) => isPodCreate(scope) || isDebugging(scope),
    mutate(request) {
      if (!isPodCreate(request)) return undefined;
      if (isMirror(podOf(request))) return refuseMirror(request);
      return assignAccount(request, options);
    },
    validate(request) {
      if (isPodCreate(request) && isMirror(podOf(request))) return refuseMirror(request);
      return checkSecrets(request, options);
    },
  };
}

function isMirror({ metadata }: StoredPod): boolean {
  return metadata.annotations?.[mirrored] !== undefined;
}

/** A static pod's reflection has nothing that only the API could give it. */
function refuseMirror(request: AdmissionRequest): void {
  const pod = podOf(request);
  if (pod.spec.serviceAccountName) throw refusal(request, 'a mirror pod may not reference service accounts');
  if (namesSecrets(pod)) throw refusal(request, 'a mirror pod may not reference secrets');
  const projectsToken = (pod.spec.volumes ?? []).some(({ projected }) => projected?.sources?.some((source) => source.serviceAccountToken));
  if (projectsToken) throw refusal(request, 'a mirror pod may not use ServiceAccountToken volume projections');
}

function assignAccount(request: AdmissionRequest, options: ServiceAccountOptions): Promise<void> | void {
  const { spec } = podOf(request);
  if (!spec.serviceAccountName) {
    spec.serviceAccountName = 'default';
    spec.serviceAccount = 'default';
  }
  return andThen(accountOf(request, options), (account) => giveAccount(request, account, options));
}

function giveAccount(request: AdmissionRequest, account: Account, options: ServiceAccountOptions): void {
  const pod = podOf(request);
  const { spec } = pod;
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(pod, options);
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
    spec.imagePullSecrets = account.imagePullSecrets.map(({ name }) => ({ name })) as Exclude<typeof spec.imagePullSecrets, undefined>;
  }
  refuseForeignSecrets(request, account);
}

function checkSecrets(request: AdmissionRequest, options: ServiceAccountOptions): Promise<void> | void {
  const { metadata, spec } = podOf(request);
  if (!spec.serviceAccountName) throw refusal(request, `no service account specified for pod ${request.namespace}/${metadata.name ?? ''}`);
  return andThen(accountOf(request, options), (account) => refuseForeignSecrets(request, account));
}

function accountOf(request: AdmissionRequest, options: ServiceAccountOptions): MaybePromise<Account> {
  const name = podOf(request).spec.serviceAccountName ?? '';
  return andThen(request.lister.get<Account>(accounts, request.namespace, name), (account) => account ?? laterAccount(request, name, options));
}

async function laterAccount(request: AdmissionRequest, name: string, { wait }: ServiceAccountOptions): Promise<Account> {
  for (let left = name === 'default' ? lookupsOfDefault - 1 : 0; left > 0; left--) {
    await wait(lookupPauseMs);
    const account = await request.lister.get<Account>(accounts, request.namespace, name);
    if (account) return account;
  }
  throw refusal(request, `error looking up service account ${request.namespace}/${name}: serviceaccount "${name}" not found`);
}

/** A container that mounts something of its own at the place of the token keeps that. */
function mountToken({ spec }: StoredPod, { generateName }: ServiceAccountOptions): void {
  const existing = spec.volumes?.find(({ name }) => name.startsWith(volumePrefix));
  const name = existing?.name ?? generateName(volumePrefix);
  const without = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter((container) => !hasToken(container));
  for (const container of without) {
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }] as Exclude<typeof container.volumeMounts, undefined>;
  }
  if (without.length > 0 && !existing) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function hasToken({ volumeMounts }: Container): boolean {
  return (volumeMounts ?? []).some((mount) => mount.mountPath === mountPath);
}

/** The lifetime of a token that is warned about, not refused, when it is used beyond an hour. */
const tokenSeconds = 3607;

function tokenVolume(name: string): Volume {
  const sources = [
    { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
  ];
  return { name, projected: { sources, defaultMode: 0o644 } } as unknown as Volume;
}
