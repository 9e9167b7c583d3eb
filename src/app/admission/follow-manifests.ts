// Static manifests under a running server: read again when their directories change, and counted.
import type { StaticManifests } from '#admission/manifests/static-manifests.ts';
import type { FollowParts } from '#app/access/access-files.ts';
import { serverIdentity } from '#app/loops/server-facts.ts';
import { ReloadMetrics, reloadMetrics } from '#app/operations/reload-metrics.ts';
import { followFiles } from '#base/live-value.ts';
import type { Metric } from '#base/metrics.ts';

/** What is counted about them; nothing when there are none. */
export function followManifests(manifests: readonly StaticManifests[], { clock, timers, log, signal }: FollowParts): readonly Metric[] {
  if (manifests.length === 0) return [];
  const identity = serverIdentity();
  const counted = new Map(manifests.map((each) => [each, new ReloadMetrics({ identity, clock, config: each.hash, labels: { plugin: each.plugin } })]));
  for (const [{ hash }, metrics] of counted) metrics.record('success', hash);
  followFiles(manifests, {
    timers,
    signal,
    onRefreshed: (each, refreshed) => {
      counted.get(each)?.record(refreshed.outcome === 'changed' ? 'success' : 'failure', each.hash);
      if (refreshed.outcome === 'changed') log.info('reloaded manifest config', { plugin: each.plugin });
      else log.error('reloading manifest config', { plugin: each.plugin, why: refreshed.problem instanceof Error ? refreshed.problem.message : '' });
    },
  });
  return reloadMetrics('manifest_admission', 'ALPHA', [...counted.values()]);
}
