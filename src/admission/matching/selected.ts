// namespaceSelector and objectSelector of webhooks and policies.
import type { AdmissionRequest } from '#admission/admission.ts';
import { namespaces } from '#admission/request-subject.ts';
import { notFound } from '#api/api-error.ts';
import type { Labels } from '#api/label-match.ts';
import type { LabelSelector } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

/** As upstream has it for admission: a request about a namespace is in that namespace. */
export function namespaceOf(request: AdmissionRequest): string {
  return isNamespace(request) ? request.name || (request.object?.metadata?.name ?? '') : request.namespace;
}

function isNamespace({ definition }: AdmissionRequest): boolean {
  return definition.group === '' && definition.plural === 'namespaces';
}

/** Requests about what belongs to no namespace are always selected. Throws the 404 for a namespace that is not there. */
export function isInSelectedNamespace(selector: LabelSelector, request: AdmissionRequest): MaybePromise<boolean> {
  const namespace = namespaceOf(request);
  if (selector.text === '' || (namespace === '' && !isNamespace(request))) return true;
  return andThen(namespaceLabels(request, namespace), (labels) => selector.matches(labels));
}

/** Of a namespace that is being written, its new labels. */
function namespaceLabels(request: AdmissionRequest, namespace: string): MaybePromise<Labels> {
  const isWritten = isNamespace(request) && request.subresource === '' && (request.operation === 'CREATE' || request.operation === 'UPDATE');
  if (isWritten) return request.object?.metadata?.labels ?? {};
  return andThen(request.lister.get(namespaces, '', namespace), (found) => {
    if (found === undefined) throw notFound(namespaces, namespace);
    return found.metadata.labels ?? {};
  });
}

/** The old or the new state is selected; what has no metadata (PodExecOptions) only by a selector that selects everything. */
export function isSelectedObject(selector: LabelSelector, { object, old }: Pick<AdmissionRequest, 'object' | 'old'>): boolean {
  return selector.text === '' || hasLabels(selector, object) || hasLabels(selector, old);
}

function hasLabels(selector: LabelSelector, object: Partial<KubernetesObject> | undefined): boolean {
  return object?.metadata !== undefined && selector.matches(object.metadata.labels);
}
