// Flow control of one server, put together: fed from the caches, or the simple limits when it is switched off.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ApiServer } from '#app/api-server.ts';
import { followCache } from '#app/follow-cache.ts';
import type { ServerOptions } from '#app/options.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { keepDanglingCondition } from '#controllers/flow-schema-status.ts';
import type { Middleware } from '#server/front/exchange.ts';
import { FlowController } from '#server/flow-control/flow-controller.ts';
import { limitFlows } from '#server/flow-control/limit-flows.ts';
import { InFlight, limitInFlight } from '#server/flow-control/limit-in-flight.ts';
import type { ResourceSize } from '#server/flow-control/request-cost.ts';
import type { RequestInfo } from '#api/request-info.ts';
import type { World } from '#verbs/call.ts';

export interface FlowControl {
  readonly step: Middleware;
  /** Undefined in the simple mode. */
  readonly controller: FlowController | undefined;
  readonly inFlight: InFlight;
  /** Resolves when the stored objects count. */
  start(api: ApiServer, signal: AbortSignal): Promise<void>;
}

const group = 'flowcontrol.apiserver.k8s.io';
const reallotMs = 10_000;

export function buildFlowControl({ flags, requestTimeoutMs }: ServerOptions, clock: Clock, log: Log, world: () => World): FlowControl {
  const limits = { reads: flags.number('max-requests-inflight'), writes: flags.number('max-mutating-requests-inflight') };
  const inFlight = new InFlight();
  if (!flags.boolean('enable-priority-and-fairness')) {
    return { step: limitInFlight(limits, inFlight), controller: undefined, inFlight, start: async () => {} };
  }
  const controller = new FlowController({ seats: limits.reads + limits.writes, clock, timers: systemTimers, maxWaitMs: requestTimeoutMs / 4 });
  return {
    step: limitFlows(controller, (info) => sizeOf(world(), info)),
    controller,
    inFlight,
    start: (api, signal) => start(controller, { api, clock, log }, signal),
  };
}

function sizeOf({ caches, catalog }: World, { group, version, resource }: RequestInfo): ResourceSize | undefined {
  const definition = catalog.find(group, version, resource);
  if (definition === undefined) return undefined;
  const hub = catalog.hubOf(definition);
  if (hub.storage === undefined) return undefined;
  const cache = caches.get(hub);
  return { objects: cache.count, watchers: cache.watchers };
}

interface Parts {
  readonly api: ApiServer;
  readonly clock: Clock;
  readonly log: Log;
}

async function start(controller: FlowController, { api, clock, log }: Parts, signal: AbortSignal): Promise<void> {
  const { world, client } = api;
  const schemas = new Map<string, KubernetesObject>();
  const judge = (schema: KubernetesObject) => {
    const written = keepDanglingCondition(client, schema, (name) => controller.hasLevel(name), clock.now());
    // Somebody else has changed or deleted it: the event that says so brings us back.
    written.catch(
      (cause: unknown) => signal.aborted || isOvertaken(cause) || log.warn('the status of a flow schema could not be written', { cause: String(cause) }),
    );
  };
  const judgeAll = () => schemas.forEach(judge);
  const levels = { put: alsoDo(judgeAll, (object) => controller.putLevel(object)), drop: alsoDo(judgeAll, (object) => controller.dropLevel(object)) };
  await follow(world, 'prioritylevelconfigurations', levels, signal);
  await follow(
    world,
    'flowschemas',
    {
      put: (object) => {
        schemas.set(object.metadata.name ?? '', object);
        controller.putSchema(object);
        judge(object);
      },
      drop: (object) => {
        schemas.delete(object.metadata.name ?? '');
        controller.dropSchema(object);
      },
    },
    signal,
  );
  reallotUntil(controller, signal);
}

function alsoDo(after: () => void, first: (object: KubernetesObject) => void): (object: KubernetesObject) => void {
  return (object) => {
    first(object);
    after();
  };
}

async function follow(world: World, resource: string, follower: Parameters<typeof followCache>[2], signal: AbortSignal): Promise<void> {
  const definition = world.catalog.find(group, 'v1', resource);
  if (definition !== undefined) await followCache(world, definition, follower, signal);
}

function reallotUntil(controller: FlowController, signal: AbortSignal): void {
  const again = () => {
    if (signal.aborted) return;
    controller.reallot();
    systemTimers.after(reallotMs, again);
  };
  again();
}

function isOvertaken(cause: unknown): boolean {
  return cause instanceof ApiError && (cause.code === 404 || cause.code === 409);
}
