// A pod on a node is not changed into one that needs features the node does not declare.
import { isDeepStrictEqual } from 'node:util';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { isAbout, podOf, pods, refusal, type StoredPod } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';

const nodes = { group: '', resource: 'nodes' };

/** Which features an update needs; those that only matter for scheduling are never needed later. */
const neededBy: Readonly<Record<string, (now: StoredPod, before: StoredPod) => boolean>> = {
  InPlacePodLevelResourcesVerticalScaling: (now, before) => !isDeepStrictEqual(now.spec.resources, before.spec.resources),
  InPlacePodVerticalScalingInitContainers: (now, before) =>
    (before.spec.initContainers ?? []).some(
      ({ restartPolicy, resources }, index) => restartPolicy !== 'Always' && !isDeepStrictEqual(resources, now.spec.initContainers?.[index]?.resources),
    ),
};

export const nodeDeclaredFeatureValidator: AdmissionPlugin = {
  name: 'NodeDeclaredFeatureValidator',
  matches: (scope) => scope.operation === 'UPDATE' && (isAbout(scope, pods) || isAbout(scope, pods, 'resize')),
  validate(request) {
    if (!request.gate('NodeDeclaredFeatures')) return undefined;
    const [pod, old] = [podOf(request), request.old as unknown as StoredPod];
    if (!pod.spec.nodeName || pod.metadata.generation === old.metadata.generation) return undefined;
    const needed = Object.keys(neededBy).filter((feature) => neededBy[feature]?.(pod, old));
    return needed.length > 0 ? refuseUnlessDeclared(request, pod.spec.nodeName, needed) : undefined;
  },
};

async function refuseUnlessDeclared(request: AdmissionRequest, nodeName: string, needed: readonly string[]): Promise<void> {
  const node = await request.lister.get<Node & KubernetesObject>(nodes, '', nodeName);
  if (node === undefined) throw refusal(request, `node ${JSON.stringify(nodeName)} not found`);
  const missing = needed.filter((feature) => !node.status.declaredFeatures?.includes(feature));
  if (missing.length > 0)
    throw refusal(request, `pod update requires features ${missing.join(', ')} which are not available on node ${JSON.stringify(nodeName)}`);
}
