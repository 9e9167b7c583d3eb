// /debug/api_priority_and_fairness/…: what waits and runs right now, as tables of text.
import type { Handler } from '#server/exchange.ts';
import type { FlowController } from '#server/flow-control/flow-controller.ts';
import type { PathRouter } from '#server/path-router.ts';

export function serveFlowDebug(router: PathRouter, controller: FlowController): void {
  const path = '/debug/api_priority_and_fairness';
  router.exact(
    `${path}/dump_priority_levels`,
    tableHandler(() => levelRows(controller)),
    { listed: false },
  );
  router.exact(
    `${path}/dump_queues`,
    tableHandler(() => queueRows(controller)),
    { listed: false },
  );
  router.exact(
    `${path}/dump_requests`,
    tableHandler(() => requestRows(controller)),
    { listed: false },
  );
}

type Row = readonly (string | number | boolean)[];

function tableHandler(rows: () => readonly Row[]): Handler {
  return async (exchange) => {
    exchange.setHeader('x-content-type-options', 'nosniff');
    exchange.send(200, 'text/plain; charset=utf-8', aligned(rows()));
  };
}

function levelRows(controller: FlowController): readonly Row[] {
  const rows = [...controller.levels].map((level) => {
    const { counts } = level;
    const rejected = (...reasons: readonly string[]) => counts.total((of) => reasons.reduce((sum, reason) => sum + (of.rejected[reason] ?? 0), 0));
    const executing = counts.total((of) => of.executing);
    const activeQueues = level.queueRows().filter(({ waiting }) => waiting.length > 0).length;
    return [
      level.name,
      activeQueues,
      executing === 0 && level.waiting === 0,
      false,
      level.waiting,
      executing,
      counts.total((of) => of.dispatched),
      rejected('queue-full', 'concurrency-limit'),
      rejected('time-out'),
      rejected('cancelled'),
    ];
  });
  return [levelColumns, ...rows.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))];
}

const levelColumns = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];

function queueRows(controller: FlowController): readonly Row[] {
  const rows = [...controller.levels].flatMap((level) =>
    level.queueRows().map(({ index, waiting, waitingSeats, nextStart }) => [level.name, index, waiting.length, waitingSeats, `${nextStart.toFixed(3)}ss`]),
  );
  return [['PriorityLevelName', 'Index', 'PendingRequests', 'InitialSeatsSum', 'NextDispatchR'], ...rows];
}

function requestRows(controller: FlowController): readonly Row[] {
  const rows = [...controller.levels].flatMap((level) =>
    level.queueRows().flatMap(({ index, waiting }) =>
      waiting.map(({ schema, flow, since, seats }, at) => {
        const distinguisher = flow.slice(schema.length + 1);
        return [level.name, schema, index, at, distinguisher, new Date(since).toISOString(), seats];
      }),
    ),
  );
  return [['PriorityLevelName', 'FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue', 'FlowDistingsher', 'ArriveTime', 'InitialSeats'], ...rows];
}

/** Columns end in a comma and begin below each other. */
function aligned(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column] ?? '').length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => `${cell},`.padEnd((widths[column] ?? 0) + 2))
          .join('')
          .trimEnd()}\n`,
    )
    .join('');
}
