// A pod group does not go away under its pods.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { only } from '#admission/request-subject.ts';

const podGroups = { group: 'scheduling.k8s.io', resource: 'podgroups' };
const finalizer = 'scheduling.k8s.io/podgroup-protection';

export const podGroupProtection: AdmissionPlugin = {
  name: 'PodGroupProtection',
  matches: only(['CREATE'], podGroups),
  mutate({ object, gate }) {
    if (!gate('GenericWorkload')) return;
    if (object && !object.metadata.finalizers?.includes(finalizer)) object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  },
};
