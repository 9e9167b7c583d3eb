// A request of a kubelet, with the name of its node.
import type { AdmissionRequest } from '#admission/admission.ts';
import { pods, type StoredPod } from '#admission/request-subject.ts';
import { type ApiError, notFound } from '#api/api-error.ts';
import type { User } from '#api/user.ts';

export interface NodeRequest {
  readonly request: AdmissionRequest;
  readonly node: string;
}

export type NodeRule = (of: NodeRequest) => Promise<void> | void;

/** Undefined for anybody else: a node is known by its name and its group. */
export function nodeNameOf({ name, groups }: User): string | undefined {
  if (!groups.includes('system:nodes')) return undefined;
  return name.startsWith('system:node:') ? name.slice('system:node:'.length) : undefined;
}

export async function storedPod({ lister, namespace }: AdmissionRequest, name: string): Promise<StoredPod> {
  const pod = await lister.get<StoredPod>(pods, namespace, name);
  if (pod === undefined) throw notInCache('pod', name);
  return pod;
}

/** What the original looks up in a cache of its own it names in the singular when it is not there. */
export function notInCache(singular: string, name: string): ApiError {
  return notFound({ group: '', resource: singular }, name);
}
