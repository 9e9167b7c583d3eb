// A pod group that is made from a workload's template needs both to be there.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { only, refusal } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { PodGroup } from '#kinds/scheduling/v1alpha2/pod-group.ts';
import type { Workload } from '#kinds/scheduling/v1alpha2/workload.ts';

const podGroups = { group: 'scheduling.k8s.io', resource: 'podgroups' };
const workloads = { group: 'scheduling.k8s.io', resource: 'workloads' };

type Reference = NonNullable<NonNullable<PodGroup['spec']['podGroupTemplateRef']>['workload']>;

export const podGroupWorkloadExists: AdmissionPlugin = {
  name: 'PodGroupWorkloadExists',
  matches: only(['CREATE'], podGroups),
  validate(request) {
    if (!request.gate('GenericWorkload')) return undefined;
    const reference = (request.object as unknown as PodGroup).spec.podGroupTemplateRef?.workload;
    return reference ? refuseDangling(request, reference) : undefined;
  },
};

async function refuseDangling(request: AdmissionRequest, { workloadName, podGroupTemplateName }: Reference): Promise<void> {
  const found = await request.lister.get<Workload & KubernetesObject>(workloads, request.namespace, workloadName);
  const name = JSON.stringify(workloadName);
  if (found === undefined) throw refusal(request, `PodGroup rejected: Workload ${name} not found`);
  if (found.metadata.deletionTimestamp !== undefined) throw refusal(request, `PodGroup rejected: Workload ${name} is being deleted`);
  if ((found.spec.podGroupTemplates ?? []).some((template) => template.name === podGroupTemplateName)) return;
  throw refusal(request, `PodGroup rejected: PodGroupTemplate ${JSON.stringify(podGroupTemplateName)} not found in Workload ${name}`);
}
