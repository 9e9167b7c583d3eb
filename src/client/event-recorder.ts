// Tells what happened to an object, as an Event that `kubectl describe` shows. What happens again is counted, not told again.
import type { KubernetesObject } from '#api/object.ts';
import type { Clock } from '#base/clock.ts';
import { patchTypes, type ResourceAddress, type RestClient } from '#client/rest-client.ts';

export interface EventRecorderOptions {
  readonly client: RestClient;
  /** `example.com/my-controller` */
  readonly controller: string;
  /** Which of its processes. */
  readonly instance: string;
  readonly clock: Clock;
  /** A new name each time. */
  readonly suffix: () => string;
  /** Repetitions are written no more often than this; in between they are only counted. Absent: each is written. */
  readonly quietMs?: number;
}

export interface Happening {
  readonly type: 'Normal' | 'Warning';
  /** In one word: `Created`, `FailedMount`. */
  readonly reason: string;
  /** What was done about it: `Scheduling`. */
  readonly action: string;
  readonly note: string;
}

const events: ResourceAddress = { group: 'events.k8s.io', version: 'v1', resource: 'events', namespaced: true };
/** Of happenings that are remembered, so that they can be counted. */
const maxRemembered = 1_000;

interface Told {
  readonly name: string;
  count: number;
  /** When the count was last written. */
  written: number;
}

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #told = new Map<string, Told>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** `related`: another object that it is about too. */
  async record(regarding: KubernetesObject, happening: Happening, related?: KubernetesObject): Promise<void> {
    const key = JSON.stringify([regarding.metadata.uid, happening, related?.metadata.uid]);
    const told = this.#told.get(key);
    if (told === undefined) this.#remember(key, await this.#create(regarding, happening, related));
    else await this.#count(namespaceOf(regarding), told);
  }

  async #create(regarding: KubernetesObject, happening: Happening, related: KubernetesObject | undefined): Promise<string> {
    const { client, controller, instance, suffix } = this.#options;
    const name = `${regarding.metadata.name}.${suffix()}`;
    await client.createBriefly(events, namespaceOf(regarding), {
      kind: 'Event',
      metadata: { name, namespace: namespaceOf(regarding) },
      eventTime: this.#now(),
      reportingController: controller,
      reportingInstance: instance,
      regarding: referenceTo(regarding),
      ...(related && { related: referenceTo(related) }),
      ...happening,
    });
    return name;
  }

  async #count(namespace: string, told: Told): Promise<void> {
    const { clock, quietMs = 0 } = this.#options;
    told.count++;
    if (told.count > 2 && clock.now().getTime() - told.written < quietMs) return;
    told.written = clock.now().getTime();
    const series = { count: told.count, lastObservedTime: this.#now() };
    await this.#options.client.patch(events, { namespace, name: told.name }, patchTypes.merge, { series });
  }

  #remember(key: string, name: string): void {
    this.#told.set(key, { name, count: 1, written: this.#options.clock.now().getTime() });
    const [oldest] = this.#told.keys();
    if (this.#told.size > maxRemembered && oldest !== undefined) this.#told.delete(oldest);
  }

  #now(): string {
    return this.#options.clock.now().toISOString().replace('Z', '000Z');
  }
}

/** Events of what belongs to no namespace lie in `default`. */
function namespaceOf({ metadata }: KubernetesObject): string {
  return metadata.namespace || 'default';
}

function referenceTo({ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }: KubernetesObject): object {
  return { apiVersion, kind, name, namespace, uid, resourceVersion };
}
