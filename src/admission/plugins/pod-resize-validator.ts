// A pod is resized only on a node that can do it and has the room.
import { ApiError } from '#api/api-error.ts';
import { compareQuantities, milliValue, parseQuantity, valueOfQuantity } from '#base/quantity.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { podAmounts } from '#admission/pod-amounts.ts';
import { only, podOf, pods, refusal, type StoredPod } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';

const nodes = { group: '', resource: 'nodes' };

type StoredNode = Node & KubernetesObject;

export const podResizeValidator: AdmissionPlugin = {
  name: 'PodResizeValidator',
  matches: only(['UPDATE'], pods, 'resize'),
  validate(request) {
    const { metadata, spec } = podOf(request);
    if (!spec.nodeName || metadata.generation === request.old?.metadata.generation) return undefined;
    return refuseUnlessFits(request, spec.nodeName);
  },
};

async function refuseUnlessFits(request: AdmissionRequest, nodeName: string): Promise<void> {
  const node = await request.lister.get<StoredNode>(nodes, '', nodeName);
  if (node === undefined) throw refusal(request, `node ${JSON.stringify(nodeName)} not found`);
  const system = node.metadata.labels?.['kubernetes.io/os'] ?? 'linux';
  if (system !== 'linux') {
    const why = `pod resize is only supported on linux nodes, node ${JSON.stringify(nodeName)} is ${JSON.stringify(system)}`;
    throw withCause(refusal(request, why), 'UnsupportedPlatform');
  }
  const lacking = lackOf(podOf(request), node, request.gate('PodLevelResources'));
  if (lacking.length > 0) throw withCause(refusal(request, `node didn't have enough allocatable resources: ${lacking.join('; ')}`), 'NodeCapacity');
}

function lackOf(pod: StoredPod, { status }: StoredNode, podLevel: boolean): string[] {
  const requests = podAmounts(pod, 'requests', { podLevel, overhead: true });
  const allocatable = (status.allocatable ?? {}) as Record<string, string>;
  return (['cpu', 'memory'] as const).flatMap((name) => {
    const [asked, room] = [requests.get(name) ?? parseQuantity('0'), parseQuantity(allocatable[name] ?? '0')];
    const shown = name === 'cpu' ? milliValue : valueOfQuantity;
    return compareQuantities(asked, room) > 0 ? [`${name}, requested: ${shown(asked)}, allocatable: ${shown(room)}`] : [];
  });
}

function withCause({ code, reason, message, details }: ApiError, cause: string): ApiError {
  return new ApiError(code, reason, message, { details: { ...details, causes: [{ reason: cause }] } });
}
