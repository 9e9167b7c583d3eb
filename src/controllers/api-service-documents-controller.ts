// Asks extension servers for what they publish (discovery, OpenAPI): whenever their APIService changes, later again when they do not answer,
// and once a minute, because nothing else tells that a document has changed.
import type { KubernetesObject } from '#api/object.ts';
import { splitKey, type Sources } from '#api/source.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import type { APIService } from '#kinds/apiregistration/v1/api-service.ts';

export interface DocumentsOptions extends LoopParts {
  /** Of the work queue, as upstream's metrics have it. */
  readonly name: 'discovery-manager' | 'open_api_v3_aggregation_controller';
  readonly sources: Sources;
  /** Throws when the server behind the APIService does not answer. */
  readonly refresh: (name: string) => Promise<void>;
}

const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
const refreshEveryMs = 60_000;
const retry = { firstMs: 500, maxMs: 30_000 };
/** Servers that hang hold up no others. */
const workers = 64;

export function apiServiceDocuments({ name, sources, refresh, ...parts }: DocumentsOptions): Controller {
  const apis = sources.of<APIService & KubernetesObject>(apiServices);
  const behindService = new Set<string>();
  return controller({
    ...parts,
    // A server that does not answer is told by the condition of its APIService, not by the log again and again.
    log: { ...parts.log, warn: parts.log.debug },
    name,
    workers,
    retry,
    sources: [keysOf(apis, (item) => (item.object.spec.service !== undefined || behindService.has(item.name) ? [`/${item.name}`] : []))],
    reconcile: async (key) => {
      const { name: apiService } = splitKey(key);
      const isRemote = apis.get('', apiService)?.object.spec.service !== undefined;
      if (isRemote) behindService.add(apiService);
      else behindService.delete(apiService);
      await refresh(apiService);
      return isRemote ? { againMs: refreshEveryMs } : undefined;
    },
  });
}
