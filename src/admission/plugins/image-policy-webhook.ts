// Asks somebody outside whether a pod may use its images.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { isPodWrite, only, pods, refusal, type StoredPod } from '#admission/request-subject.ts';

export interface ImageReviewSpec {
  readonly containers: readonly { readonly image?: string }[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly namespace: string;
}

export interface ImageReviewStatus {
  readonly allowed: boolean;
  readonly reason?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export interface ImagePolicyOptions {
  /** Throws when the backend cannot be reached or does not answer as it should. */
  readonly review: (spec: ImageReviewSpec) => Promise<ImageReviewStatus>;
  readonly defaultAllow: boolean;
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
}

interface Remembered {
  readonly status: ImageReviewStatus;
  readonly until: number;
}

const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/';
const mostRemembered = 1024;

const isEphemeral = only(['UPDATE'], pods, 'ephemeralcontainers');

export function imagePolicyWebhook(options: ImagePolicyOptions): AdmissionPlugin {
  const remembered = new Map<string, Remembered>();
  return {
    name: 'ImagePolicyWebhook',
    matches: (scope) => isEphemeral(scope) || isPodWrite(scope),
    validate: (request) => judge(request, specOf(request, isEphemeral(request)), options, remembered),
  };
}

function specOf({ namespace, object }: AdmissionRequest, ephemeral: boolean): ImageReviewSpec {
  const { spec, metadata } = object as unknown as StoredPod;
  const containers = ephemeral ? (spec.ephemeralContainers ?? []) : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('.image-policy.k8s.io/'));
  return { containers: containers.map(({ image = '' }) => ({ image })), annotations: Object.fromEntries(annotations), namespace };
}

async function judge(request: AdmissionRequest, spec: ImageReviewSpec, options: ImagePolicyOptions, remembered: Map<string, Remembered>): Promise<void> {
  const status = await statusOf(request, spec, options, remembered);
  if (status === undefined) return;
  for (const [key, value] of Object.entries(status.auditAnnotations ?? {})) request.annotate(auditPrefix + key, value);
  if (status.allowed) return;
  const why = status.reason ? `image policy webhook backend denied one or more images: ${status.reason}` : 'one or more images rejected by webhook backend';
  throw refusal(request, why);
}

/** Undefined when nobody answered and that is taken for a yes. */
async function statusOf(
  request: AdmissionRequest,
  spec: ImageReviewSpec,
  options: ImagePolicyOptions,
  remembered: Map<string, Remembered>,
): Promise<ImageReviewStatus | undefined> {
  const [key, now] = [JSON.stringify(spec), request.now.getTime()];
  const known = remembered.get(key);
  if (known && known.until > now) return known.status;
  try {
    const status = await options.review(spec);
    remembered.set(key, { status, until: now + (status.allowed ? options.allowTtlMs : options.denyTtlMs) });
    const oldest = remembered.size > mostRemembered ? remembered.keys().next().value : undefined;
    if (oldest !== undefined) remembered.delete(oldest);
    return status;
  } catch (error) {
    if (!options.defaultAllow) throw refusal(request, (error as Error).message);
    // The original marks the pod too, but only a copy that nobody keeps.
    request.annotate(`${auditPrefix}failed-open`, 'true');
    return undefined;
  }
}
