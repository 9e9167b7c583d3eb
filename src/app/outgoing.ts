// How this server asks others: webhooks of every kind and extension servers, by address or as services.
import type { ServiceResolver } from '#api/service-resolver.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Reads } from '#app/reads.ts';
import { serviceResolver } from '#app/service-resolver.ts';
import { OutgoingClients } from '#base/outgoing/outgoing-clients.ts';

export interface Outgoing {
  /** Closed with the server. */
  readonly clients: OutgoingClients;
  readonly resolve: ServiceResolver;
}

export function buildOutgoing({ flags }: ServerOptions, { clock, lister }: Pick<Reads, 'clock' | 'lister'>): Outgoing {
  return {
    clients: new OutgoingClients({ now: () => clock.now(), userAgent: 'kube-apiserver-admission' }),
    resolve: serviceResolver({ lister, endpointsOnly: flags.boolean('enable-aggregator-routing'), random: Math.random }),
  };
}
