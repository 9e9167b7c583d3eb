// A service account may limit its pods to the secrets that it names itself.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { EnvHolder } from '#admission/pod-secrets.ts';
import { podOf, refusal } from '#admission/request-subject.ts';
import { unclassified } from '#api/api-error.ts';
import type { ServiceAccount } from '#kinds/core/v1/service-account.ts';

type Account = ServiceAccount & KubernetesObject;

const enforced = 'kubernetes.io/enforce-mountable-secrets';
const truths = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

export function refuseForeignSecrets(request: AdmissionRequest, account: Account): void {
  if (!truths.has(account.metadata.annotations?.[enforced] ?? '')) return;
  const why = request.subresource === 'ephemeralcontainers' ? ephemeralFinding(request, account) : podFinding(request, account);
  if (why === undefined) return;
  // For ephemeral containers the original forgets to make a refusal of it.
  throw request.subresource === 'ephemeralcontainers' ? unclassified(why) : refusal(request, why);
}

function podFinding(request: AdmissionRequest, account: Account): string | undefined {
  const { spec } = podOf(request);
  const known = namesOf(account.secrets);
  const tail = `is not allowed because service account ${account.metadata.name} does not reference that`;
  const volume = (spec.volumes ?? []).find(({ secret }) => secret && !known.has(secret.secretName ?? ''));
  if (volume) return `volume with secret.secretName="${volume.secret?.secretName ?? ''}" ${tail} secret`;
  const inEnv = envFinding('init container', spec.initContainers, known, tail) ?? envFinding('container', spec.containers, known, tail);
  if (inEnv !== undefined) return inEnv;
  const pullable = namesOf(account.imagePullSecrets);
  const index = (spec.imagePullSecrets ?? []).findIndex(({ name }) => !pullable.has(name ?? ''));
  return index < 0 ? undefined : `imagePullSecrets[${index}].name="${spec.imagePullSecrets?.[index]?.name ?? ''}" ${tail} imagePullSecret`;
}

function ephemeralFinding(request: AdmissionRequest, account: Account): string | undefined {
  const tail = `is not allowed because service account ${account.metadata.name} does not reference that`;
  return envFinding('ephemeral container', podOf(request).spec.ephemeralContainers, namesOf(account.secrets), tail);
}

function namesOf(references: readonly { readonly name?: string | undefined }[] | undefined): ReadonlySet<string> {
  return new Set((references ?? []).map(({ name }) => name ?? ''));
}

function envFinding(what: string, containers: unknown, known: ReadonlySet<string>, tail: string): string | undefined {
  for (const { name, env = [], envFrom = [] } of (containers ?? []) as readonly EnvHolder[]) {
    const variable = env.find(({ valueFrom }) => valueFrom?.secretKeyRef && !known.has(valueFrom.secretKeyRef.name ?? ''));
    if (variable)
      return `${what} ${name} with envVar ${variable.name} referencing secret.secretName="${variable.valueFrom?.secretKeyRef?.name ?? ''}" ${tail} secret`;
    const source = envFrom.find(({ secretRef }) => secretRef && !known.has(secretRef.name ?? ''));
    if (source) return `${what} ${name} with envFrom referencing secret.secretName="${source.secretRef?.name ?? ''}" ${tail} secret`;
  }
  return undefined;
}
