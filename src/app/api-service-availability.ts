// Keeps the availability of API services behind services up to date: looked at again whenever one of the objects changes that it follows from.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ApiServer } from '#app/api-server.ts';
import { followCache } from '#app/follow-cache.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { keepAvailableCondition } from '#controllers/api-service-status.ts';

interface Remote {
  readonly object: KubernetesObject;
  /** `namespace/name` of its service. */
  readonly service: string;
}

/** Until `signal` aborts. Services and their endpoints are followed only once somebody needs them. */
export async function keepAvailability(api: ApiServer, clock: Clock, log: Log, signal: AbortSignal): Promise<void> {
  const remotes = new Map<string, Remote>();
  let followsServices = false;
  const judge = ({ object }: Remote) => {
    const written = keepAvailableCondition(api.client, object, () => clock.now());
    // Somebody else has changed or deleted it: the event that says so brings us back.
    written.catch(
      (cause: unknown) => signal.aborted || isOvertaken(cause) || log.warn('the status of an API service could not be written', { cause: String(cause) }),
    );
  };
  const judgeServed = (service: string) => {
    for (const remote of remotes.values()) if (remote.service === service) judge(remote);
  };
  const forget = ({ metadata: { name = '' } }: KubernetesObject) => void remotes.delete(name);
  const put = (object: KubernetesObject) => {
    const { service } = object['spec'] as { readonly service?: { readonly namespace?: string; readonly name?: string } };
    if (service === undefined) return forget(object);
    const remote = { object, service: `${service.namespace}/${service.name}` };
    remotes.set(object.metadata.name ?? '', remote);
    judge(remote);
    if (followsServices) return;
    followsServices = true;
    void followServices(api, judgeServed, signal);
  };
  await follow(api, 'apiregistration.k8s.io', 'apiservices', { put, drop: forget }, signal);
}

async function followServices(api: ApiServer, changed: (service: string) => void, signal: AbortSignal): Promise<void> {
  const ofService = ({ metadata }: KubernetesObject) => changed(`${metadata.namespace}/${metadata.name}`);
  const ofSlice = ({ metadata }: KubernetesObject) => changed(`${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}`);
  await follow(api, '', 'services', { put: ofService, drop: ofService }, signal);
  await follow(api, 'discovery.k8s.io', 'endpointslices', { put: ofSlice, drop: ofSlice }, signal);
}

async function follow({ world }: ApiServer, group: string, resource: string, follower: Parameters<typeof followCache>[2], signal: AbortSignal): Promise<void> {
  const definition = world.catalog.find(group, 'v1', resource);
  if (definition !== undefined) await followCache(world, definition, follower, signal);
}

function isOvertaken(cause: unknown): boolean {
  return cause instanceof ApiError && (cause.code === 404 || cause.code === 409);
}
