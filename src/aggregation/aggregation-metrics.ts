// What aggregation counts, by the names of upstream.
import type { CertificateFlaws } from '#aggregation/extension-server.ts';
import { type Count, countSamples, type Metric, newCount, type Sample, Series } from '#base/metrics.ts';
import type { DiscoveryObserver } from '#server/discovery/discovery-handler.ts';

export class AggregationMetrics implements DiscoveryObserver {
  readonly #availability: () => ReadonlyMap<string, boolean>;
  readonly #unavailable = new Series<Count>(['name', 'reason'], newCount);
  readonly #counts = { aggregated: 0, noPeer: 0, peerHits: 0, peerMisses: 0, missingSan: 0, sha1: 0 };

  /** `availability`: of every APIService, by name. */
  constructor(availability: () => ReadonlyMap<string, boolean>) {
    this.#availability = availability;
  }

  onAggregated(): void {
    this.#counts.aggregated += 1;
  }

  onNoPeerRequest(): void {
    this.#counts.noPeer += 1;
  }

  onPeerRequest(isNew: boolean): void {
    this.#counts[isNew ? 'peerMisses' : 'peerHits'] += 1;
  }

  onCertificate({ missingSan, sha1 }: CertificateFlaws): void {
    if (missingSan) this.#counts.missingSan += 1;
    if (sha1) this.#counts.sha1 += 1;
  }

  /** An APIService that was available is no longer. */
  onUnavailable(name: string, reason: string): void {
    this.#unavailable.at(name, reason).value += 1;
  }

  metrics(): readonly Metric[] {
    const alpha = (name: string, type: Metric['type'], help: string, samples: () => Iterable<Sample>): Metric => ({
      name,
      type,
      help,
      stability: 'ALPHA',
      samples,
    });
    const counter = (name: string, help: string, value: () => number) => alpha(name, 'counter', help, () => [{ value: value() }]);
    const gauges = () => [...this.#availability()].map(([name, isAvailable]) => ({ labels: { name }, value: isAvailable ? 0 : 1 }));
    return [
      counter('aggregator_discovery_aggregation_count_total', 'How often the aggregated discovery document was made', () => this.#counts.aggregated),
      counter('aggregator_discovery_nopeer_requests_total', 'Requests for discovery of this server alone', () => this.#counts.noPeer),
      counter('aggregator_discovery_peer_aggregated_cache_hits_total', 'Discovery served from what was kept of peers', () => this.#counts.peerHits),
      counter('aggregator_discovery_peer_aggregated_cache_misses_total', 'Discovery put together anew of what peers serve', () => this.#counts.peerMisses),
      alpha('aggregator_unavailable_apiservice', 'gauge', 'Whether an APIService is not available', gauges),
      alpha('aggregator_unavailable_apiservice_total', 'counter', 'How often an APIService became unavailable', () => countSamples(this.#unavailable)),
      counter('apiserver_kube_aggregator_x509_missing_san_total', 'Requests to servers whose certificate has no names', () => this.#counts.missingSan),
      counter('apiserver_kube_aggregator_x509_insecure_sha1_total', 'Requests to servers whose certificate is signed with SHA-1', () => this.#counts.sha1),
    ];
  }
}
