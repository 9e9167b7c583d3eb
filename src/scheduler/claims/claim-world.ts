// Claims of devices, the classes and slices that say which devices there are, and which of them are taken. What the scheduler is about to
// allocate counts as taken before the server has heard of it.
import type { KubernetesObject } from '#api/object.ts';
import type { Source, Sources } from '#api/source.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import { Assumed } from '#scheduler/cluster/assumed.ts';
import type { StoredPod } from '#scheduler/cluster/pod-facts.ts';
import type { DeviceClass } from '#kinds/resource/v1/device-class.ts';
import type { ResourceClaim } from '#kinds/resource/v1/resource-claim.ts';
import type { Device, ResourceSlice } from '#kinds/resource/v1/resource-slice.ts';

export type StoredResourceClaim = ResourceClaim & KubernetesObject;
export type StoredDeviceClass = DeviceClass & KubernetesObject;
export type StoredSlice = ResourceSlice & KubernetesObject;

const resourceApi = (resource: string, namespaced = false): ResourceAddress => ({ group: 'resource.k8s.io', version: 'v1', resource, namespaced });
export const resourceKinds = {
  claims: resourceApi('resourceclaims', true),
  slices: resourceApi('resourceslices'),
  classes: resourceApi('deviceclasses'),
};

/** Does the expression of a selector select a device of the driver? Throws where it cannot be judged. */
export type SelectsDevice = (expression: string, driver: string, device: Device) => boolean;

export class ClaimWorld {
  readonly claims: Assumed<StoredResourceClaim>;
  readonly #classes: Source<StoredDeviceClass>;
  readonly #slices: Source<StoredSlice>;
  readonly selects: SelectsDevice;

  constructor(sources: Sources, selects: SelectsDevice) {
    this.claims = new Assumed(sources.of<StoredResourceClaim>(resourceKinds.claims));
    this.#classes = sources.of(resourceKinds.classes);
    this.#slices = sources.of(resourceKinds.slices);
    this.selects = selects;
  }

  deviceClass(name: string): StoredDeviceClass | undefined {
    return this.#classes.get('', name)?.object;
  }

  slices(): readonly StoredSlice[] {
    return this.#slices.list().map(({ object }) => object);
  }

  /** `driver/pool/device` of all that claims have; access as an administrator takes nothing away from others. */
  taken(): ReadonlySet<string> {
    const taken = new Set<string>();
    for (const { status } of this.claims.list()) {
      for (const { driver, pool, device, adminAccess } of status?.allocation?.devices?.results ?? []) {
        if (adminAccess !== true) taken.add(deviceId(driver, pool, device));
      }
    }
    return taken;
  }
}

export function deviceId(driver: string | undefined, pool: string | undefined, device: string | undefined): string {
  return `${driver}/${pool}/${device}`;
}

/** The claims of a pod, or why they are not there. Names that a template has not needed are left out. */
export function claimsOf(world: ClaimWorld, pod: StoredPod): readonly StoredResourceClaim[] | string {
  const { namespace = '', name: podName = '' } = pod.metadata;
  const claims: StoredResourceClaim[] = [];
  for (const { name, resourceClaimName, resourceClaimTemplateName } of pod.spec.resourceClaims ?? []) {
    const made = pod.status?.resourceClaimStatuses?.find((status) => status.name === name);
    if (resourceClaimName === undefined && made === undefined) return `pod "${namespace}/${podName}": ResourceClaim not created yet`;
    const claimName = resourceClaimName ?? made?.resourceClaimName;
    if (claimName === undefined) continue;
    const claim = world.claims.get(namespace, claimName);
    if (claim === undefined) return `could not find v1.ResourceClaim "${namespace}/${claimName}"`;
    if (claim.metadata.deletionTimestamp !== undefined) return `resourceclaim "${claimName}" is being deleted`;
    const isOwn = claim.metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === pod.metadata.uid) === true;
    if (resourceClaimTemplateName !== undefined && !isOwn) {
      return `ResourceClaim ${namespace}/${claimName} was not created for Pod ${namespace}/${podName} (Pod is not owner)`;
    }
    claims.push(claim);
  }
  return claims;
}

export function isReservedFor({ status }: StoredResourceClaim, { metadata: { uid } }: StoredPod): boolean {
  return status?.reservedFor?.some((consumer) => consumer.uid === uid) === true;
}
