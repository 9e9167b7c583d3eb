// Pods carry the zone and the region of the node they are bound to.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { andThen } from '#base/and-then.ts';
import { isAbout, podOf, pods } from '#admission/request-subject.ts';
import type { Binding } from '#kinds/core/v1/pod/binding.ts';

const nodes = { group: '', resource: 'nodes' };
const copied = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

export const podTopologyLabels: AdmissionPlugin = {
  name: 'PodTopologyLabels',
  matches: (scope) => scope.operation === 'CREATE' && (isAbout(scope, pods) || isAbout(scope, pods, 'binding')),
  mutate(request) {
    if (!request.gate('PodTopologyLabelsAdmission')) return undefined;
    const node = nodeNamed(request);
    return node ? copyLabels(request, node) : undefined;
  },
};

function nodeNamed(request: AdmissionRequest): string | undefined {
  if (isAbout(request, pods)) return podOf(request).spec.nodeName;
  const { target } = request.object as unknown as Binding;
  return target.kind === 'Node' ? target.name : undefined;
}

function copyLabels({ lister, object }: AdmissionRequest, name: string): Promise<void> | void {
  return andThen(lister.get(nodes, '', name), (node) => {
    const labels = node?.metadata.labels ?? {};
    const found = copied.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const]));
    if (object && found.length > 0) object.metadata.labels = { ...object.metadata.labels, ...Object.fromEntries(found) };
  });
}
