// Keeps the availability of API services behind services up to date: looked at again whenever one of the objects changes that it follows from.
import type { KubernetesObject } from '#api/object.ts';
import { type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type DiscoveryProblem, keepAvailableCondition } from '#controllers/api-service-status.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';

export interface AvailabilityOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly now: () => Date;
  readonly discoveryProblem: DiscoveryProblem;
}

const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
const services = { group: '', resource: 'services' };
const slices = { group: 'discovery.k8s.io', resource: 'endpointslices' };

const checkEveryMs = 30_000;
const retryEveryMs = 1_000;
/** One that hangs holds up no other. */
const workers = 5;

/** Keys are those of the API services. Services and their endpoints are followed from the first API that is behind one. */
export function apiServiceAvailability({ client, sources, now, discoveryProblem, ...parts }: AvailabilityOptions): Controller {
  const apis = sources.of(apiServices);
  let followsServices = false;
  const behind = (service: string) =>
    apis
      .list()
      .filter((item) => serviceOf(item) === service)
      .map(sourceKey);
  const remote = (item: SourceItem) => {
    if (serviceOf(item) === undefined) return [];
    if (!followsServices) followServices();
    return [sourceKey(item)];
  };
  const followServices = () => {
    followsServices = true;
    loop.follow(keysOf(sources.of(services), (item) => behind(sourceKey(item))));
    loop.follow(keysOf(sources.of(slices), ({ namespace, object }) => behind(`${namespace}/${object.metadata.labels?.['kubernetes.io/service-name']}`)));
  };
  const reconcile = async (key: string) => {
    const found = apis.get('', splitKey(key).name);
    if (found === undefined) return;
    let isAvailable = false;
    const keep = async () => {
      isAvailable = await keepAvailableCondition(client, found.object, { now, discoveryProblem });
    };
    await unlessOvertaken(keep());
    // Whether a server answers is told by no object that changes.
    return serviceOf(found) === undefined ? undefined : { againMs: isAvailable ? checkEveryMs : retryEveryMs };
  };
  const loop: Controller = controller({ ...parts, name: 'AvailableConditionController', sources: [keysOf(apis, remote)], reconcile, workers });
  return loop;
}

/** `namespace/name` of the service behind it. */
function serviceOf({ object }: SourceItem<KubernetesObject>): string | undefined {
  const { service } = object['spec'] as { readonly service?: { readonly namespace?: string; readonly name?: string } };
  return service && `${service.namespace}/${service.name}`;
}
