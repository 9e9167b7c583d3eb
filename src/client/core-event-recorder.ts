// Tells what a controller did to an object, or why it could not, as an Event of the core group: what client-go's record.EventRecorder writes
// and `kubectl describe` shows. What happens again is counted on the Event that told it first, and who tells too much is held back
// (event-correlator.ts). Nothing waits for an Event, and a lost one is only logged: it must never hold a controller up.
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type CorrelatedEvent, EventCorrelator } from '#client/event-correlator.ts';
import { patchTypes, type ResourceAddress, type RestClient } from '#client/rest-client.ts';

export interface CoreEventRecorderOptions {
  readonly client: RestClient;
  /** `source.component`: the controller's name. */
  readonly component: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Objects of lists and sources may have lost their type. */
export interface Regarding extends KubernetesObject {
  readonly kind: string;
}

const events: ResourceAddress = { group: '', version: 'v1', resource: 'events', namespaced: true };
/** Of Events that are remembered, so that repetitions can be counted; client-go keeps as many. */
const maxRemembered = 4_096;

interface Told {
  readonly name: string;
  count: number;
}

export class CoreEventRecorder {
  readonly #options: CoreEventRecorderOptions;
  readonly #correlator: EventCorrelator;
  readonly #told = new Map<string, Told>();
  /** Writes of one recorder come in order, so that a count never overtakes its Event. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: CoreEventRecorderOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(() => options.clock.now().getTime());
  }

  event(regarding: Regarding, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const involvedObject = referenceTo(regarding);
    const about = JSON.stringify({ ...involvedObject, resourceVersion: undefined });
    const said = this.#correlator.correlate({ about, type, reason, message });
    if (said === undefined) return;
    const write = () => this.#write({ involvedObject, type, reason }, said);
    this.#last = this.#last.then(write).catch((error: unknown) => this.#complain(regarding, reason, error));
  }

  async #write(what: { readonly involvedObject: Reference; readonly type: string; readonly reason: string }, said: CorrelatedEvent): Promise<void> {
    const { name: about, namespace: place } = what.involvedObject;
    const told = this.#told.get(said.key);
    // Events of what belongs to no namespace lie in `default`.
    const namespace = place || 'default';
    if (told !== undefined && (await this.#count(namespace, told, said))) return;
    const now = this.#options.clock.now();
    const name = `${about}.${(BigInt(now.getTime()) * 1_000_000n + BigInt(this.#told.size % 1_000_000)).toString(16)}`;
    const at = wholeSeconds(now);
    const { component } = this.#options;
    const times = { firstTimestamp: at, lastTimestamp: at, count: 1 };
    // The original names no reporter of what it has combined.
    const by = { source: { component }, reportingComponent: said.isCombined ? '' : component, reportingInstance: '' };
    const event = { kind: 'Event', metadata: { name, namespace }, ...what, message: said.message, ...by, ...times, eventTime: null };
    await this.#options.client.createBriefly(events, namespace, event);
    this.#remember(said.key, { name, count: 1 });
  }

  /** False: the Event has expired meanwhile, and is told anew. */
  async #count(namespace: string, told: Told, { isCombined, message }: CorrelatedEvent): Promise<boolean> {
    const { client, clock } = this.#options;
    const patch = { count: told.count + 1, lastTimestamp: wholeSeconds(clock.now()), ...(isCombined && { message }) };
    try {
      await client.patch(events, { namespace, name: told.name }, patchTypes.strategic, patch);
      told.count++;
      return true;
    } catch {
      return false;
    }
  }

  #remember(key: string, told: Told): void {
    this.#told.set(key, told);
    const [oldest] = this.#told.keys();
    if (this.#told.size > maxRemembered && oldest !== undefined) this.#told.delete(oldest);
  }

  #complain({ kind, metadata }: Regarding, reason: string, error: unknown): void {
    this.#options.log.debug('an event could not be recorded', { kind, name: metadata.name, reason, err: String(error) });
  }
}

/** A reference as client-go makes it, for an object of a known resource. */
export function regarding(address: Pick<ResourceAddress, 'group' | 'version'> & { readonly kind: string }, object: KubernetesObject): Regarding {
  return { ...object, apiVersion: apiVersionOf(address), kind: address.kind };
}

interface Reference {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string | undefined;
  readonly uid: string | undefined;
  readonly apiVersion: string | undefined;
  readonly resourceVersion: string | undefined;
}

function referenceTo({ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }: Regarding): Reference {
  return { kind, ...(namespace && { namespace }), name, uid, apiVersion, resourceVersion };
}
