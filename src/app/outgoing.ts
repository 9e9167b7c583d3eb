// How this server asks others: webhooks of every kind and extension servers, by address or as services.
import type { ServiceResolver } from '#api/service-resolver.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Reads } from '#app/reads.ts';
import { serviceResolver } from '#app/service-resolver.ts';
import type { Metric } from '#base/metrics.ts';
import { OutgoingClients } from '#base/outgoing/outgoing-clients.ts';

export interface Outgoing {
  readonly metrics: readonly Metric[];
  /** Closed with the server. */
  readonly clients: OutgoingClients;
  readonly resolve: ServiceResolver;
}

export function buildOutgoing({ flags }: ServerOptions, { clock, lister }: Pick<Reads, 'clock' | 'lister'>): Outgoing {
  const refused = { missingSan: 0, sha1: 0 };
  const onRefusedCertificate = (why: string) => {
    if (why.includes('relies on legacy Common Name')) refused.missingSan += 1;
    if (why.includes('insecure algorithm SHA1')) refused.sha1 += 1;
  };
  return {
    clients: new OutgoingClients({ now: () => clock.now(), userAgent: 'kube-apiserver-admission', onRefusedCertificate }),
    metrics: [
      counter('missing_san', 'Calls of webhooks whose certificate has no names', () => refused.missingSan),
      counter('insecure_sha1', 'Calls of webhooks whose certificate is signed with SHA-1', () => refused.sha1),
    ],
    resolve: serviceResolver({ lister, endpointsOnly: flags.boolean('enable-aggregator-routing'), random: Math.random }),
  };
}

function counter(name: string, help: string, value: () => number): Metric {
  return { name: `apiserver_webhooks_x509_${name}_total`, type: 'counter', stability: 'ALPHA', help, samples: () => [{ value: value() }] };
}
