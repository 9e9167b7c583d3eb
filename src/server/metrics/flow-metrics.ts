import type { Histogram, Metric, Sample } from '#base/metrics.ts';
import type { SchemaCounts } from '#server/flow-control/flow-counts.ts';
import type { FlowController } from '#server/flow-control/flow-controller.ts';
import type { PriorityLevel } from '#server/flow-control/priority-level.ts';
import { metric } from '#server/metrics/request-metrics.ts';

const prefix = 'apiserver_flowcontrol_';

/** Read off the levels when asked. */
export function flowMetrics(controller: FlowController): readonly Metric[] {
  const levels = (of: (level: PriorityLevel) => number) => () =>
    [...controller.levels].map((level) => ({ labels: { priority_level: level.name }, value: of(level) }));
  const schemas = (of: (counts: SchemaCounts, labels: Record<string, string>) => readonly Sample[]) => () =>
    [...controller.levels].flatMap((level) =>
      [...level.counts.bySchema].flatMap(([schema, counts]) => of(counts, { priority_level: level.name, flow_schema: schema })),
    );
  const gauge = (of: (counts: SchemaCounts) => number) => schemas((counts, labels) => [{ labels, value: of(counts) }]);
  const levelGauge = (name: string, help: string, of: (level: PriorityLevel) => number) => metric(`${prefix}${name}`, 'gauge', 'ALPHA', help, levels(of));
  const schemaHistogram = (name: string, help: string, of: (counts: SchemaCounts) => Histogram, more: Readonly<Record<string, string>> = {}) =>
    metric(
      `${prefix}${name}`,
      'histogram',
      'ALPHA',
      help,
      schemas((counts, labels) => [...of(counts).samples({ ...labels, ...more })]),
    );
  return [
    metric(
      `${prefix}nominal_limit_seats`,
      'gauge',
      'BETA',
      'Seats of a level by its shares',
      levels(({ nominal }) => nominal),
    ),
    metric(
      `${prefix}current_limit_seats`,
      'gauge',
      'ALPHA',
      'Seats of a level right now, with what it lends and borrows',
      levels(({ limit }) => limit),
    ),
    metric(
      `${prefix}demand_seats_smoothed`,
      'gauge',
      'ALPHA',
      'Seats that a level wanted lately',
      levels(({ smoothedDemand }) => smoothedDemand),
    ),
    levelGauge('lower_limit_seats', 'Seats that a level never lends', ({ lower }) => lower),
    levelGauge('upper_limit_seats', 'Most seats that a level can have', ({ upper }) => upper),
    levelGauge('target_seats', 'Seats that a level should have by what it wanted', ({ limit }) => limit),
    levelGauge('demand_seats_high_watermark', 'Most seats wanted at once in the last period', ({ lastDemand }) => lastDemand.highest),
    levelGauge('demand_seats_average', 'Seats wanted in the last period on average', ({ lastDemand }) => lastDemand.average),
    levelGauge('demand_seats_stdev', 'How much the seats wanted in the last period varied', ({ lastDemand }) => lastDemand.deviation),
    metric('apiserver_current_inqueue_requests', 'gauge', 'ALPHA', 'Requests that wait for flow control right now', () => [
      { labels: { request_kind: 'all' }, value: [...controller.levels].reduce((sum, { waiting }) => sum + waiting, 0) },
    ]),
    metric(
      `${prefix}current_inqueue_seats`,
      'gauge',
      'ALPHA',
      'Seats that waiting requests will take',
      gauge(({ waitingSeats }) => waitingSeats),
    ),
    schemaHistogram('work_estimated_seats', 'Seats that requests were taken to need', ({ estimatedSeats }) => estimatedSeats),
    schemaHistogram('request_execution_seconds', 'Time with seats', ({ execution }) => execution, { type: 'regular' }),
    schemaHistogram('request_queue_length_after_enqueue', 'Requests of a level that wait, as each newcomer finds it', ({ queueLength }) => queueLength),
    metric(
      `${prefix}current_executing_requests`,
      'gauge',
      'BETA',
      'Requests being served',
      gauge(({ executing }) => executing),
    ),
    metric(
      `${prefix}current_executing_seats`,
      'gauge',
      'BETA',
      'Seats taken',
      gauge(({ executingSeats }) => executingSeats),
    ),
    metric(
      `${prefix}current_inqueue_requests`,
      'gauge',
      'BETA',
      'Requests that wait',
      gauge(({ waiting }) => waiting),
    ),
    metric(
      `${prefix}dispatched_requests_total`,
      'counter',
      'BETA',
      'Requests that got seats',
      gauge(({ dispatched }) => dispatched),
    ),
    metric(
      `${prefix}rejected_requests_total`,
      'counter',
      'BETA',
      'Requests that got none',
      schemas(({ rejected }, labels) => Object.entries(rejected).map(([reason, value]) => ({ labels: { ...labels, reason }, value }))),
    ),
    metric(
      `${prefix}request_wait_duration_seconds`,
      'histogram',
      'BETA',
      'Time in a queue',
      schemas(({ waits }, labels) => [...waits.seated.samples({ ...labels, execute: 'true' }), ...waits.refused.samples({ ...labels, execute: 'false' })]),
    ),
  ];
}
