// A pod that was marked to be disrupted, and is neither gone nor going after a while, loses the mark.
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Clock } from '#base/clock.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import type { StoredPod } from '#controllers/disruption/budget-status.ts';

export interface StaleDisruptionOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

const markType = 'DisruptionTarget';
const staleAfterMs = 2 * 60_000;

export function staleDisruptions(options: StaleDisruptionOptions): Controller {
  const { client, clock } = options;
  const pods = options.sources.of<StoredPod>(kinds.pods);
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const pod = pods.get(namespace, name)?.object;
    const since = pod && markedSince(pod);
    if (since === undefined) return;
    const leftMs = since + staleAfterMs - clock.now().getTime();
    if (leftMs > 0) return { againMs: leftMs };
    await unlessGone(client.update(kinds.pods, withoutMark(pod as StoredPod, wholeSeconds(clock.now())), 'status'));
  };
  const sources = [keysOf(pods, (item) => (markedSince(item.object) === undefined ? [] : [sourceKey(item)]))];
  return controller({ ...options, name: 'stale_pod_disruption', sources, reconcile, retry: { firstMs: 5, maxMs: 1_000_000 } });
}

/** Undefined: no mark that could be stale. One that a kubelet set holds however long the pod takes. */
function markedSince({ metadata, status }: StoredPod): number | undefined {
  if (metadata.deletionTimestamp !== undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  const mark = status?.conditions?.find(({ type, status: is }) => type === markType && is === 'True');
  if (mark === undefined || mark.reason === 'TerminationByKubelet' || !mark.lastTransitionTime) return undefined;
  return Date.parse(mark.lastTransitionTime);
}

function withoutMark(pod: StoredPod, now: string): StoredPod {
  const conditions = (pod.status?.conditions ?? []).map((condition) =>
    condition.type === markType ? { type: markType, status: 'False', lastTransitionTime: now } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } } as StoredPod;
}
