// The checks behind /healthz, /livez and /readyz, in the order in which they are listed.
import type { Timers } from '#base/timers.ts';
import { everyEndpoint, type HealthCheck } from '#server/health/health-checks.ts';
import type { PostStartHooks } from '#server/health/post-start-hooks.ts';
import type { Places } from '#store/places.ts';
import type { Store } from '#store/store.ts';

export interface HealthParts {
  readonly hooks: PostStartHooks;
  readonly places: Places;
  readonly stopping: () => boolean;
  /** Of the providers that encrypt what is stored. */
  readonly encryption?: readonly HealthCheck[];
  readonly timers: Timers;
  /** How long the store may take: for being well, and for being ready. */
  readonly storeTimeoutMs: { readonly health: number; readonly readiness: number };
}

export function startupChecks({ hooks, places, stopping, timers, storeTimeoutMs, encryption = [] }: HealthParts): readonly HealthCheck[] {
  // Clients know the store by the name of the one that upstream has. It is well when it can be read and its last write did not fail:
  // a failed one is tried again by whoever writes next, our own identity lease at the latest.
  const storeProblem = (store: Store, timeoutMs: number) => async () => {
    try {
      const revision = store.revision();
      if (revision instanceof Promise) await inTime(timers, timeoutMs, revision);
      return store.writeError()?.message;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const { store: main } = places.main;
  const overrides = places.others.flatMap(({ store }, index): HealthCheck[] => [
    { name: `etcd-override-${index}`, endpoints: everyEndpoint, problem: storeProblem(store, storeTimeoutMs.health) },
    { name: `etcd-override-readiness-${index}`, endpoints: ['readyz'], problem: storeProblem(store, storeTimeoutMs.readiness) },
  ]);
  const registered = () => (hooks.unfinished.includes('kube-apiserver-autoregistration') ? 'missing APIService' : undefined);
  const synced = () => (hooks.unfinished.includes('generic-apiserver-start-informers') ? 'informers not started yet' : undefined);
  return [
    { name: 'ping', endpoints: everyEndpoint, problem: fine },
    { name: 'log', endpoints: everyEndpoint, problem: fine },
    { name: 'loopback-serving-certificate', endpoints: ['healthz', 'livez'], problem: fine },
    { name: 'etcd', endpoints: everyEndpoint, problem: storeProblem(main, storeTimeoutMs.health) },
    { name: 'etcd-readiness', endpoints: ['readyz'], problem: storeProblem(main, storeTimeoutMs.readiness) },
    ...overrides,
    ...encryption,
    { name: 'informer-sync', endpoints: ['readyz'], problem: synced },
    ...hooks.checks(registered),
    { name: 'shutdown', endpoints: ['readyz'], problem: () => (stopping() ? 'process is shutting down' : undefined) },
  ];
}

function inTime<T>(timers: Timers, timeoutMs: number, awaited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs} ms`)));
    awaited.then(resolve, reject).finally(cancel);
  });
}

/** An answer at all is the proof: the in-process transport needs no certificate, and the log no flushing. */
function fine(): undefined {
  return undefined;
}
