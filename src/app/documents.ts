// The paths that are no resources, put together: discovery, version, health.
import { APIGroupDiscoveryList } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '#kinds/meta/v1/discovery.ts';
import type { Log } from '#base/log.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { discoveryHandler, discoveryPaths, type DiscoverySchemas } from '#server/discovery/discovery-handler.ts';
import { type HealthCheck, serveHealth } from '#server/health/health-checks.ts';
import { PathRouter } from '#server/path-router.ts';
import { versionHandler } from '#server/version.ts';

export interface DocumentParts {
  readonly catalog: ResourceCatalog;
  /** host:port for clients. */
  readonly serverAddress: string;
  readonly checks: readonly HealthCheck[];
  readonly log: Log;
}

const schemas: DiscoverySchemas = {
  apiVersions: APIVersions,
  apiGroupList: APIGroupList,
  apiGroup: APIGroup,
  apiResourceList: APIResourceList,
  apiGroupDiscoveryList: APIGroupDiscoveryList,
};

/** More paths (OpenAPI, metrics, OpenID) are added to the router by whoever serves them. */
export function documentRouter({ catalog, serverAddress, checks, log }: DocumentParts): PathRouter {
  const router = new PathRouter();
  const discovery = discoveryHandler({ catalog, serverAddress, schemas });
  router.under('/api', discovery, () => discoveryPaths(catalog)).under('/apis', discovery);
  router.under('/version', versionHandler(`${process.platform}/${goArchitecture(process.arch)}`), () => ['/version']);
  serveHealth(router, checks, log);
  return router;
}

function goArchitecture(arch: string): string {
  return { x64: 'amd64', ia32: '386' }[arch] ?? arch;
}
