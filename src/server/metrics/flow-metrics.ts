import type { Histogram, Metric, Sample } from '#base/metrics.ts';
import type { SchemaCounts } from '#server/flow-control/flow-counts.ts';
import type { FlowController } from '#server/flow-control/flow-controller.ts';
import type { PriorityLevel } from '#server/flow-control/priority-level.ts';
import { metric } from '#server/metrics/request-metrics.ts';

const prefix = 'apiserver_flowcontrol_';

/** Read off the levels when asked. */
export function flowMetrics(controller: FlowController): readonly Metric[] {
  return [...levelMetrics(controller), ...requestMetrics(controller), ...durationMetrics(controller)];
}

function levelMetrics(controller: FlowController): readonly Metric[] {
  const gauge = (name: string, stability: Metric['stability'], help: string, of: (level: PriorityLevel) => number) =>
    metric(`${prefix}${name}`, 'gauge', stability, help, () =>
      [...controller.levels].map((level) => ({ labels: { priority_level: level.name }, value: of(level) })),
    );
  return [
    gauge('nominal_limit_seats', 'BETA', 'Seats of a level by its shares', ({ nominal }) => nominal),
    gauge('current_limit_seats', 'ALPHA', 'Seats of a level right now, with what it lends and borrows', ({ limit }) => limit),
    gauge('lower_limit_seats', 'ALPHA', 'Seats that a level never lends', ({ lower }) => lower),
    gauge('upper_limit_seats', 'ALPHA', 'Most seats that a level can have', ({ upper }) => upper),
    gauge('target_seats', 'ALPHA', 'Seats that a level should have by what it wanted', ({ limit }) => limit),
    gauge('demand_seats_smoothed', 'ALPHA', 'Seats that a level wanted lately', ({ smoothedDemand }) => smoothedDemand),
    gauge('demand_seats_high_watermark', 'ALPHA', 'Most seats wanted at once in the last period', ({ lastDemand }) => lastDemand.highest),
    gauge('demand_seats_average', 'ALPHA', 'Seats wanted in the last period on average', ({ lastDemand }) => lastDemand.average),
    gauge('demand_seats_stdev', 'ALPHA', 'How much the seats wanted in the last period varied', ({ lastDemand }) => lastDemand.deviation),
  ];
}

function requestMetrics(controller: FlowController): readonly Metric[] {
  const one = (name: string, type: 'gauge' | 'counter', stability: Metric['stability'], help: string, of: (counts: SchemaCounts) => number) =>
    metric(`${prefix}${name}`, type, stability, help, () => perSchema(controller, (counts, labels) => [{ labels, value: of(counts) }]));
  const rejections = ({ rejected }: SchemaCounts, labels: Labels) =>
    Object.entries(rejected).map(([reason, value]) => ({ labels: { ...labels, reason }, value }));
  return [
    one('current_executing_requests', 'gauge', 'BETA', 'Requests being served', ({ executing }) => executing),
    one('current_executing_seats', 'gauge', 'BETA', 'Seats taken', ({ executingSeats }) => executingSeats),
    one('current_inqueue_requests', 'gauge', 'BETA', 'Requests that wait', ({ waiting }) => waiting),
    one('current_inqueue_seats', 'gauge', 'ALPHA', 'Seats that waiting requests will take', ({ waitingSeats }) => waitingSeats),
    one('dispatched_requests_total', 'counter', 'BETA', 'Requests that got seats', ({ dispatched }) => dispatched),
    metric(`${prefix}rejected_requests_total`, 'counter', 'BETA', 'Requests that got none', () => perSchema(controller, rejections)),
    metric('apiserver_current_inqueue_requests', 'gauge', 'ALPHA', 'Requests that wait for flow control right now', () => [
      { labels: { request_kind: 'all' }, value: [...controller.levels].reduce((sum, { waiting }) => sum + waiting, 0) },
    ]),
  ];
}

function durationMetrics(controller: FlowController): readonly Metric[] {
  const histogram = (name: string, help: string, of: (counts: SchemaCounts) => Histogram, more: Labels = {}) =>
    metric(`${prefix}${name}`, 'histogram', 'ALPHA', help, () => perSchema(controller, (counts, labels) => of(counts).samples({ ...labels, ...more })));
  function* waits({ waits: { seated, refused } }: SchemaCounts, labels: Labels): Iterable<Sample> {
    yield* seated.samples({ ...labels, execute: 'true' });
    yield* refused.samples({ ...labels, execute: 'false' });
  }
  return [
    histogram('work_estimated_seats', 'Seats that requests were taken to need', ({ estimatedSeats }) => estimatedSeats),
    histogram('request_execution_seconds', 'Time with seats', ({ execution }) => execution, { type: 'regular' }),
    histogram('request_queue_length_after_enqueue', 'Requests of a level that wait, as each newcomer finds it', ({ queueLength }) => queueLength),
    metric(`${prefix}request_wait_duration_seconds`, 'histogram', 'BETA', 'Time in a queue', () => perSchema(controller, waits)),
  ];
}

type Labels = Readonly<Record<string, string>>;

function* perSchema({ levels }: FlowController, samples: (counts: SchemaCounts, labels: Labels) => Iterable<Sample>): Iterable<Sample> {
  for (const { name, counts: all } of levels) {
    for (const [schema, counts] of all.bySchema) yield* samples(counts, { priority_level: name, flow_schema: schema });
  }
}
