// Keeps the condition Available of APIServices up to date: looked at again whenever one of the objects changes that it follows from, and
// regularly, because whether a server answers is told by no object that changes.
import type { KubernetesObject } from '#api/object.ts';
import { type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { availableOf, discoveredVerdict, localVerdict, serviceProblem, type Verdict, withVerdict } from '#controllers/api-service-status.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';
import type { APIService } from '#kinds/apiregistration/v1/api-service.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import type { EndpointSlice } from '#kinds/discovery/v1/endpoint-slice.ts';

type StoredApiService = APIService & KubernetesObject;

export interface AvailabilityOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly now: () => Date;
  /** Why the server behind an APIService does not answer; undefined when it does. Throws when it cannot be asked at all. */
  readonly discoveryProblem: (name: string, spec: APIService['spec']) => Promise<string | undefined>;
  /** An APIService that was available is no longer. */
  readonly onUnavailable?: (name: string, reason: string) => void;
}

const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
const addressed: ResourceAddress = { ...apiServices, version: 'v1', namespaced: false };
const services = { group: '', resource: 'services' };
const slices = { group: 'discovery.k8s.io', resource: 'endpointslices' };
const serviceLabel = 'kubernetes.io/service-name';
const fieldManager = 'kube-apiserver';

const checkEveryMs = 30_000;
/** Upstream waits up to 30 s; here a server that is back is found within a second, on a busy machine too. */
const retryEveryMs = 250;
/** One that hangs holds up no other. */
const workers = 64;

/** Keys are those of the APIServices. Services and their endpoints are followed from the first APIService that is behind one. */
export function apiServiceAvailability(options: AvailabilityOptions): Controller {
  const { sources, ...parts } = options;
  const [apis, ofServices, ofSlices] = [
    sources.of<StoredApiService>(apiServices),
    sources.of<Service & KubernetesObject>(services),
    sources.of<EndpointSlice & KubernetesObject>(slices),
  ];
  let followed: Promise<void> | undefined;
  const behind = (service: string) =>
    apis
      .list()
      .filter((item) => serviceOf(item) === service)
      .map(sourceKey);
  const followServices = () =>
    new Promise<void>((resolve) => {
      loop.follow(async (enqueue, signal) => {
        await keysOf(ofServices, (item) => behind(sourceKey(item)))(enqueue, signal);
        await keysOf(ofSlices, ({ namespace, object }) => behind(`${namespace}/${object.metadata.labels?.[serviceLabel]}`))(enqueue, signal);
        resolve();
      });
    });
  const remoteVerdict = async ({ metadata: { name = '' }, spec }: StoredApiService, service: NonNullable<APIService['spec']['service']>): Promise<Verdict> => {
    followed ??= followServices();
    await followed;
    const { namespace = '', name: serviceName = '' } = service;
    const endpoints = ofSlices.list(namespace).filter(({ object }) => object.metadata.labels?.[serviceLabel] === serviceName);
    const problem = serviceProblem(
      service,
      ofServices.get(namespace, serviceName)?.object,
      endpoints.map(({ object }) => object),
    );
    return problem ?? discoveredVerdict(await options.discoveryProblem(name, spec));
  };
  const reconcile = async (key: string) => {
    const found = apis.get('', splitKey(key).name)?.object;
    if (found === undefined) return;
    const { service } = found.spec;
    const verdict = service === undefined ? localVerdict : await remoteVerdict(found, service);
    await unlessOvertaken(keepCondition(options, found, verdict));
    return service === undefined ? undefined : { againMs: verdict.status === 'True' ? checkEveryMs : retryEveryMs };
  };
  const loop: Controller = controller({ ...parts, name: 'AvailableConditionController', sources: [keysOf(apis)], reconcile, workers });
  return loop;
}

/** Nothing is sent when it already says so. */
async function keepCondition({ client, now, onUnavailable }: AvailabilityOptions, current: StoredApiService, verdict: Verdict): Promise<void> {
  const conditions = withVerdict(current.status, verdict, now());
  if (conditions === undefined) return;
  await client.update(addressed, { ...current, status: { conditions } } as unknown as KubernetesObject, 'status', { fieldManager });
  const wasAvailable = availableOf(current.status)?.status === 'True';
  if (wasAvailable && verdict.status !== 'True') onUnavailable?.(current.metadata.name ?? '', verdict.reason ?? '');
}

/** `namespace/name` of the service behind it. */
function serviceOf({ object: { spec } }: SourceItem<StoredApiService>): string | undefined {
  return spec.service && `${spec.service.namespace}/${spec.service.name}`;
}
