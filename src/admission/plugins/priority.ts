// Pods get the number of their priority class; only one class may be the default of all.
import { forbidden } from '#api/api-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Pod } from '#kinds/core/v1/pod.ts';
import type { PriorityClass } from '#kinds/scheduling/v1/priority-class.ts';

const classes = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
const pods = { group: '', resource: 'pods' };

type StoredClass = PriorityClass & KubernetesObject;

export const priority: AdmissionPlugin = {
  name: 'Priority',
  mutate(request) {
    const { definition, operation, subresource } = request;
    if (definition.plural !== 'pods' || definition.group !== '' || subresource !== '') return undefined;
    if (operation === 'CREATE') return resolvePriority(request);
    if (operation === 'UPDATE') keepPriority(request);
    return undefined;
  },
  validate(request) {
    const { definition, operation, subresource } = request;
    if (definition.plural !== 'priorityclasses' || subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return undefined;
    return refuseSecondDefault(request);
  },
};

async function resolvePriority(request: AdmissionRequest): Promise<void> {
  const { spec, metadata } = request.object as unknown as Pod & KubernetesObject;
  const name = metadata.name ?? '';
  const found = spec.priorityClassName ? await request.lister.get<StoredClass>(classes, '', spec.priorityClassName) : await defaultClass(request);
  if (spec.priorityClassName && found === undefined) throw forbidden(pods, name, `no PriorityClass with name ${spec.priorityClassName} was found`);
  const value = found?.value ?? 0;
  const policy = found?.preemptionPolicy ?? 'PreemptLowerPriority';
  if (found && !spec.priorityClassName) spec.priorityClassName = found.metadata.name ?? '';
  if (spec.priority !== undefined && spec.priority !== value) {
    throw forbidden(
      pods,
      name,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    throw forbidden(
      pods,
      name,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  spec.preemptionPolicy = policy;
}

/** Of several defaults the lowest wins, so that nobody is raised by accident. */
async function defaultClass({ lister }: AdmissionRequest): Promise<StoredClass | undefined> {
  const defaults = (await lister.list<StoredClass>(classes)).filter(({ globalDefault }) => globalDefault);
  return defaults.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
}

/** Old clients may leave out on update what the server filled in on create. */
function keepPriority({ object, old }: AdmissionRequest): void {
  const [{ spec }, before] = [object as unknown as Pod, old as unknown as Pod];
  if (spec.priority === undefined && before.spec.priority !== undefined) spec.priority = before.spec.priority;
  if (spec.preemptionPolicy === undefined && before.spec.preemptionPolicy !== undefined) spec.preemptionPolicy = before.spec.preemptionPolicy;
}

async function refuseSecondDefault({ object, lister }: AdmissionRequest): Promise<void> {
  const wanted = object as unknown as StoredClass;
  if (!wanted.globalDefault) return;
  const other = (await lister.list<StoredClass>(classes)).find(({ globalDefault, metadata }) => globalDefault && metadata.name !== wanted.metadata.name);
  if (other) {
    throw forbidden(classes, wanted.metadata.name ?? '', `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`);
  }
}
