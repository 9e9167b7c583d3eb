// The pod that a Job makes, with its completion index where it has one.
import type { KubernetesObject } from '#api/object.ts';
import { kinds } from '#client/kinds.ts';
import { failuresAnnotation, ignoredFailuresAnnotation, indexAnnotation, type JobPod, trackingFinalizer } from '#controllers/workloads/jobs/job-pod.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import { judgeFailure } from '#controllers/workloads/jobs/pod-failure-policy.ts';
import { podFromTemplate } from '#controllers/workloads/pod-writes.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

type Container = NonNullable<PodTemplateSpec['spec']['containers']>[number];

const indexVariable = 'JOB_COMPLETION_INDEX';
/** The server adds five letters. */
const longestPrefix = 58;

/** `replaced`: the pod of the same index that failed. */
export function podForJob(job: StoredJob, index?: number, replaced?: JobPod): KubernetesObject {
  const pod = podFromTemplate(kinds.jobs, job, job.spec?.template as PodTemplateSpec);
  const finalizers = pod.metadata.finalizers?.includes(trackingFinalizer) ? pod.metadata.finalizers : [...(pod.metadata.finalizers ?? []), trackingFinalizer];
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } };
  const { labels, annotations } = pod.metadata;
  const counts = job.spec?.backoffLimitPerIndex === undefined ? {} : failureCounts(job, replaced);
  const metadata = {
    ...pod.metadata,
    finalizers,
    generateName: indexedPrefix(job.metadata.name ?? '', index),
    labels: { ...labels, [indexAnnotation]: String(index) },
    annotations: { ...annotations, [indexAnnotation]: String(index), ...counts },
  };
  return { ...pod, metadata, spec: withIndex(pod.spec, `${job.metadata.name}-${index}`) };
}

function indexedPrefix(name: string, index: number): string {
  const suffix = `-${index}-`;
  return name.length + suffix.length > longestPrefix ? name.slice(0, longestPrefix - suffix.length) + suffix : name + suffix;
}

function failureCounts(job: StoredJob, replaced: JobPod | undefined): Readonly<Record<string, string>> {
  if (replaced === undefined) return { [failuresAnnotation]: '0' };
  const { isCounted } = judgeFailure(job, replaced);
  const failures = replaced.failures + (isCounted ? 1 : 0);
  const ignored = replaced.ignoredFailures + (isCounted ? 0 : 1);
  return { [failuresAnnotation]: String(failures), ...(ignored > 0 && { [ignoredFailuresAnnotation]: String(ignored) }) };
}

function withIndex(spec: PodTemplateSpec['spec'], hostname: string): PodTemplateSpec['spec'] {
  const { containers = [], initContainers } = spec;
  return { ...spec, hostname, containers: containers.map(withVariable), ...(initContainers && { initContainers: initContainers.map(withVariable) }) };
}

function withVariable(container: Container): Container {
  if (container.env?.some(({ name }) => name === indexVariable)) return container;
  const fieldRef = { fieldPath: `metadata.labels['${indexAnnotation}']` };
  return { ...container, env: [...(container.env ?? []), { name: indexVariable, valueFrom: { fieldRef } }] } as Container;
}
