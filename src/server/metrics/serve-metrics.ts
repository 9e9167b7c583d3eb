// /metrics and /metrics/slis.
import { type Count, countSamples, formatMetrics, formatMetricsInTurns, type Metric, newCount, Series } from '#base/metrics.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { Exchange } from '#server/front/exchange.ts';
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
  const health = new HealthProbe(checks);
  router.exact('/metrics', async (exchange) => {
    if (exchange.method === 'DELETE' && reset !== undefined) return forget(exchange, reset);
    exchange.setHeader('process-start-time-unix', String(Math.floor(started.getTime() / 1000)));
    exchange.send(200, contentType, await formatMetricsInTurns(metrics(), () => performance.now(), nextTurn));
  });
  router.exact('/metrics/slis', async (exchange) => {
    if (exchange.method === 'DELETE') return forget(exchange, () => health.clear());
    exchange.send(200, contentType, formatMetrics(await health.ask()));
  });
}

function forget(exchange: Exchange, reset: () => void): void {
  reset();
  exchange.send(200, 'text/plain; charset=utf-8', 'metrics reset\n');
}

/** Each look at the page asks every check once. */
class HealthProbe {
  readonly #checks: readonly HealthCheck[];
  readonly #totals = new Series<Count>(['name', 'type', 'status'], newCount);
  readonly #latest = new Series<Count>(['name', 'type'], newCount);
  readonly #metrics: readonly Metric[] = [
    metric('kubernetes_healthcheck', 'gauge', 'STABLE', 'The latest result of a health check: 1 is success', () => countSamples(this.#latest)),
    metric('kubernetes_healthchecks_total', 'counter', 'STABLE', 'Results of health checks', () => countSamples(this.#totals)),
  ];

  constructor(checks: readonly HealthCheck[]) {
    this.#checks = checks;
  }

  async ask(): Promise<readonly Metric[]> {
    for (const { name, endpoints, problem } of this.#checks) {
      const failed = (await problem()) !== undefined;
      for (const type of endpoints) {
        this.#latest.at(name, type).value = failed ? 0 : 1;
        this.#totals.at(name, type, failed ? 'error' : 'success').value += 1;
      }
    }
    return this.#metrics;
  }

  clear(): void {
    this.#totals.clear();
    this.#latest.clear();
  }
}
