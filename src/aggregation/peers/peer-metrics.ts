// What is counted about requests that peers answer, by the names of upstream.
import { type Count, countSamples, type Metric, newCount, type Sample, Series } from '#base/metrics.ts';

export interface ReroutedRequest {
  readonly code: number;
  /** All three are empty for discovery. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export class PeerMetrics {
  readonly #rerouted = new Series<Count>(['code', 'group', 'version', 'resource'], newCount);
  readonly #proxyErrors = new Series<Count>(['type', 'group', 'version', 'resource'], newCount);
  readonly #syncErrors = new Series<Count>(['type'], newCount);

  onRerouted({ code, group, version, resource }: ReroutedRequest): void {
    this.#rerouted.at(String(code), group, version, resource).value += 1;
  }

  /** No peer that serves it says where it is. */
  onUnresolved(group: string, version: string, resource: string): void {
    this.#proxyErrors.at('endpoint_resolution', group, version, resource).value += 1;
  }

  onSyncError(type: 'hostport_resolution' | 'fetch_discovery'): void {
    this.#syncErrors.at(type).value += 1;
  }

  metrics(): readonly Metric[] {
    const counter = (name: string, help: string, samples: () => Iterable<Sample>): Metric => ({ name, type: 'counter', help, stability: 'ALPHA', samples });
    return [
      counter('apiserver_rerouted_request_total', 'Requests passed on to a peer that serves what this server does not', () => countSamples(this.#rerouted)),
      counter('apiserver_peer_proxy_errors_total', 'Requests that could not be passed on to a peer', () => countSamples(this.#proxyErrors)),
      counter('apiserver_peer_discovery_sync_errors_total', 'Peers that did not tell what they serve', () => countSamples(this.#syncErrors)),
    ];
  }
}
