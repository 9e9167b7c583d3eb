// How often a configuration file was read again, and which one counts: by the names of the original.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Metric } from '#base/metrics.ts';
import { metric } from '#server/metrics/request-metrics.ts';

type Status = 'success' | 'failure';

export class ReloadMetrics {
  readonly #what: string;
  readonly #server: string;
  readonly #clock: Clock;
  readonly #counts = new Map<Status, { total: number; last: number }>();
  #config: string;

  /** `config` is the text that counts at first. */
  constructor(what: 'authentication' | 'authorization', { identity, clock, config }: { identity: string; clock: Clock; config: string }) {
    this.#what = what;
    this.#server = hashOf(identity);
    this.#clock = clock;
    this.#config = config;
  }

  record(status: Status, config: string): void {
    const total = (this.#counts.get(status)?.total ?? 0) + 1;
    this.#counts.set(status, { total, last: this.#clock.now().getTime() / 1000 });
    if (status === 'success') this.#config = config;
  }

  metrics(): readonly Metric[] {
    const prefix = `apiserver_${this.#what}_config_controller`;
    const perStatus = (value: (count: { total: number; last: number }) => number) => () =>
      [...this.#counts].map(([status, count]) => ({ labels: { apiserver_id_hash: this.#server, status }, value: value(count) }));
    return [
      metric(
        `${prefix}_automatic_reloads_total`,
        'counter',
        'BETA',
        `Reloads of the ${this.#what} configuration`,
        perStatus(({ total }) => total),
      ),
      metric(
        `${prefix}_automatic_reload_last_timestamp_seconds`,
        'gauge',
        'BETA',
        `When the ${this.#what} configuration was last reloaded`,
        perStatus(({ last }) => last),
      ),
      metric(`${prefix}_last_config_info`, 'gauge', 'ALPHA', `The ${this.#what} configuration that counts`, () => [
        { labels: { apiserver_id_hash: this.#server, hash: hashOf(this.#config) }, value: 1 },
      ]),
    ];
  }
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
