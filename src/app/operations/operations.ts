// How a running server is watched: metrics, request log, headers for all answers, pages for debugging.
import type { Audit } from '#app/operations/audit.ts';
import type { FlowControl } from '#app/operations/flow-control.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Log } from '#base/log.ts';
import type { Labels, Metric } from '#base/metrics.ts';
import { systemTimers } from '#base/timers.ts';
import { knownGates } from '#base/feature-gates.ts';
import type { RequestInfo } from '#api/request-info.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { isDeprecated } from '#server/dispatch.ts';
import type { Middleware } from '#server/front/exchange.ts';
import { serveFlowDebug } from '#server/flow-control/flow-debug.ts';
import type { HealthCheck } from '#server/health/health-checks.ts';
import { flowMetrics } from '#server/metrics/flow-metrics.ts';
import { watchProcess } from '#server/metrics/process-metrics.ts';
import { measureRequests, metric, RequestMetrics, watchTurns } from '#server/metrics/request-metrics.ts';
import { serveMetrics } from '#server/metrics/serve-metrics.ts';
import { demandHttps, sendGoaway } from '#server/middleware/answer-headers.ts';
import { logRequests } from '#server/middleware/log-requests.ts';
import type { AuthenticationListener } from '#server/middleware/authenticate.ts';
import type { PathRouter } from '#server/path-router.ts';
import { serveProfiles } from '#server/pages/profiles.ts';
import { kubernetesVersion } from '#server/pages/version.ts';
import type { CacheSet } from '#cache/cache-set.ts';
import type { QueueMetrics } from '#client/queue-metrics.ts';

export interface OperationsParts {
  readonly catalog: ResourceCatalog;
  readonly gate: (name: string) => boolean;
  readonly log: Log;
  readonly verbosity: { readonly value: number };
  readonly started: Date;
  readonly flowControl: FlowControl;
  readonly caches: CacheSet;
  readonly queues: QueueMetrics;
  readonly audit: Audit | undefined;
  /** Metrics that other parts of the server keep. */
  readonly counted: () => readonly Metric[];
}

export interface Operations {
  readonly outer: readonly Middleware[];
  readonly onAuthenticated: AuthenticationListener;
  serve(router: PathRouter, checks: readonly HealthCheck[]): void;
  stop(): void;
}

export function buildOperations({ flags }: ServerOptions, parts: OperationsParts): Operations {
  const { catalog, flowControl, log, verbosity, started } = parts;
  const requests = new RequestMetrics(
    (info) => isServed(catalog, info),
    (labels) => removalOf(catalog, labels),
  );
  const process = watchProcess(started);
  const now = () => performance.now();
  const turns = watchTurns(log, now, systemTimers);
  const directives = flags.list('strict-transport-security-directives');
  const goaway = flags.number('goaway-chance');
  const outer: readonly Middleware[] = [
    measureRequests(requests, now, turns),
    logRequests(log, verbosity, now),
    ...(directives.length > 0 ? [demandHttps(directives)] : []),
    ...(goaway > 0 ? [sendGoaway(goaway, Math.random)] : []),
  ];
  const metrics = () => [
    ...requests.metrics(),
    ...process.metrics,
    ...(flowControl.controller ? flowMetrics(flowControl.controller) : []),
    ...cacheMetrics(parts.caches, flags.durationMs('etcd-count-metric-poll-period') > 0),
    ...parts.queues.metrics(),
    ...buildMetrics(parts.gate),
    ...(parts.audit?.metrics ?? []),
    ...parts.counted(),
  ];
  return {
    outer,
    onAuthenticated: (user, exchange) => {
      requests.authenticated(user === undefined ? 'failure' : 'success', user === undefined ? '' : kindOfUser(user.name));
      if (user === undefined) parts.audit?.onRefusedCaller(exchange);
    },
    serve: (router, checks) => {
      const profiling = flags.boolean('profiling');
      serveMetrics(router, { metrics, checks, started, reset: profiling ? () => requests.reset() : undefined });
      if (flowControl.controller) serveFlowDebug(router, flowControl.controller);
      if (profiling) serveProfiles(router);
    },
    stop: () => {
      process.stop();
      turns.stop();
    },
  };
}

/** What is not is no label: a client could make up as many as it likes. */
function isServed(catalog: ResourceCatalog, { group, version, resource, subresource }: RequestInfo): boolean {
  const definition = catalog.find(group, version, resource);
  return definition !== undefined && (subresource === '' || definition.subresources.some(({ name }) => name === subresource));
}

/** Undefined where the version is not deprecated; '' where nobody has said when it goes. */
function removalOf(catalog: ResourceCatalog, { group = '', version = '', resource = '' }: Labels): string | undefined {
  const definition = catalog.find(group, version, resource);
  return definition !== undefined && isDeprecated(definition) ? (definition.lifecycle.removed ?? '') : undefined;
}

/** As upstream counts them: ordinary people are one number, whatever their names. */
function kindOfUser(name: string): string {
  const known = ['admin', 'system:apiserver', 'kubelet', 'system:kube-controller-manager', 'system:kube-scheduler', 'system:anonymous'];
  return known.includes(name) ? name : 'other';
}

/** Counts are those of the caches, at the time of the question: any period will do, but for 0, which turns them off. */
function cacheMetrics(caches: CacheSet, counts: boolean): readonly Metric[] {
  const perResource = (of: (cache: { readonly count: number; readonly revision: number; readonly watchers: number }) => number) => () =>
    [...caches].map(([{ group, plural }, cache]) => ({ labels: { group, resource: plural }, value: of(cache) }));
  const objects = [
    metric(
      'apiserver_resource_objects',
      'gauge',
      'ALPHA',
      'Objects stored, by resource',
      perResource(({ count }) => count),
    ),
    metric('apiserver_storage_objects', 'gauge', 'STABLE', 'Objects stored, by resource', () =>
      [...caches].map(([{ group, plural }, { count }]) => ({ labels: { resource: group === '' ? plural : `${plural}.${group}` }, value: count })),
    ),
  ];
  return [
    ...(counts ? objects : []),
    metric(
      'apiserver_watch_cache_resource_version',
      'gauge',
      'ALPHA',
      'How far a watch cache has come',
      perResource(({ revision }) => revision),
    ),
    metric(
      'binnacle_watchers',
      'gauge',
      undefined,
      'Watches of a resource right now',
      perResource(({ watchers }) => watchers),
    ),
  ];
}

function buildMetrics(gate: (name: string) => boolean): readonly Metric[] {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = kubernetesVersion as Readonly<
    Record<string, string | undefined>
  >;
  const labels = { major, minor, git_version: gitVersion, git_commit: gitCommit, git_tree_state: gitTreeState, build_date: buildDate };
  const emulation = `${major}.${minor}`;
  const versions = { component: 'kube', binary: emulation, emulation, min_compat: `${major}.${Number(minor) - 1}` };
  const built = { ...labels, go_version: goVersion, compiler, platform };
  return [
    metric('kubernetes_build_info', 'gauge', 'BETA', 'What was built', () => [{ labels: texts(built), value: 1 }]),
    metric('version_info', 'gauge', 'ALPHA', 'The version in force', () => [{ labels: versions, value: 1 }]),
    metric('kubernetes_feature_enabled', 'gauge', 'BETA', 'Feature gates: 1 is on', () =>
      knownGates().map((name) => ({ labels: { name, stage: '' }, value: gate(name) ? 1 : 0 })),
    ),
  ];
}

function texts(labels: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, value ?? '']));
}
