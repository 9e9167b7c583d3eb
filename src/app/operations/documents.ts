// The paths that are no resources, put together: discovery, OpenAPI, version, health.
import type { Aggregation } from '#app/aggregation.ts';
import { APIGroupDiscoveryList } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '#kinds/meta/v1/discovery.ts';
import { openApiVocabulary } from '#kinds/openapi-vocabulary.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { debugFlagsIndex, type Verbosity, verbosityHandler } from '#server/pages/debug-flags.ts';
import { discoveryHandler, discoveryPaths, type DiscoverySchemas, type PeerGroups } from '#server/discovery/discovery-handler.ts';
import { type HealthCheck, serveHealth } from '#server/health/health-checks.ts';
import { type OpenIdPages, serveOpenId } from '#server/pages/openid.ts';
import { openApiHandlers } from '#server/openapi/serve.ts';
import { PathRouter } from '#server/path-router.ts';
import { versionHandler } from '#server/pages/version.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { type Offer, resourceOffers } from '#server/answer/negotiate.ts';
import { flagzHandler, statuszHandler } from '#server/pages/zpages.ts';

export interface DocumentParts {
  readonly catalog: ResourceCatalog;
  /** Without it only what is served here is shown. */
  readonly aggregation?: Pick<Aggregation, 'groups' | 'openApi' | 'metrics'>;
  readonly peers?: PeerGroups | undefined;
  /** host:port for clients. */
  readonly serverAddress: string;
  readonly checks: readonly HealthCheck[];
  readonly log: Log;
  readonly clock?: Clock;
  /** What /statusz, /flagz and /debug/flags tell and change; without it they are not served. */
  readonly debug?: { readonly started: Date; readonly flags: () => Readonly<Record<string, string>>; readonly verbosity: Verbosity };
  /** Undefined when the issuer of tokens cannot be found by its name. */
  readonly openId?: OpenIdPages | undefined;
  /** There where documents come as CBOR too. */
  readonly cbor?: Cbor | undefined;
  /** Serves more paths: metrics, profiles. */
  readonly more?: (router: PathRouter, checks: readonly HealthCheck[]) => void;
  /** Is this feature gate on? */
  readonly gate?: (name: string) => boolean;
}

const schemas: DiscoverySchemas = {
  apiVersions: APIVersions,
  apiGroupList: APIGroupList,
  apiGroup: APIGroup,
  apiResourceList: APIResourceList,
  apiGroupDiscoveryList: APIGroupDiscoveryList,
};

/** More paths (metrics) are added to the router by whoever serves them. */
export function documentRouter({ catalog, aggregation, peers, serverAddress, checks, log, clock, gate, debug, openId, cbor, more }: DocumentParts): PathRouter {
  const router = new PathRouter();
  const { plain } = resourceOffers(cbor);
  const discovery = discoveryHandler({
    catalog,
    serverAddress,
    schemas,
    lists: plain,
    ...(aggregation && { aggregated: aggregation.groups, observer: aggregation.metrics }),
    ...(peers && { peers }),
  });
  router.under('/api', discovery, () => discoveryPaths(catalog, aggregation?.groups)).under('/apis', discovery);
  router.under('/version', versionHandler(`${process.platform}/${goArchitecture(process.arch)}`), () => ['/version']);
  const openApi = openApiHandlers(catalog, openApiVocabulary, {
    ...(clock && { clock }),
    ...(gate && { gate }),
    ...(aggregation && { remote: aggregation.openApi }),
  });
  router.exact('/openapi/v2', openApi.handle).under('/openapi/v3', openApi.handle, () => ['/openapi/v3', '/openapi/v3/']);
  if (openId !== undefined) serveOpenId(router, openId);
  serveHealth(router, checks, log);
  more?.(router, checks);
  if (debug !== undefined) serveDebug(router, debug, clock ?? systemClock, plain);
  return router;
}

function serveDebug(router: PathRouter, { started, flags, verbosity }: NonNullable<DocumentParts['debug']>, clock: Clock, offer: Offer): void {
  router.exact('/statusz', statuszHandler(started, clock, offer)).exact('/flagz', flagzHandler(flags, offer));
  router.under('/debug/flags', debugFlagsIndex).exact('/debug/flags/v', verbosityHandler(verbosity), { listed: false });
}

function goArchitecture(arch: string): string {
  return { x64: 'amd64', ia32: '386' }[arch] ?? arch;
}
