// The Stages of one kind, played on its objects.
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import { CoreEventRecorder } from '#client/core-event-recorder.ts';
import { patchTypes, type ResourceAddress, type RestClient } from '#client/rest-client.ts';
import { PlayQueue } from '#nodes/play-queue.ts';
import type { Stage, StageEffect } from '#nodes/stages/stage.ts';

export interface KindPlayerOptions {
  readonly log: Log;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sources: Sources;
  readonly client: RestClient;
  readonly resource: ResourceAddress;
  readonly kind: string;
  readonly apiVersion: string;
}

/** The Stage that is next for an object. */
interface Pending {
  readonly stage: Stage;
  readonly at: number;
}

const workers = 4;
/** A Stage that fits again as soon as it was played comes again after this time at the earliest: a mistake must not occupy the server. */
const leastRepeatMs = 1_000;

export class KindPlayer {
  readonly #options: KindPlayerOptions;
  readonly #source: Source;
  readonly #events: CoreEventRecorder;
  readonly #queue: PlayQueue;
  readonly #pending = new Map<string, Pending>();
  /** What was played last, and the version that it led to. */
  readonly #played = new Map<string, { readonly stage: Stage; readonly version: string; readonly at: number }>();
  #stages: readonly Stage[] = [];

  constructor(options: KindPlayerOptions) {
    const { sources, timers, clock, client, log, resource, kind } = options;
    this.#options = options;
    this.#source = sources.of(resource);
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'binnacle-stages' });
    this.#queue = new PlayQueue({
      timers,
      clock,
      retry: { firstMs: 100, maxMs: 30_000 },
      workers,
      play: (key) => this.#look(key),
      onFailure: (object, error) => log.warn('a Stage could not be played', { kind, object, err: String(error) }),
    });
  }

  /** In the order in which they are tried. */
  setStages(all: readonly Stage[]): void {
    this.#stages = all;
    this.#pending.clear();
    for (const item of this.#source.list()) this.#queue.add(sourceKey(item));
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#queue.run(
      this.#source,
      {
        begin: (all) => all.forEach((item) => this.#queue.add(sourceKey(item))),
        change: (type, item) => (type === 'DELETED' ? this.#forget(sourceKey(item)) : this.#queue.add(sourceKey(item))),
      },
      signal,
    );
  }

  #forget(key: string): void {
    this.#pending.delete(key);
    this.#played.delete(key);
    this.#queue.due.delete(key);
  }

  async #look(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const object = this.#source.get(namespace, name)?.object;
    if (object === undefined) return this.#forget(key);
    const time = this.#options.clock.now();
    const now = time.getTime();
    const stage = this.#stages.find((one) => one.fits(object, time));
    const played = this.#played.get(key);
    // Nothing came of it: it would come to nothing again.
    const isVain = played?.stage === stage && played?.version === object.metadata.resourceVersion;
    if (stage === undefined || isVain) return void this.#pending.delete(key);
    const known = this.#pending.get(key);
    const pending = known?.stage === stage ? known : { stage, at: this.#timeFor(stage, played, now) };
    this.#pending.set(key, pending);
    if (pending.at > now) return this.#queue.due.set(key, pending.at);
    this.#pending.delete(key);
    const version = await this.#play(stage, object, time);
    this.#played.set(key, { stage, version, at: now });
  }

  #timeFor({ afterMs, jitterMs, name }: Stage, played: { readonly stage: Stage; readonly at: number } | undefined, now: number): number {
    const at = now + afterMs + Math.floor(this.#options.random() * jitterMs);
    return played?.stage.name === name ? Math.max(at, played.at + leastRepeatMs) : at;
  }

  /** Returns the version of the object that it led to. */
  async #play(stage: Stage, object: KubernetesObject, now: Date): Promise<string> {
    const { client, resource, kind, apiVersion } = this.#options;
    const { effect } = stage;
    const { namespace = '', name = '', uid, resourceVersion = '' } = object.metadata;
    if (effect.event) this.#events.event({ ...object, apiVersion, kind }, effect.event.type ?? 'Normal', effect.event.reason, effect.event.message);
    let version = resourceVersion;
    const patch = async (body: object, subresource = '') => {
      const written = await client.patch(resource, { namespace, name, subresource }, patchTypes.merge, body);
      version = written.metadata.resourceVersion ?? version;
    };
    const status = stage.statusPatch(object, now);
    if (effect.patch) await patch(effect.patch);
    if (status) await patch({ metadata: { uid }, status }, 'status');
    const finalizers = finalizersAfter(object, effect);
    if (effect.delete) await client.delete(resource, namespace, name, { preconditions: { uid } });
    // Last: an object that is being deleted goes with its last finalizer.
    if (finalizers) await patch({ metadata: { uid, finalizers } });
    return version;
  }
}

/** Undefined: they stay as they are. */
function finalizersAfter(
  { metadata: { finalizers = [] } }: KubernetesObject,
  { addFinalizers = [], removeFinalizers = [] }: StageEffect,
): readonly string[] | undefined {
  const after = [...finalizers.filter((name) => !removeFinalizers.includes(name)), ...addFinalizers.filter((name) => !finalizers.includes(name))];
  return after.length === finalizers.length && after.every((name, index) => name === finalizers[index]) ? undefined : after;
}
