// What the scheduler tells as Events of events.k8s.io. Nothing waits for them.
import type { KubernetesObject } from '#api/object.ts';
import type { Log } from '#base/log.ts';
import type { EventRecorder, Happening } from '#client/event-recorder.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';

/** Longer notes are refused. */
const longestNote = 1024;

export class SchedulerEvents {
  readonly #recorder: EventRecorder;
  readonly #log: Log;

  constructor(recorder: EventRecorder, log: Log) {
    this.#recorder = recorder;
    this.#log = log;
  }

  scheduled(pod: PodFacts, nodeName: string): void {
    this.#tell(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', note: `Successfully assigned ${pod.key} to ${nodeName}` });
  }

  failed(pod: PodFacts, message: string): void {
    this.#tell(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: cut(message) });
  }

  preempted(victim: PodFacts, pod: PodFacts, nodeName: string): void {
    const note = `Preempted by pod ${pod.uid} on node ${nodeName}`;
    this.#tell(victim, { type: 'Normal', reason: 'Preempted', action: 'Preempting', note }, pod);
  }

  #tell(pod: PodFacts, happening: Happening, related?: PodFacts): void {
    this.#recorder.record(brief(pod), happening, related && brief(related)).catch((error: unknown) => {
      if (isNamespaceEnding(error)) return;
      this.#log.warn('an event could not be written', { reason: happening.reason, pod: pod.name, err: String(error) });
    });
  }
}

/** What an Event names of a pod: many of them wait to be written, and none of them may keep its pod alive. */
function brief({ namespace, name, uid, resourceVersion }: PodFacts): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, uid, ...(resourceVersion !== undefined && { resourceVersion }) } };
}

function cut(message: string): string {
  return message.length <= longestNote ? message : `${message.slice(0, longestNote - 4)} ...`;
}
