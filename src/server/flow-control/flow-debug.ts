// /debug/api_priority_and_fairness/…: what waits and runs right now, as tables of text.
import { apiVersionOf } from '#api/names.ts';
import { formatDuration } from '#base/time/duration.ts';
import type { Handler } from '#server/front/exchange.ts';
import type { FlowController } from '#server/flow-control/flow-controller.ts';
import { assumedMs } from '#server/flow-control/fair-queues.ts';
import type { Entry } from '#server/flow-control/priority-level.ts';
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
    tableHandler((query) => requestRows(controller, (query.get('includeRequestDetails') ?? '') !== '')),
    { listed: false },
  );
}

type Row = readonly (string | number | boolean)[];

function tableHandler(rows: (query: URLSearchParams) => readonly Row[]): Handler {
  return async (exchange) => exchange.send(200, 'text/plain; charset=utf-8', aligned(rows(exchange.query)));
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
  const rows = [...controller.levels].flatMap((level) => {
    const seated = [...level.seated];
    return level.queueRows().map(({ index, waiting, nextStart }) => {
      const here = seated.filter(({ queue }) => queue === index).map(({ entry }) => entry.seats);
      const initial = sum(waiting.map((request) => widthOf(request).initial));
      const work = sum(waiting.map(workOf));
      return [
        level.name,
        index,
        waiting.length,
        here.length,
        sum(here),
        seatSeconds(nextStart),
        initial,
        sum(waiting.map(({ seats }) => seats)),
        seatSeconds(work),
      ];
    });
  });
  return [queueColumns, ...rows];
}

const queueColumns = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];

type Request = Pick<Entry, 'schema' | 'flow' | 'seats' | 'lingerMs' | 'asked'>;

/** A write is one seat wide while it runs, and as wide as its events afterwards. */
function widthOf({ seats, lingerMs }: Request): { readonly initial: number; readonly final: number } {
  return lingerMs > 0 ? { initial: 1, final: seats } : { initial: seats, final: 0 };
}

function workOf(request: Request): number {
  const { initial, final } = widthOf(request);
  return initial * assumedMs + final * request.lingerMs;
}

function seatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(8)}ss`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function requestRows(controller: FlowController, detailed: boolean): readonly Row[] {
  const rows = [...controller.levels].flatMap((level) => {
    const seated = [...level.seated].map(({ entry, queue = -1, arrived, started }) => requestRow(level.name, [queue, -1], entry, [arrived, started], detailed));
    const waiting = level
      .queueRows()
      .flatMap(({ index, waiting }) => waiting.map((request, at) => requestRow(level.name, [index, at], request, [request.since], detailed)));
    return [...waiting, ...seated];
  });
  return [[...requestColumns, ...(detailed ? detailColumns : [])], ...rows];
}

const requestColumns = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];
const detailColumns = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

function requestRow(level: string, place: readonly [number, number], request: Request, [arrived, started]: readonly number[], detailed: boolean): Row {
  const { initial, final } = widthOf(request);
  const distinguisher = request.flow.slice(request.schema.length + 1);
  const latency = formatDuration(BigInt(Math.round(request.lingerMs * 1e6)));
  const row = [level, request.schema, ...place, distinguisher, timeText(arrived), initial, final, latency, timeText(started)];
  return detailed ? [...row, ...detailsOf(request)] : row;
}

function detailsOf({ asked }: Request): Row {
  if (asked === undefined) return detailColumns.map(() => '');
  const { user, info } = asked;
  return [user, info.verb, info.path, info.namespace, info.name, info.isResource ? apiVersionOf(info) : '', info.resource, info.subresource];
}

/** Without the zeros at its end; a request that waits has not started since the beginning of time. */
function timeText(ms: number | undefined): string {
  return ms === undefined ? '0001-01-01T00:00:00Z' : new Date(ms).toISOString().replace(/\.?0+Z$/, 'Z');
}

const narrowest = 8;

/** Columns but the last end in a comma and begin below each other. */
function aligned(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) => rows.reduce((widest, row) => Math.max(widest, String(row[column]).length + 2), narrowest));
  return rows.map((row) => `${row.map((cell, column) => (column === row.length - 1 ? cell : `${cell},`.padEnd(widths[column] ?? 0))).join('')}\n`).join('');
}
