// When the change happened that endpoints are written for: the earliest change of a pod, or the creation of the Service, since the controller
// last looked. Clients measure with it how long a change takes to reach them.
import { sourceKey } from '#api/source.ts';
import { readySince, type StoredPod, type StoredService } from '#controllers/endpoints/pod-endpoint.ts';

interface Seen {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** Undefined: nothing new has happened that has a time. Times are RFC 3339 in UTC, so that they compare as texts. */
  next({ metadata }: StoredService, pods: readonly StoredPod[]): string | undefined {
    const key = sourceKey({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
    const before = this.#seen.get(key);
    const created = metadata.creationTimestamp ?? '';
    const now = new Map<string, string>();
    const changed: string[] = created > (before?.service ?? '') ? [created] : [];
    for (const pod of pods) {
      const since = readySince(pod);
      if (since === undefined) continue;
      const name = pod.metadata.name ?? '';
      now.set(name, since);
      if (since > (before?.pods.get(name) ?? '')) changed.push(since);
    }
    this.#seen.set(key, { service: created, pods: now });
    return before === undefined ? created : changed.sort()[0];
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}
