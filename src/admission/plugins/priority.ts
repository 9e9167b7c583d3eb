// Pods and pod groups get the number of their priority class; only one class may be the default of all.
import { andThen } from '#base/and-then.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { isAbout, podOf, pods, refusal, type StoredPod } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { PodGroup } from '#kinds/scheduling/v1alpha2/pod-group.ts';
import type { PriorityClass } from '#kinds/scheduling/v1/priority-class.ts';

const classes = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
const podGroups = { group: 'scheduling.k8s.io', resource: 'podgroups' };

type StoredClass = PriorityClass & KubernetesObject;

export const priority: AdmissionPlugin = {
  name: 'Priority',
  matches: (scope) => [pods, podGroups, classes].some((resource) => isAbout(scope, resource)),
  mutate(request) {
    const { operation } = request;
    if (isAbout(request, pods)) {
      if (operation === 'CREATE') return resolvePod(request);
      if (operation === 'UPDATE') keepPriority(request);
      return undefined;
    }
    const concernsGroup = operation === 'CREATE' && isAbout(request, podGroups) && request.gate('WorkloadAwarePreemption');
    return concernsGroup ? resolveGroup(request) : undefined;
  },
  validate(request) {
    const { operation } = request;
    if (!isAbout(request, classes) || (operation !== 'CREATE' && operation !== 'UPDATE')) return undefined;
    return (request.object as unknown as StoredClass).globalDefault ? refuseSecondDefault(request) : undefined;
  },
};

function resolvePod(request: AdmissionRequest): Promise<void> | void {
  return andThen(classOf(request, podOf(request).spec.priorityClassName), (found) => givePriority(request, found));
}

function givePriority(request: AdmissionRequest, found: StoredClass | undefined): void {
  const { spec } = podOf(request);
  const value = found?.value ?? 0;
  if (found?.metadata.name) spec.priorityClassName = found.metadata.name;
  if (spec.priority !== undefined && spec.priority !== value) {
    const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    throw refusal(request, why);
  }
  spec.priority = value;
  const policy = found === undefined ? 'PreemptLowerPriority' : found.preemptionPolicy;
  if (policy !== undefined) settlePreemption(request, spec, policy);
}

function settlePreemption(request: AdmissionRequest, spec: StoredPod['spec'], policy: string): void {
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const why = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    throw refusal(request, why);
  }
  spec.preemptionPolicy = policy;
}

async function resolveGroup(request: AdmissionRequest): Promise<void> {
  const { spec } = request.object as unknown as PodGroup;
  const found = await classOf(request, spec.priorityClassName);
  const value = found?.value ?? 0;
  if (spec.priority !== undefined && spec.priority !== value) {
    const why = `priority set in the pod group (${spec.priority}) must match the priority computed (${value}) based on the priority class set in the spec`;
    throw refusal(request, why);
  }
  spec.priority = value;
  if (found?.metadata.name) spec.priorityClassName = found.metadata.name;
}

function classOf(request: AdmissionRequest, name: string | undefined): MaybePromise<StoredClass | undefined> {
  if (!name) return defaultClass(request);
  return andThen(request.lister.get<StoredClass>(classes, '', name), (found) => {
    if (found === undefined) throw refusal(request, `no PriorityClass with name ${name} was found`);
    return found;
  });
}

/** Of several defaults the lowest wins, so that nobody is raised by accident. */
function defaultClass({ lister }: AdmissionRequest): MaybePromise<StoredClass | undefined> {
  return andThen(lister.list<StoredClass>(classes), (all) => {
    let lowest: StoredClass | undefined;
    for (const one of all) if (one.globalDefault && (lowest === undefined || (one.value ?? 0) < (lowest.value ?? 0))) lowest = one;
    return lowest;
  });
}

/** Old clients may leave out on update what the server filled in on create. */
function keepPriority(request: AdmissionRequest): void {
  const [{ spec }, before] = [podOf(request), request.old as unknown as StoredPod];
  if (spec.priority === undefined && before.spec.priority !== undefined) spec.priority = before.spec.priority;
  if (spec.preemptionPolicy === undefined && before.spec.preemptionPolicy !== undefined) spec.preemptionPolicy = before.spec.preemptionPolicy;
}

async function refuseSecondDefault(request: AdmissionRequest): Promise<void> {
  const other = await defaultClass(request);
  const isItself = request.operation === 'UPDATE' && other?.metadata.name === request.object?.metadata.name;
  if (other && !isItself) throw refusal(request, `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`);
}
