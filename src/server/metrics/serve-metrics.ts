// /metrics and /metrics/slis.
import { type Count, countSamples, formatMetrics, formatMetricsInTurns, type Metric, newCount, Series } from '#base/metrics.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { HealthCheck } from '#server/health/health-checks.ts';
import { metric } from '#server/metrics/request-metrics.ts';
import type { PathRouter } from '#server/path-router.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

export interface MetricsPages {
  readonly metrics: () => readonly Metric[];
  readonly checks: readonly HealthCheck[];
  readonly started: Date;
  /** Undefined: what was counted cannot be forgotten on request. */
  readonly reset?: (() => void) | undefined;
}

export function serveMetrics(router: PathRouter, { metrics, checks, started, reset }: MetricsPages): void {
  const probe = healthProbe(checks);
  router.exact('/metrics', async (exchange) => {
    if (exchange.method === 'DELETE' && reset !== undefined) {
      reset();
      return exchange.send(200, 'text/plain; charset=utf-8', 'metrics reset\n');
    }
    exchange.setHeader('process-start-time-unix', String(Math.floor(started.getTime() / 1000)));
    exchange.send(200, contentType, await formatMetricsInTurns(metrics(), () => performance.now(), nextTurn));
  });
  router.exact('/metrics/slis', async (exchange) => exchange.send(200, contentType, formatMetrics(await probe())));
}

/** Each look at the page asks every check once. */
function healthProbe(checks: readonly HealthCheck[]): () => Promise<readonly Metric[]> {
  const totals = new Series<Count>(['name', 'type', 'status'], newCount);
  const latest = new Series<Count>(['name', 'type'], newCount);
  const metrics = [
    metric('kubernetes_healthcheck', 'gauge', 'STABLE', 'The latest result of a health check: 1 is success', () => countSamples(latest)),
    metric('kubernetes_healthchecks_total', 'counter', 'STABLE', 'Results of health checks', () => countSamples(totals)),
  ];
  return async () => {
    for (const { name, endpoints, problem } of checks) {
      const failed = (await problem()) !== undefined;
      for (const type of endpoints) {
        latest.at(name, type).value = failed ? 0 : 1;
        totals.at(name, type, failed ? 'error' : 'success').value += 1;
      }
    }
    return metrics;
  };
}
