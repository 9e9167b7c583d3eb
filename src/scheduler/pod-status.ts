// What the scheduler says in the status of a pod: a condition, and the node that room was made on.
import type { KubernetesObject } from '#api/object.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import type { StoredPod } from '#scheduler/cluster/pod-facts.ts';

export interface StatusChange {
  readonly condition?: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string };
  /** Empty: none any more. Absent: as it is. */
  readonly nominatedNode?: string;
}

/** Writes nothing where the status says it already. */
export async function writePodStatus(client: RestClient, pod: StoredPod, change: StatusChange, now: Date): Promise<void> {
  const status = statusPatch(pod, change, now);
  if (status === undefined) return;
  const { namespace = '', name = '', uid } = pod.metadata;
  await client.patch<KubernetesObject>(kinds.pods, { namespace, name, subresource: 'status' }, patchTypes.strategic, { metadata: { uid }, status });
}

function statusPatch(pod: StoredPod, { condition, nominatedNode }: StatusChange, now: Date): object | undefined {
  const known = pod.status?.conditions?.find(({ type }) => type === condition?.type);
  const isSaid = known?.status === condition?.status && known?.reason === condition?.reason && known?.message === condition?.message;
  const isNominated = nominatedNode === undefined || nominatedNode === (pod.status?.nominatedNodeName ?? '');
  if ((condition === undefined || isSaid) && isNominated) return undefined;
  const lastTransitionTime = known !== undefined && known.status === condition?.status ? known.lastTransitionTime : wholeSeconds(now);
  const generation = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation };
  return {
    ...(condition && !isSaid && { conditions: [{ ...condition, ...generation, lastProbeTime: null, lastTransitionTime }] }),
    // A patch takes a field away with null.
    ...(!isNominated && { nominatedNodeName: nominatedNode === '' ? null : nominatedNode }),
  };
}
