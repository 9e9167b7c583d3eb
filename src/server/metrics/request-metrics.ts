// What every request adds to the metrics. Labels come from what is served, never from what clients send.
import { isLongRunning, type RequestInfo } from '#api/request-info.ts';
import { type Count, countSamples, Histogram, type Labels, type Metric, newCount, type Sample, Series } from '#base/metrics.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import type { Exchange, Middleware } from '#server/front/exchange.ts';
import { longTurnMs, TurnWatch } from '#server/metrics/turn-watch.ts';

const durationBuckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const sliBuckets = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
/** A step of 100 kB up to the largest body. */
const bodyBuckets = Array.from({ length: 31 }, (_, i) => 50_000 + i * 100_000);
const sizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const routeLabels = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'dry_run'];

export interface RouteStats {
  readonly codes: Map<number, number>;
  readonly duration: Histogram;
  readonly sli: Histogram;
  readonly sizes: Histogram;
  /** Of what was sent, where something was. */
  bodies: Histogram | undefined;
  longRunning: number;
  /** Turns of the event loop that requests of this kind made long, and how long they were together. */
  longTurns: number;
  longTurnSeconds: number;
}

export class RequestMetrics {
  readonly #routes = new Series<RouteStats>(routeLabels, () => ({
    codes: new Map(),
    duration: new Histogram(durationBuckets),
    sli: new Histogram(sliBuckets),
    sizes: new Histogram(sizeBuckets),
    bodies: undefined,
    longRunning: 0,
    longTurns: 0,
    longTurnSeconds: 0,
  }));
  readonly #attempts = new Series<Count>(['result'], newCount);
  readonly #users = new Series<Count>(['username'], newCount);
  readonly running = { readOnly: 0, mutating: 0 };
  /** Is this a resource or subresource that we serve? Others share one set of labels. */
  readonly #knows: (info: RequestInfo) => boolean;
  /** The release that removes a deprecated version, '' for none; undefined: not deprecated. */
  readonly #removedIn: (labels: Labels) => string | undefined;

  constructor(knows: (info: RequestInfo) => boolean, removedIn: (labels: Labels) => string | undefined = () => undefined) {
    this.#knows = knows;
    this.#removedIn = removedIn;
  }

  reset(): void {
    this.#routes.clear();
  }

  route(exchange: Exchange): RouteStats {
    const { info, method } = exchange;
    const verb = verbLabel(info, method, exchange);
    if (!info.isResource || !this.#knows(info)) return this.#routes.at(verb, '', '', '', '', '', '');
    const dryRun = method === 'GET' ? '' : exchange.query.get('dryRun') === 'All' ? 'All' : '';
    return this.#routes.at(verb, info.group, info.version, info.resource, info.subresource, scopeLabel(info), dryRun);
  }

  authenticated(result: 'success' | 'failure' | 'error', kind: string): void {
    this.#attempts.at(result).value += 1;
    if (result === 'success') this.#users.at(kind).value += 1;
  }

  *#bodySizes(): Generator<Sample> {
    for (const { labels, value } of this.#routes.entries()) {
      const { group = '', resource = '', verb = '' } = labels;
      if (value.bodies !== undefined && resource !== '') yield* value.bodies.samples({ group, resource, verb: bodyVerbs[verb] ?? verb.toLowerCase() });
    }
  }

  *#deprecated(): Generator<Sample> {
    const told = new Set<string>();
    for (const { labels } of this.#routes.entries()) {
      const { group = '', version = '', resource = '', subresource = '' } = labels;
      const removed = resource === '' ? undefined : this.#removedIn(labels);
      const key = `${group}/${version}/${resource}/${subresource}`;
      if (removed === undefined || told.has(key)) continue;
      told.add(key);
      yield { labels: { group, version, resource, subresource, removed_release: removed }, value: 1 };
    }
  }

  metrics(): readonly Metric[] {
    const all = this.#routes;
    function* routes(samples: (stats: RouteStats, labels: Readonly<Record<string, string>>) => Iterable<Sample>, without: readonly string[] = []) {
      for (const { labels, value } of all.entries()) yield* samples(value, { component: 'apiserver', ...omit(labels, without) });
    }
    return [
      metric('apiserver_request_total', 'counter', 'STABLE', 'Requests by what they asked for and how they were answered', () =>
        routes(({ codes }, labels) => [...codes].map(([code, value]) => ({ labels: { ...labels, code: String(code) }, value }))),
      ),
      metric('apiserver_request_duration_seconds', 'histogram', 'STABLE', 'Time until the answer', () =>
        routes(({ duration }, labels) => duration.samples(labels)),
      ),
      metric('apiserver_request_sli_duration_seconds', 'histogram', 'ALPHA', 'Time until the answer of requests that are not long-running', () =>
        routes(({ sli }, labels) => (sli.count > 0 ? sli.samples(labels) : []), ['dry_run']),
      ),
      metric('apiserver_request_body_size_bytes', 'histogram', 'ALPHA', 'Bytes of what was sent', () => this.#bodySizes()),
      metric('apiserver_requested_deprecated_apis', 'gauge', 'STABLE', 'Deprecated versions that were asked for', () => this.#deprecated()),
      metric('apiserver_response_sizes', 'histogram', 'STABLE', 'Bytes of the answer', () => routes(({ sizes }, labels) => sizes.samples(labels), ['dry_run'])),
      metric('apiserver_longrunning_requests', 'gauge', 'STABLE', 'Long-running requests right now', () =>
        routes(({ longRunning }, labels) => (longRunning > 0 ? [{ labels, value: longRunning }] : []), ['dry_run']),
      ),
      metric('binnacle_long_turns_total', 'counter', undefined, `Turns of the event loop over ${longTurnMs} ms, by the requests that made them`, () =>
        routes(({ longTurns }, labels) => (longTurns > 0 ? [{ labels, value: longTurns }] : []), ['dry_run']),
      ),
      metric('binnacle_long_turn_seconds_total', 'counter', undefined, 'How long these turns were together', () =>
        routes(({ longTurns, longTurnSeconds }, labels) => (longTurns > 0 ? [{ labels, value: longTurnSeconds }] : []), ['dry_run']),
      ),
      metric('apiserver_current_inflight_requests', 'gauge', 'STABLE', 'Requests being served right now', () => [
        { labels: { request_kind: 'readOnly' }, value: this.running.readOnly },
        { labels: { request_kind: 'mutating' }, value: this.running.mutating },
      ]),
      metric('authentication_attempts', 'counter', 'ALPHA', 'Attempts to authenticate by their result', () => countSamples(this.#attempts)),
      metric('authenticated_user_requests', 'counter', 'ALPHA', 'Authenticated requests by the kind of user', () => countSamples(this.#users)),
    ];
  }
}

export function metric(name: string, type: Metric['type'], stability: Metric['stability'], help: string, samples: () => Iterable<Sample>): Metric {
  return { name, type, stability, help, samples };
}

export interface MeasuredRequest {
  readonly route: RouteStats;
  readonly exchange: Exchange;
}

/** Counts long turns by the requests that made them; very long ones are put into the log. */
export function watchTurns(log: Log, now: () => number, timers: Timers): TurnWatch<MeasuredRequest> {
  const onLongTurn = ({ route, exchange: { info, auditId } }: MeasuredRequest, ms: number) => {
    route.longTurns += 1;
    route.longTurnSeconds += ms / 1000;
    if (ms < loggedTurnMs) return;
    const [resource, subresource] = [info.resource.slice(0, 64), info.subresource.slice(0, 64)];
    log.warn('A request held up the event loop', { verb: info.verb, resource, subresource, ms: Math.round(ms), auditID: auditId });
  };
  return new TurnWatch({ now, timers, onLongTurn });
}

const loggedTurnMs = 100;

/** As a step of the pipeline: outside of everything that may refuse. */
export function measureRequests(metrics: RequestMetrics, now: () => number, turns?: TurnWatch<MeasuredRequest>): Middleware {
  return (next) => async (exchange) => {
    const { info, method } = exchange;
    const route = metrics.route(exchange);
    const started = now();
    const longRunning = isLongRunning(info);
    const measured: MeasuredRequest = { route, exchange };
    let code = 0;
    turns?.mark(measured);
    exchange.observe({
      bodyRead: (bytes) => {
        (route.bodies ??= new Histogram(bodyBuckets)).observe(bytes.length);
        turns?.mark(measured);
      },
      answerBegun: (given, _, body) => {
        code = given;
        turns?.mark(measured);
        if (longRunning) return;
        const seconds = (now() - started) / 1000;
        route.sli.observe(seconds);
        record(route, given, seconds, body?.length);
      },
    });
    const kind = readMethods.has(method) ? 'readOnly' : 'mutating';
    if (longRunning) route.longRunning += 1;
    else metrics.running[kind] += 1;
    try {
      await next(exchange);
    } finally {
      if (!longRunning) metrics.running[kind] -= 1;
      else {
        route.longRunning -= 1;
        record(route, code === 0 ? 500 : code, (now() - started) / 1000, undefined);
      }
    }
  };
}

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

function record({ codes, duration, sizes }: RouteStats, code: number, seconds: number, bytes: number | undefined): void {
  codes.set(code, (codes.get(code) ?? 0) + 1);
  duration.observe(seconds);
  if (bytes !== undefined) sizes.observe(bytes);
}

/** As upstream names what bodies are for, where that is not the verb in small letters. */
const bodyVerbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', APPLY: 'patch', DELETECOLLECTION: 'delete_collection' };

const methodVerbs: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  proxy: 'CONNECT',
};
const knownMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Verbs of ours only: a method that a client made up is `other`. */
function verbLabel({ isResource, verb }: RequestInfo, method: string, { headers }: Exchange): string {
  if (!isResource) return knownMethods.has(method) ? method : 'other';
  if (verb === 'patch' && String(headers['content-type'] ?? '').startsWith('application/apply-patch')) return 'APPLY';
  return methodVerbs[verb] ?? 'other';
}

function scopeLabel({ name, namespace, verb }: RequestInfo): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace !== '' ? 'namespace' : 'cluster';
}

function omit(labels: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !names.includes(name)));
}
