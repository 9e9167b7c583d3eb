// What the condition Available of an APIService says, and why.
import type { APIService, APIServiceCondition, ServiceReference } from '#kinds/apiregistration/v1/api-service.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import type { EndpointSlice } from '#kinds/discovery/v1/endpoint-slice.ts';

export type Verdict = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

export const localVerdict: Verdict = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };

/** `problem`: why the server did not answer. */
export function discoveredVerdict(problem: string | undefined): Verdict {
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
  if (endpoints.some((slice) => hasReadyEndpoint(slice, portName))) return undefined;
  return refuse('MissingEndpoints', `endpointslices for ${subject} have no addresses with port name ${JSON.stringify(portName)}`);
}

function hasReadyEndpoint({ ports, endpoints }: EndpointSlice, portName: string): boolean {
  const isNamed = ports?.some(({ name, port }) => name === portName && port !== undefined) === true;
  return isNamed && endpoints?.some(({ conditions }) => conditions?.ready !== false) === true;
}

/** Undefined when nothing changes; the time of the transition stays while the status does. */
export function withVerdict({ conditions = [] }: APIService['status'], verdict: Verdict, now: Date): APIServiceCondition[] | undefined {
  const present = availableOf({ conditions });
  if (present?.status === verdict.status && present.reason === verdict.reason && present.message === verdict.message) return undefined;
  const transition = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const lastTransitionTime = present?.status === verdict.status ? (present.lastTransitionTime ?? transition) : transition;
  const next = { type: 'Available', ...verdict, lastTransitionTime };
  return present === undefined ? [...conditions, next] : conditions.map((each) => (each === present ? next : each));
}

export function availableOf({ conditions }: APIService['status']): APIServiceCondition | undefined {
  return conditions?.find(({ type }) => type === 'Available');
}
