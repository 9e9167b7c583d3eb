// What a pod contributes to a Service: its addresses, its ports and whether it is ready. EndpointSlices and Endpoints are both made of this.
import type { KubernetesObject } from '#api/object.ts';
import { formatIp, parseIpSloppy } from '#base/ip-address.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { Service, ServicePort } from '#kinds/core/v1/service/service.ts';
import type { Endpoint, EndpointPort } from '#kinds/discovery/v1/endpoint-slice.ts';

export type StoredPod = Pod & KubernetesObject;
export type StoredService = Service & KubernetesObject;
export type StoredNode = Node & KubernetesObject;
export type AddressType = 'IPv4' | 'IPv6';

export const zoneLabel = 'topology.kubernetes.io/zone';

/** A pod that has ended, or has no address yet, is no endpoint. */
export function isInEndpoints({ metadata, status }: StoredPod, includeTerminating: boolean): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  if (!status?.podIP && !status?.podIPs?.length) return false;
  return includeTerminating || metadata.deletionTimestamp === undefined;
}

export function isReady({ status }: StoredPod): boolean {
  return readyCondition(status)?.status === 'True';
}

/** When the pod last became ready or unready: what the controllers report as the trigger of a change of endpoints. */
export function readySince({ status }: StoredPod): string | undefined {
  return readyCondition(status)?.lastTransitionTime || undefined;
}

function readyCondition(status: StoredPod['status']) {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

export function hasHostnameOf(service: StoredService, { metadata, spec }: StoredPod): boolean {
  return !!spec?.hostname && spec.subdomain === service.metadata.name && service.metadata.namespace === metadata.namespace;
}

/** Undefined: the pod has no address of this family. */
export function endpointOf(service: StoredService, pod: StoredPod, node: StoredNode | undefined, addressType: AddressType): Endpoint | undefined {
  const addresses = addressesOf(pod, addressType);
  if (addresses.length === 0) return undefined;
  const { namespace, name, uid } = pod.metadata;
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const zone = node?.metadata.labels?.[zoneLabel];
  return {
    addresses,
    // A terminating pod is never ready, unless the Service asks for addresses that are not.
    conditions: { ready: service.spec?.publishNotReadyAddresses === true || (serving && !terminating), serving, terminating },
    ...(hasHostnameOf(service, pod) && { hostname: pod.spec?.hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
  } as Endpoint;
}

export function addressesOf({ status }: StoredPod, addressType: AddressType): string[] {
  return (status?.podIPs ?? []).flatMap(({ ip }) => {
    const parsed = parseIpSloppy(ip ?? '');
    return parsed && addressTypeOf(parsed) === addressType ? [formatIp(parsed)] : [];
  });
}

export function addressTypeOf({ family }: { readonly family: 4 | 6 }): AddressType {
  return family === 6 ? 'IPv6' : 'IPv4';
}

/** Ports of the Service whose target the pod has; a named target that no container declares is left out. */
export function portsOf(service: StoredService, pod: StoredPod): EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const target = targetPort(pod, port);
    if (target === undefined) return [];
    return [
      {
        name: port.name ?? '',
        port: target,
        protocol: port.protocol,
        ...(port.appProtocol !== undefined && { appProtocol: port.appProtocol }),
      } as EndpointPort,
    ];
  });
}

export function targetPort({ spec }: StoredPod, { targetPort: target, protocol }: ServicePort): number | undefined {
  if (typeof target === 'number') return target;
  // An init container that is restarted always runs beside the others: a sidecar.
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const declared = [...(spec?.containers ?? []), ...sidecars].flatMap(({ ports }) => ports ?? []);
  return declared.find((port) => port.name === target && port.protocol === protocol)?.containerPort;
}
