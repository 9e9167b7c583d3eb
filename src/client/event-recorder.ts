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

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #told = new Map<string, { readonly name: string; count: number }>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  async record(regarding: KubernetesObject, happening: Happening): Promise<void> {
    const key = JSON.stringify([regarding.metadata.uid, happening]);
    const told = this.#told.get(key);
    if (told === undefined) this.#remember(key, await this.#create(regarding, happening));
    else await this.#count(namespaceOf(regarding), told);
  }

  async #create(regarding: KubernetesObject, happening: Happening): Promise<string> {
    const { client, controller, instance, suffix } = this.#options;
    const name = `${regarding.metadata.name}.${suffix()}`;
    await client.create(events, namespaceOf(regarding), {
      kind: 'Event',
      metadata: { name, namespace: namespaceOf(regarding) },
      eventTime: this.#now(),
      reportingController: controller,
      reportingInstance: instance,
      regarding: referenceTo(regarding),
      ...happening,
    });
    return name;
  }

  async #count(namespace: string, told: { readonly name: string; count: number }): Promise<void> {
    told.count++;
    const series = { count: told.count, lastObservedTime: this.#now() };
    await this.#options.client.patch(events, { namespace, name: told.name }, patchTypes.merge, { series });
  }

  #remember(key: string, name: string): void {
    this.#told.set(key, { name, count: 1 });
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
