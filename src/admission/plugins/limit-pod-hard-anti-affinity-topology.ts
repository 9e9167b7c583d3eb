// Keeping away from other pods is only for single hosts: a pod must not claim a whole zone.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { isPodWrite, podOf, refusal } from '#admission/request-subject.ts';

const hostname = 'kubernetes.io/hostname';

export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  matches: isPodWrite,
  validate(request) {
    const terms = podOf(request).spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const wide = terms.find(({ topologyKey }) => topologyKey !== hostname);
    if (wide === undefined) return;
    throw refusal(request, `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wide.topologyKey} but only key ${hostname} is allowed`);
  },
};
