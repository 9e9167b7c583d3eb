import { hostname } from 'node:os';
import type { BuildController } from '#app/loops/registration.ts';
import { selectsDevice } from '#kinds/resource/v1/device-selector-expression.ts';
import { Scheduler } from '#scheduler/scheduler.ts';

export const buildScheduler: BuildController = ({ server: { reads }, loops: { log, timers, metrics }, client, behind }) =>
  new Scheduler({
    client,
    eventClient: behind,
    sources: reads.sources,
    clock: reads.clock,
    timers,
    log,
    random: Math.random,
    instance: `default-scheduler-${hostname()}`,
    selectsDevice,
    metrics: metrics.ofLoops,
  });
