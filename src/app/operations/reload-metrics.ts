// How often a configuration was read again, and which one counts: by the names of the original.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Metric } from '#base/metrics.ts';
import { metric } from '#server/metrics/request-metrics.ts';

type Status = 'success' | 'failure';

export interface ReloadMetricsOptions {
  readonly identity: string;
  readonly clock: Clock;
  /** The text that counts at first, or its hash. */
  readonly config: string;
  /** Beside those that every configuration has. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Of one configuration. */
export class ReloadMetrics {
  readonly labels: Readonly<Record<string, string>>;
  readonly #clock: Clock;
  readonly #counts = new Map<Status, { total: number; last: number }>();
  #config: string;

  constructor({ identity, clock, config, labels = {} }: ReloadMetricsOptions) {
    this.labels = { apiserver_id_hash: hashOf(identity), ...labels };
    this.#clock = clock;
    this.#config = config;
  }

  record(status: Status, config: string): void {
    const total = (this.#counts.get(status)?.total ?? 0) + 1;
    this.#counts.set(status, { total, last: this.#clock.now().getTime() / 1000 });
    if (status === 'success') this.#config = config;
  }

  get counts(): ReadonlyMap<Status, { readonly total: number; readonly last: number }> {
    return this.#counts;
  }

  get configHash(): string {
    return this.#config.startsWith('sha256:') ? this.#config : hashOf(this.#config);
  }
}

/** `what` is the configuration in the names: authentication, authorization, manifest_admission. */
export function reloadMetrics(what: string, stability: Metric['stability'], all: readonly ReloadMetrics[]): readonly Metric[] {
  const prefix = `apiserver_${what}_config_controller`;
  const named = what.replace('_', ' ');
  const perStatus = (value: (count: { total: number; last: number }) => number) => () =>
    all.flatMap(({ labels, counts }) => [...counts].map(([status, count]) => ({ labels: { ...labels, status }, value: value(count) })));
  return [
    metric(
      `${prefix}_automatic_reloads_total`,
      'counter',
      stability,
      `Reloads of the ${named} configuration`,
      perStatus(({ total }) => total),
    ),
    metric(
      `${prefix}_automatic_reload_last_timestamp_seconds`,
      'gauge',
      stability,
      `When the ${named} configuration was last reloaded`,
      perStatus(({ last }) => last),
    ),
    metric(`${prefix}_last_config_info`, 'gauge', 'ALPHA', `The ${named} configuration that counts`, () =>
      all.map(({ labels, configHash }) => ({ labels: { ...labels, hash: configHash }, value: 1 })),
    ),
  ];
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
