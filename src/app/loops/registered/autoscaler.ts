import type { BuildController } from '#app/loops/registration.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import { autoscalerController } from '#controllers/pod-autoscaler/autoscaler-controller.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';

export const buildAutoscaler: BuildController = ({ server: { reads, options }, loops, client }) =>
  autoscalerController({
    ...loops,
    client,
    sources: reads.sources,
    clock: reads.clock,
    periodMs: options.flags.durationMs('horizontal-pod-autoscaler-sync-period'),
    resourceOf: (group, kind) => resourceOf(reads.catalog, group, kind),
    scalesToZero: reads.gate('HPAScaleToZero'),
  });

/** In the first of the group's versions that serves the kind. */
function resourceOf(catalog: ResourceCatalog, group: string, kind: string): ResourceAddress | undefined {
  const { versions = [] } = catalog.groups().find(({ name }) => name === group) ?? {};
  const [found] = versions.flatMap((version) => catalog.byKind(group, version, kind) ?? []);
  return found && { group, version: found.version, resource: found.plural, namespaced: found.namespaced };
}
