// Plays Stages: follows the objects of every kind that a Stage is about, and does to them what the first Stage that fits says, when its time has
// come. Who may write Stages may do through them whatever the player may: nobody but administrators has that right by default.
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { mirror, type Sources } from '#api/source.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { KindPlayer } from '#nodes/stages/kind-player.ts';
import { type CompileExpression, type Stage, stageOf, type StoredStage } from '#nodes/stages/stage.ts';
import { stageGroup, stageVersion } from '#nodes/stages/stage-definition.ts';

export interface PlayStagesOptions {
  readonly log: Log;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sources: Sources;
  /** Does what Stages say. */
  readonly client: RestClient;
  readonly compile: CompileExpression;
  /** Undefined: the server has no such kind now. */
  readonly resourceOf: (apiVersion: string, kind: string) => Promise<ResourceAddress | undefined>;
}

export const stages: ResourceAddress = { group: stageGroup, version: stageVersion, resource: 'stages', namespaced: false };
/** A kind that is not served yet is asked for again. */
const unservedMs = 5_000;

/** Until `signal` aborts. */
export async function playStages(options: PlayStagesOptions, signal: AbortSignal): Promise<void> {
  await new StagePlayer(options, signal).run();
}

class StagePlayer {
  readonly #options: PlayStagesOptions;
  readonly #signal: AbortSignal;
  readonly #stages = new Map<string, Stage>();
  /** By apiVersion and kind. */
  readonly #players = new Map<string, KindPlayer>();
  readonly #wanted = new Set<string>();

  constructor(options: PlayStagesOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const follower = mirror<StoredStage>({ put: (stage) => this.#put(stage), drop: (_, name) => this.#drop(name) });
    await this.#options.sources.of<StoredStage>(stages).follow(follower, this.#signal);
  }

  #put(stored: StoredStage): void {
    const name = stored.metadata.name ?? '';
    const stage = stageOf(stored, this.#options.compile);
    void this.#tell(stored, typeof stage === 'string' ? stage : undefined);
    const before = this.#stages.get(name);
    if (typeof stage === 'string') this.#stages.delete(name);
    else this.#stages.set(name, stage);
    if (before !== undefined) this.#renew(kindOf(before));
    if (typeof stage !== 'string') this.#renew(kindOf(stage));
  }

  #drop(name: string): void {
    const before = this.#stages.get(name);
    this.#stages.delete(name);
    if (before !== undefined) this.#renew(kindOf(before));
  }

  #renew(kind: string): void {
    const own = [...this.#stages.values()].filter((stage) => kindOf(stage) === kind).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const player = this.#players.get(kind);
    if (player !== undefined) player.setStages(own);
    else if (own.length > 0) void this.#begin(kind);
  }

  async #begin(kind: string): Promise<void> {
    if (this.#wanted.has(kind)) return;
    this.#wanted.add(kind);
    const [apiVersion = '', name = ''] = kind.split(' ');
    const resource = await this.#options.resourceOf(apiVersion, name).catch(() => undefined);
    this.#wanted.delete(kind);
    if (this.#signal.aborted || this.#players.has(kind)) return;
    if (resource === undefined) return void this.#options.timers.after(unservedMs, () => this.#renew(kind));
    const player = new KindPlayer({ ...this.#options, resource, kind: name, apiVersion });
    this.#players.set(kind, player);
    this.#renew(kind);
    await player.run(this.#signal);
  }

  /** Whether it is played stands in its status. */
  async #tell(stage: StoredStage, problem: string | undefined): Promise<void> {
    const { client, clock, log } = this.#options;
    const said = problem === undefined ? { status: 'True', reason: 'Played', message: '' } : { status: 'False', reason: 'Invalid', message: problem };
    const before = stage.status?.conditions?.find(({ type }) => type === 'Accepted');
    const { lastTransitionTime: _, ...rest } = before ?? {};
    if (isDeepStrictEqual(rest, { type: 'Accepted', ...said })) return;
    const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : wholeSeconds(clock.now());
    const status = { conditions: [{ type: 'Accepted', ...said, lastTransitionTime }] };
    try {
      await client.update(stages, { ...stage, kind: 'Stage', status } as KubernetesObject, 'status');
    } catch (error) {
      // A Stage that changed or went meanwhile is told anew.
      if (!(error instanceof ApiError)) log.warn('the status of a Stage could not be written', { stage: stage.metadata.name, err: String(error) });
    }
  }
}

function kindOf({ apiVersion, kind }: Stage): string {
  return `${apiVersion} ${kind}`;
}
