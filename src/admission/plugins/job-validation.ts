// A job whose pods are scheduled as a gang keeps its parallelism.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { only, refusal } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Job } from '#kinds/batch/v1/job.ts';
import type { PodGroup } from '#kinds/scheduling/v1alpha2/pod-group.ts';

const jobs = { group: 'batch', resource: 'jobs' };
const podGroups = { group: 'scheduling.k8s.io', resource: 'podgroups' };

type StoredGroup = PodGroup & KubernetesObject;

export const jobValidation: AdmissionPlugin = {
  name: 'JobValidation',
  matches: only(['UPDATE'], jobs),
  validate(request) {
    if (!request.gate('GenericWorkload')) return undefined;
    const [job, old] = [request.object as unknown as Job, request.old as unknown as Job & KubernetesObject];
    return job.spec.parallelism === old.spec.parallelism ? undefined : refuseForGang(request, old);
  },
};

async function refuseForGang(request: AdmissionRequest, job: Job & KubernetesObject): Promise<void> {
  const gang = (await groupsOf(request, job)).find(({ spec }) => spec.schedulingPolicy?.gang);
  if (gang) throw refusal(request, `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${JSON.stringify(gang.metadata.name)}`);
}

async function groupsOf({ lister, namespace }: AdmissionRequest, job: Job & KubernetesObject): Promise<readonly StoredGroup[]> {
  const named = job.spec.template.spec.schedulingGroup?.podGroupName;
  if (named !== undefined) return [await lister.get<StoredGroup>(podGroups, namespace, named)].filter((group) => group !== undefined);
  const all = await lister.list<StoredGroup>(podGroups, namespace);
  return all.filter(({ metadata }) => metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === job.metadata.uid));
}
