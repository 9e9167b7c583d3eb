// Namespaces say which taints their pods tolerate without asking, and which they may tolerate at all.
import { notFound, unclassified } from '#api/api-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { isBestEffort } from '#admission/pod-amounts.ts';
import { isPodWrite, namespaces, podOf } from '#admission/request-subject.ts';
import { allCovered, mergeTolerations } from '#admission/tolerations.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';

export interface PodTolerationOptions {
  readonly defaults: readonly Toleration[];
  readonly allowed: readonly Toleration[];
}

const defaultsAnnotation = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const allowedAnnotation = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const memoryPressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' } as Toleration;

export function podTolerationRestriction(options: PodTolerationOptions): AdmissionPlugin {
  return {
    name: 'PodTolerationRestriction',
    matches: isPodWrite,
    mutate: (request) => addTolerations(request, options),
    validate: (request) => refuseUnlisted(request, options),
  };
}

async function addTolerations(request: AdmissionRequest, options: PodTolerationOptions): Promise<void> {
  const pod = podOf(request);
  const defaults = request.operation === 'CREATE' ? ((await annotated(request, defaultsAnnotation)) ?? options.defaults) : [];
  const extra = [...defaults, ...(isBestEffort(pod, request.gate('PodLevelResources')) ? [] : [memoryPressure])];
  if (extra.length > 0) pod.spec.tolerations = mergeTolerations(pod.spec.tolerations ?? [], extra);
  await refuseUnlisted(request, options);
}

async function refuseUnlisted(request: AdmissionRequest, options: PodTolerationOptions): Promise<void> {
  const tolerations = podOf(request).spec.tolerations ?? [];
  if (tolerations.length === 0) return;
  const ofNamespace = await annotated(request, allowedAnnotation);
  const allowed = ofNamespace ?? options.allowed;
  if (allowed.length === 0 || allCovered(tolerations, allowed)) return;
  const scope = ofNamespace === undefined ? 'cluster' : 'namespace';
  throw unclassified(`pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`);
}

/** Undefined when the namespace says nothing; an empty text says: none. */
async function annotated(request: AdmissionRequest, key: string): Promise<readonly Toleration[] | undefined> {
  const { lister, namespace } = request;
  const found = await lister.get(namespaces, '', namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  const text = found.metadata.annotations?.[key];
  if (text === undefined || text === '') return text === undefined ? undefined : [];
  try {
    return JSON.parse(text) as readonly Toleration[];
  } catch (error) {
    throw unclassified(`annotation ${key} of the namespace: ${(error as Error).message}`);
  }
}
