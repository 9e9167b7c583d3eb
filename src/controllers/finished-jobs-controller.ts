// Deletes a Job that has finished, in the foreground, when its ttlSecondsAfterFinished has passed.
import type { KubernetesObject } from '#api/object.ts';
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { exponentialBuckets } from '#base/metric-set.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import type { Job } from '#kinds/batch/v1/job.ts';

export interface FinishedJobsOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

type StoredJob = Job & KubernetesObject;

export function finishedJobs(options: FinishedJobsOptions): Controller {
  const { client, clock } = options;
  const jobs = options.sources.of<StoredJob>(kinds.jobs);
  const remainingMs = (job: StoredJob | undefined) => {
    const expiry = job && expiryOf(job);
    return expiry === undefined ? undefined : expiry - clock.now().getTime();
  };
  const durations = options.metrics.ofLoops.histogram({
    name: 'ttl_after_finished_controller_job_deletion_duration_seconds',
    help: 'Time from the end of the time to live of a Job to its deletion',
    buckets: exponentialBuckets(0.1, 2, 14),
  });
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const known = remainingMs(jobs.get(namespace, name)?.object);
    if (known === undefined) return;
    if (known > 0) return { againMs: known };
    // The time to live may have been changed meanwhile.
    const job = await client.find<StoredJob>(kinds.jobs, namespace, name);
    const left = remainingMs(job);
    if (job === undefined || left === undefined) return;
    if (left > 0) return { againMs: left };
    await unlessGone(client.delete(kinds.jobs, namespace, name, { propagationPolicy: 'Foreground', preconditions: { uid: job.metadata.uid } }));
    durations.at().observe(-left / 1_000);
  };
  const sources = [keysOf(jobs, (item) => (expiryOf(item.object) === undefined ? [] : [sourceKey(item)]))];
  return controller({ ...options, name: 'ttl-after-finished-controller', sources, reconcile, workers: 5, retry: { firstMs: 5, maxMs: 1_000_000 } });
}

/** In milliseconds since the epoch; undefined: the Job has not finished (or not said when), has no time to live, or goes already. */
export function expiryOf({ metadata, spec, status }: StoredJob): number | undefined {
  const ttl = spec?.ttlSecondsAfterFinished;
  if (ttl === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const finished = status?.conditions?.find(({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True');
  return finished?.lastTransitionTime ? Date.parse(finished.lastTransitionTime) + ttl * 1_000 : undefined;
}
