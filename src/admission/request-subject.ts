// What plugins ask about a request again and again: what it is about, and how they refuse it.
import { type ApiError, forbidden } from '#api/api-error.ts';
import type { AdmissionRequest, AdmissionScope, Operation } from '#admission/admission.ts';
import type { GroupResource, GroupVersionKind } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export type StoredPod = Pod & KubernetesObject;

export const pods: GroupResource = { group: '', resource: 'pods' };
export const namespaces: GroupResource = { group: '', resource: 'namespaces' };

export function isAbout({ definition, subresource }: AdmissionScope, { group, resource }: GroupResource, part = ''): boolean {
  return definition.plural === resource && definition.group === group && subresource === part;
}

/** For plugins that have to do with one resource alone. */
export function only(operations: readonly Operation[], resource: GroupResource, part = ''): (scope: AdmissionScope) => boolean {
  return (scope) => operations.includes(scope.operation) && isAbout(scope, resource, part);
}

/** Pods themselves, created or changed; for most pod plugins nothing else matters. */
export const isPodWrite = only(['CREATE', 'UPDATE'], pods);
export const isPodCreate = only(['CREATE'], pods);

export function podOf({ object }: AdmissionRequest): StoredPod {
  return object as unknown as StoredPod;
}

export function resourceOf({ definition }: AdmissionRequest): GroupResource {
  return { group: definition.group, resource: definition.plural };
}

/** Of the object as the client sent it: subresources may have a kind of their own (Scale, Eviction, PodExecOptions). */
export function kindOf({ definition, subresource }: AdmissionScope): GroupVersionKind {
  const part = definition.subresources.find(({ name }) => name === subresource);
  return { group: part?.group ?? definition.group, version: part?.version ?? definition.version, kind: part?.kind ?? definition.kind };
}

/** The 403 of a plugin. A name that is still to be generated is shown by its prefix. */
export function refusal(request: AdmissionRequest, why: string): ApiError {
  return forbidden(resourceOf(request), shownName(request), why);
}

function shownName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}

/** Several findings in one text, as the original joins them. */
export function joined(findings: readonly string[]): string {
  const distinct = [...new Set(findings)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
