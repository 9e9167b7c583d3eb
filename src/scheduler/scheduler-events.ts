// What the scheduler tells as Events of events.k8s.io. Nothing waits for them.
import type { KubernetesObject } from '#api/object.ts';
import type { Log } from '#base/log.ts';
import type { EventRecorder, Happening } from '#client/event-recorder.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import type { StoredPod } from '#scheduler/cluster/pod-facts.ts';

/** Longer notes are refused. */
const longestNote = 1024;

export class SchedulerEvents {
  readonly #recorder: EventRecorder;
  readonly #log: Log;

  constructor(recorder: EventRecorder, log: Log) {
    this.#recorder = recorder;
    this.#log = log;
  }

  scheduled(pod: StoredPod, nodeName: string): void {
    const { namespace, name } = pod.metadata;
    this.#tell(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', note: `Successfully assigned ${namespace}/${name} to ${nodeName}` });
  }

  failed(pod: StoredPod, message: string): void {
    this.#tell(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: cut(message) });
  }

  preempted(victim: StoredPod, pod: StoredPod, nodeName: string): void {
    const note = `Preempted by pod ${pod.metadata.uid} on node ${nodeName}`;
    this.#tell(victim, { type: 'Normal', reason: 'Preempted', action: 'Preempting', note }, pod);
  }

  #tell(pod: StoredPod, happening: Happening, related?: StoredPod): void {
    this.#recorder.record(typed(pod), happening, related && typed(related)).catch((error: unknown) => {
      if (isNamespaceEnding(error)) return;
      this.#log.warn('an event could not be written', { reason: happening.reason, pod: pod.metadata.name, err: String(error) });
    });
  }
}

/** Objects of sources have lost their type. */
function typed(pod: StoredPod): KubernetesObject {
  return { ...pod, apiVersion: 'v1', kind: 'Pod' };
}

function cut(message: string): string {
  return message.length <= longestNote ? message : `${message.slice(0, longestNote - 4)} ...`;
}
