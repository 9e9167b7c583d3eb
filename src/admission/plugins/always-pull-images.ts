// Every pod proves with its own credentials that it may use its images.
import { ApiError } from '#api/api-error.ts';
import { type FieldError, FieldErrors } from '#api/field-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { isPodWrite, joined, podOf, refusal, type StoredPod } from '#admission/request-subject.ts';

export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  matches: isPodWrite,
  mutate(request) {
    if (!bringsImages(request)) return;
    const pod = podOf(request);
    for (const { container } of containersOf(pod)) container.imagePullPolicy = 'Always';
    for (const { image } of pod.spec.volumes ?? []) if (image) image.pullPolicy = 'Always';
  },
  validate(request) {
    if (!bringsImages(request)) return;
    const wrong = findings(podOf(request)).map((finding) => refusal(request, finding.toString()).message);
    if (wrong.length > 0) throw new ApiError(403, 'Forbidden', joined(wrong));
  },
};

function bringsImages(request: AdmissionRequest): boolean {
  if (request.operation === 'CREATE') return true;
  const known = new Set(containersOf(request.old as unknown as StoredPod).map(({ container }) => container.image));
  return containersOf(podOf(request)).some(({ container }) => !known.has(container.image));
}

interface Placed {
  readonly path: string;
  readonly container: { image?: string | undefined; imagePullPolicy?: string | undefined };
}

function containersOf({ spec }: StoredPod): readonly Placed[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index) => ({ path: `spec.${field}[${index}]`, container: container as Placed['container'] })),
  );
}

function findings(pod: StoredPod): readonly FieldError[] {
  const errors = new FieldErrors();
  for (const { path, container } of containersOf(pod)) {
    if (container.imagePullPolicy !== 'Always') errors.notSupported(`${path}.imagePullPolicy`, container.imagePullPolicy ?? '', ['Always']);
  }
  for (const [index, { image }] of (pod.spec.volumes ?? []).entries()) {
    if (image && image.pullPolicy !== 'Always') errors.notSupported(`spec.volumes[${index}].image.pullPolicy`, image.pullPolicy ?? '', ['Always']);
  }
  return errors.list;
}
