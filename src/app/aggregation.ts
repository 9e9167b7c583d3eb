// Aggregated servers: what of the command line and of this server they need.
import { aggregate } from '#aggregation/aggregate.ts';
import { AggregationMetrics } from '#aggregation/aggregation-metrics.ts';
import { ApiServices } from '#aggregation/api-services.ts';
import { forward, unavailable } from '#aggregation/forward.ts';
import { RemoteDiscovery } from '#aggregation/remote-discovery.ts';
import { RemoteOpenApi } from '#aggregation/remote-openapi.ts';
import type { LiveCertificates } from '#app/certificates/live-certificates.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Outgoing } from '#app/outgoing.ts';
import type { Reads } from '#app/reads.ts';
import { APIGroupDiscoveryList } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import { APIResourceList } from '#kinds/meta/v1/discovery.ts';
import { compareVersions } from '#resource/version-order.ts';
import type { AggregatedGroups } from '#server/discovery/aggregated-groups.ts';
import type { Middleware } from '#server/front/exchange.ts';

export interface Aggregation {
  readonly apiServices: ApiServices;
  readonly discovery: RemoteDiscovery;
  readonly openApi: RemoteOpenApi;
  /** What discovery shows of APIServices and the servers behind them. */
  readonly groups: AggregatedGroups;
  readonly metrics: AggregationMetrics;
  readonly step: Middleware;
  /** `group/version` → why nothing is known about it: loops that must reach every resource (namespace deletion) say so and wait. */
  readonly failingGroupVersions: () => ReadonlyMap<string, string>;
}

type AggregationParts = Pick<Reads, 'clock'> & Pick<Outgoing, 'resolve'> & { readonly live: Pick<LiveCertificates, 'proxyClient'> };

export function buildAggregation({ flags }: ServerOptions, { clock, resolve, live }: AggregationParts): Aggregation {
  const apiServices = new ApiServices({
    resolve,
    now: () => clock.now(),
    clientCertificate: () => live.proxyClient?.value ?? {},
    compareVersions: (a, b) => compareVersions(b, a),
  });
  const metrics = new AggregationMetrics(() => apiServices.availability());
  const options = {
    refuseRedirects: flags.boolean('aggregator-reject-forwarding-redirect'),
    onCertificate: metrics.onCertificate.bind(metrics),
    onUnreachable: apiServices.reportUnreachable.bind(apiServices),
  };
  const schemas = { apiGroupDiscoveryList: APIGroupDiscoveryList, apiResourceList: APIResourceList };
  const discovery = new RemoteDiscovery({ apiServices, schemas });
  const openApi = new RemoteOpenApi({
    apiServices,
    forwardTo: (remote) => async (exchange) => (remote.available ? forward(exchange, remote.server, options) : unavailable(exchange)),
  });
  return {
    apiServices,
    discovery,
    openApi,
    groups: groupsOf(apiServices, discovery),
    metrics,
    step: aggregate({ apiServices, ...options }),
    failingGroupVersions: () => discovery.failing(),
  };
}

function groupsOf(apiServices: ApiServices, discovery: RemoteDiscovery): AggregatedGroups {
  return {
    get revision() {
      return apiServices.revision + discovery.revision;
    },
    groups: () => apiServices.groups(),
    remoteVersions: () => discovery.versions(),
  };
}
