// Pods that a Job no longer counts lose the finalizer that held them for it: their Job is gone or finished, or they belong to none.
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import { type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import { controllerOf } from '#controllers/workloads/controlled-objects.ts';
import { isTracked, trackingFinalizer } from '#controllers/workloads/jobs/job-pod.ts';
import { isFinished, isManagedByOther, type StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import { type ControlledPods, controlledPods, type PodView, type StoredPod } from '#controllers/workloads/pod-view.ts';

export interface OrphanedJobPodsOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
}

export function orphanedJobPods(options: OrphanedJobPodsOptions): Controller {
  const { client, sources } = options;
  const jobs = sources.of<StoredJob>(kinds.jobs);
  const pods = controlledPods(sources);
  const live = sources.of<StoredPod>(kinds.pods);
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const pod = live.get(namespace, name)?.object;
    if (pod === undefined || !isTracked(pod.metadata.finalizers) || isCounted(pod, jobs)) return;
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
    await unlessGone(client.patch(kinds.pods, { namespace, name }, patchTypes.strategic, patch));
  };
  const byPods = pods.keys((_before, after) => (after !== undefined && mayBeOrphan(after) ? [sourceKey(after)] : []));
  const byJobs = keysOf(jobs, (item, type) => (type === 'DELETED' || isFinished(item.object) ? podsOf(item, pods) : []));
  return controller({ ...options, name: 'job_orphan_pod', sources: [byPods, byJobs], reconcile, retry: { firstMs: 1_000, maxMs: 60_000 } });
}

function mayBeOrphan({ controller: by, isDeleting }: PodView): boolean {
  return by === undefined || (by.kind === 'Job' && isDeleting);
}

function podsOf({ namespace, object: { metadata, spec } }: SourceItem<StoredJob>, pods: ControlledPods): readonly string[] {
  const selector = labelSelectorFrom(spec?.selector as LabelSelectorObject | undefined);
  const orphans = pods.orphansIn(namespace).filter(({ labels }) => selector.matches(labels));
  return [...pods.controlledBy(metadata.uid ?? ''), ...orphans].map(sourceKey);
}

/** A Job that has not finished will count it, or another controller will. */
function isCounted({ metadata }: StoredPod, jobs: Source<StoredJob>): boolean {
  const owner = controllerOf(metadata);
  if (owner === undefined) return false;
  if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return true;
  const job = jobs.get(metadata.namespace ?? '', owner.name)?.object;
  return job !== undefined && job.metadata.uid === owner.uid && (isManagedByOther(job) || !isFinished(job));
}
