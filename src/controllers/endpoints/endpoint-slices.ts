// EndpointSlices as their two controllers see them: which endpoints and ports are the same, and what a new slice looks like.
import type { KubernetesObject, ObjectMeta, OwnerReference } from '#api/object.ts';
import { dns1123SubdomainProblems, maskTrailingDash } from '#base/formats.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '#kinds/discovery/v1/endpoint-slice.ts';

export type StoredSlice = EndpointSlice & KubernetesObject;

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const headlessLabel = 'service.kubernetes.io/headless';
export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

/** What has to be written so that the slices say what they should. */
export interface SlicePlan {
  readonly create: StoredSlice[];
  readonly update: StoredSlice[];
  readonly remove: StoredSlice[];
}

/** Slices with the same ports hold endpoints of the same kind, whatever the order of the ports. */
export function portsKey(ports: readonly EndpointPort[] | undefined): string {
  const texts = (ports ?? []).map(({ name, port, protocol, appProtocol }) => JSON.stringify([name ?? '', port, protocol, appProtocol]));
  return texts.sort().join();
}

export function byPorts(slices: readonly StoredSlice[]): Map<string, StoredSlice[]> {
  const groups = new Map<string, StoredSlice[]>();
  for (const slice of slices) {
    const key = portsKey(slice.ports);
    groups.set(key, [...(groups.get(key) ?? []), slice]);
  }
  return groups;
}

/** Two endpoints with this key are the same endpoint; the rest of it may have changed. */
export function endpointKey({ addresses, hostname, targetRef }: Endpoint): string {
  return JSON.stringify([[...(addresses ?? [])].sort(), hostname ?? '', targetRef?.namespace ?? '', targetRef?.name ?? '']);
}

/** Of endpoints with the same key: does one say anything else than the other? Hints are judged on their own. */
export function isSameEndpoint(a: Endpoint, b: Endpoint): boolean {
  return (
    a.nodeName === b.nodeName &&
    a.zone === b.zone &&
    conditionNames.every((name) => a.conditions?.[name] === b.conditions?.[name]) &&
    targetFields.every((field) => a.targetRef?.[field] === b.targetRef?.[field])
  );
}

const conditionNames = ['ready', 'serving', 'terminating'] as const;
const targetFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'fieldPath'] as const;

/** A slice that would go and one of the same family that would come become one write. */
export function reuseRemoved(plan: SlicePlan, mayReuse: (slice: StoredSlice) => boolean = () => true): void {
  for (const slice of plan.remove.slice()) {
    const index = mayReuse(slice) ? plan.create.findLastIndex(({ addressType }) => addressType === slice.addressType) : -1;
    const [created] = index < 0 ? [] : plan.create.splice(index, 1);
    if (created === undefined) continue;
    const { generateName: _, ...metadata } = created.metadata;
    const { name, uid, resourceVersion } = slice.metadata;
    plan.update.push({ ...created, metadata: { ...metadata, name, uid, resourceVersion } });
    plan.remove.splice(plan.remove.indexOf(slice), 1);
  }
}

/** The slice's name begins with that of its Service, with a dash where the name stays valid. */
export function namePrefix(service: string): string {
  const prefix = `${service}-`;
  return dns1123SubdomainProblems(maskTrailingDash(prefix)).length === 0 ? prefix : service;
}

export function controllerReference(kind: string, { name = '', uid = '' }: ObjectMeta): OwnerReference {
  return { apiVersion: 'v1', kind, name, uid, controller: true, blockOwnerDeletion: true };
}
