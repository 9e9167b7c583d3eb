// Says on every APIService behind a service whether it can be reached (condition Available).
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { APIService, APIServiceCondition, ServiceReference } from '#kinds/apiregistration/v1/api-service.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import type { EndpointSlice } from '#kinds/discovery/v1/endpoint-slice.ts';

const apiServices: ResourceAddress = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices', namespaced: false };
const services: ResourceAddress = { group: '', version: 'v1', resource: 'services', namespaced: true };
const slices: ResourceAddress = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespaced: true };
const manager = 'kube-apiserver';

/** Why the server behind an APIService does not answer; undefined when it does. */
export type DiscoveryProblem = (name: string, spec: APIService['spec']) => Promise<string | undefined>;

export interface AvailabilityParts {
  readonly now: () => Date;
  readonly discoveryProblem: DiscoveryProblem;
}

export type Verdict = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

/** Writes the condition; nothing is sent when it already says so. Returns whether the API is available. */
export async function keepAvailableCondition(
  client: RestClient,
  { metadata: { name = '' } }: KubernetesObject,
  { now, discoveryProblem }: AvailabilityParts,
): Promise<boolean> {
  const current = await client.find<APIService>(apiServices, '', name);
  const reference = current?.spec.service;
  if (current === undefined || reference === undefined) return true;
  const { namespace = '', name: service = '' } = reference;
  const target = await client.find<Service>(services, namespace, service);
  const list = await client.list<EndpointSlice>(slices, namespace, { labelSelector: `kubernetes.io/service-name=${service}` });
  const verdict = serviceProblem(reference, target, list.items) ?? discovered(await discoveryProblem(name, current.spec));
  const status = withVerdict(current.status.conditions ?? [], verdict, now());
  if (status !== undefined) {
    await client.update(apiServices, { ...current, status: { conditions: status } } as unknown as KubernetesObject, 'status', { fieldManager: manager });
  }
  return verdict.status === 'True';
}

function discovered(problem: string | undefined): Verdict {
  if (problem === undefined) return { status: 'True', reason: 'Passed', message: 'all checks passed' };
  return { status: 'False', reason: 'FailedDiscoveryCheck', message: problem };
}

/** What stored objects tell: undefined when nothing speaks against asking the server. */
export function serviceProblem(reference: ServiceReference, service: Service | undefined, endpoints: readonly EndpointSlice[]): Verdict | undefined {
  const { namespace = '', name = '', port = 443 } = reference;
  const subject = `service/${name} in ${JSON.stringify(namespace)}`;
  const refuse = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
  if (service === undefined) return refuse('ServiceNotFound', `${subject} is not present`);
  if (service.spec.type !== 'ClusterIP') return undefined;
  const listening = service.spec.ports?.find((each) => each.port === port);
  if (listening === undefined) return refuse('ServicePortError', `${subject} is not listening on port ${port}`);
  if (endpoints.length === 0) return refuse('EndpointsNotFound', `cannot find endpointslices for ${subject}`);
  const portName = listening.name ?? '';
  if (endpoints.some((slice) => hasAddress(slice, portName))) return undefined;
  return refuse('MissingEndpoints', `endpointslices for ${subject} have no addresses with port name ${JSON.stringify(portName)}`);
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
