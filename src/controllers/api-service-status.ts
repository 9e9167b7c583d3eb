// Says on every APIService behind a service whether it can be reached (condition Available), as far as stored objects tell.
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { APIService, APIServiceCondition, ServiceReference } from '#kinds/apiregistration/v1/api-service.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import type { EndpointSlice } from '#kinds/discovery/v1/endpoint-slice.ts';

const apiServices: ResourceAddress = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices', namespaced: false };
const services: ResourceAddress = { group: '', version: 'v1', resource: 'services', namespaced: true };
const slices: ResourceAddress = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespaced: true };
const manager = 'kube-apiserver';

export type Verdict = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

/** Writes the condition; nothing is sent when it already says so. */
export async function keepAvailableCondition(client: RestClient, { metadata: { name = '' } }: KubernetesObject, now: () => Date): Promise<void> {
  const current = await client.find<APIService>(apiServices, '', name);
  const reference = current?.spec.service;
  if (current === undefined || reference === undefined) return;
  const { namespace = '', name: service = '' } = reference;
  const target = await client.find<Service>(services, namespace, service);
  const list = await client.list<EndpointSlice>(slices, namespace, { labelSelector: `kubernetes.io/service-name=${service}` });
  const status = withVerdict(current.status.conditions ?? [], availability(reference, target, list.items), now());
  if (status === undefined) return;
  await client.update(apiServices, { ...current, status: { conditions: status } } as unknown as KubernetesObject, 'status', { fieldManager: manager });
}

export function availability(reference: ServiceReference, service: Service | undefined, endpoints: readonly EndpointSlice[]): Verdict {
  const { namespace = '', name = '', port = 443 } = reference;
  const subject = `service/${name} in ${JSON.stringify(namespace)}`;
  const refuse = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
  if (service === undefined) return refuse('ServiceNotFound', `${subject} is not present`);
  if (service.spec.type === 'ClusterIP') {
    const listening = service.spec.ports?.find((each) => each.port === port);
    if (listening === undefined) return refuse('ServicePortError', `${subject} is not listening on port ${port}`);
    if (endpoints.length === 0) return refuse('EndpointsNotFound', `cannot find endpointslices for ${subject}`);
    const portName = listening.name ?? '';
    if (!endpoints.some((slice) => hasAddress(slice, portName))) {
      return refuse('MissingEndpoints', `endpointslices for ${subject} have no addresses with port name ${JSON.stringify(portName)}`);
    }
  }
  // True as long as requests are not forwarded to such services.
  return refuse('FailedDiscoveryCheck', `no requests are forwarded to ${subject}`);
}

function hasAddress({ ports, endpoints }: EndpointSlice, portName: string): boolean {
  const isNamed = ports?.some(({ name = '' }) => name === portName) === true;
  return isNamed && endpoints?.some(({ conditions, addresses }) => conditions?.ready !== false && addresses?.length) === true;
}

/** Undefined when nothing changes; the time of the transition stays while the status does. */
function withVerdict(conditions: readonly APIServiceCondition[], verdict: Verdict, now: Date): APIServiceCondition[] | undefined {
  const present = conditions.find(({ type }) => type === 'Available');
  if (present?.status === verdict.status && present.reason === verdict.reason && present.message === verdict.message) return undefined;
  const transition = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const lastTransitionTime = present?.status === verdict.status ? (present.lastTransitionTime ?? transition) : transition;
  return [...conditions.filter(({ type }) => type !== 'Available'), { type: 'Available', ...verdict, lastTransitionTime }];
}
