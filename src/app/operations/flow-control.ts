// Flow control of one server, put together: fed from the caches, or the simple limits when it is switched off.
import { type Follower, mirror, type Sources } from '#api/source.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Reads } from '#app/reads.ts';
import type { Timers } from '#base/timers.ts';
import type { Middleware } from '#server/front/exchange.ts';
import { FlowController } from '#server/flow-control/flow-controller.ts';
import { limitFlows } from '#server/flow-control/limit-flows.ts';
import { InFlight, limitInFlight } from '#server/flow-control/limit-in-flight.ts';
import type { ResourceSize } from '#server/flow-control/request-cost.ts';
import type { RequestInfo } from '#api/request-info.ts';

export interface FlowControl {
  readonly step: Middleware;
  /** Undefined in the simple mode. */
  readonly controller: FlowController | undefined;
  readonly inFlight: InFlight;
  /** Resolves when the stored objects count. */
  start(signal: AbortSignal): Promise<void>;
}

const group = 'flowcontrol.apiserver.k8s.io';
const reallotMs = 10_000;

export function buildFlowControl({ flags, requestTimeoutMs }: ServerOptions, reads: Reads): FlowControl {
  const { clock, timers, sources } = reads;
  const limits = { reads: flags.number('max-requests-inflight'), writes: flags.number('max-mutating-requests-inflight') };
  const inFlight = new InFlight();
  if (!flags.boolean('enable-priority-and-fairness')) {
    return { step: limitInFlight(limits, inFlight), controller: undefined, inFlight, start: async () => {} };
  }
  const controller = new FlowController({ seats: limits.reads + limits.writes, clock, timers, maxWaitMs: requestTimeoutMs / 4 });
  return {
    step: limitFlows(controller, (info) => sizeOf(reads, info)),
    controller,
    inFlight,
    start: (signal) => start(controller, sources, timers, signal),
  };
}

function sizeOf({ caches, catalog }: Reads, { group, version, resource }: RequestInfo): ResourceSize | undefined {
  const definition = catalog.find(group, version, resource);
  if (definition === undefined) return undefined;
  const hub = catalog.hubOf(definition);
  if (hub.storage === undefined) return undefined;
  const cache = caches.started(hub);
  return cache && { objects: cache.count, watchers: cache.watchers };
}

async function start(controller: FlowController, sources: Sources, timers: Timers, signal: AbortSignal): Promise<void> {
  const follow = (resource: string, follower: Follower) => sources.of({ group, resource }).follow(follower, signal);
  const named = (name: string) => ({ metadata: { name } });
  await follow('prioritylevelconfigurations', mirror({ put: (object) => controller.putLevel(object), drop: (_, name) => controller.dropLevel(named(name)) }));
  await follow('flowschemas', mirror({ put: (object) => controller.putSchema(object), drop: (_, name) => controller.dropSchema(named(name)) }));
  reallotUntil(controller, timers, signal);
}

function reallotUntil(controller: FlowController, timers: Timers, signal: AbortSignal): void {
  const again = () => {
    if (signal.aborted) return;
    controller.reallot();
    timers.after(reallotMs, again);
  };
  again();
}
