// A pod's runtime class says what running it costs on top, and where it can run.
import { sameQuantity } from '#base/quantity.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { isPodCreate, podOf, refusal, type StoredPod } from '#admission/request-subject.ts';
import type { ResourceList } from '#admission/resource-list.ts';
import { mergeTolerations } from '#admission/tolerations.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { RuntimeClass } from '#kinds/node/v1/runtime-class.ts';

const classes = { group: 'node.k8s.io', resource: 'runtimeclasses' };
const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

type StoredClass = RuntimeClass & KubernetesObject;

export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  matches: isPodCreate,
  mutate(request) {
    return podOf(request).spec.runtimeClassName !== undefined ? applyClass(request) : undefined;
  },
  validate(request) {
    if (podOf(request).spec.runtimeClassName !== undefined) return checkOverhead(request);
    refuseOverheadWithoutClass(request);
    return undefined;
  },
};

async function classOf(request: AdmissionRequest): Promise<StoredClass> {
  const name = podOf(request).spec.runtimeClassName ?? '';
  const found = await request.lister.get<StoredClass>(classes, '', name);
  if (found === undefined) throw refusal(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

async function applyClass(request: AdmissionRequest): Promise<void> {
  const { overhead, scheduling } = await classOf(request);
  const { spec } = podOf(request);
  const fixed = overhead?.podFixed as ResourceList | undefined;
  if (overhead) {
    if (spec.overhead && !sameLists(fixed, spec.overhead as ResourceList)) throw refusal(request, mismatch);
    if (fixed && Object.keys(fixed).length > 0) spec.overhead = { ...fixed } as Exclude<typeof spec.overhead, undefined>;
  }
  if (scheduling) applyScheduling(request, spec, scheduling);
}

function applyScheduling(
  request: AdmissionRequest,
  spec: StoredPod['spec'],
  { nodeSelector = {}, tolerations = [] }: NonNullable<StoredClass['scheduling']>,
): void {
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = spec.nodeSelector?.[key];
    if (own !== undefined && own !== value) {
      throw refusal(request, `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`);
    }
  }
  const merged = { ...spec.nodeSelector, ...nodeSelector };
  if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
  const tolerated = mergeTolerations(spec.tolerations ?? [], tolerations);
  if (tolerated.length > 0) spec.tolerations = tolerated;
}

async function checkOverhead(request: AdmissionRequest): Promise<void> {
  const { overhead } = await classOf(request);
  if (overhead === undefined) refuseOverheadWithoutClass(request);
  else if (!sameLists(overhead.podFixed as ResourceList | undefined, podOf(request).spec.overhead as ResourceList | undefined))
    throw refusal(request, mismatch);
}

function refuseOverheadWithoutClass(request: AdmissionRequest): void {
  if (podOf(request).spec.overhead) throw refusal(request, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
}

function sameLists(a: ResourceList = {}, b: ResourceList = {}): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] !== undefined && b[name] !== undefined && sameQuantity(a[name], b[name]));
}
