// Aggregated servers: what of the command line and of this server they need.
import { readFileSync } from 'node:fs';
import { aggregate } from '#aggregation/aggregate.ts';
import { ApiServices } from '#aggregation/api-services.ts';
import { groupDiscovery } from '#aggregation/group-discovery.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Outgoing } from '#app/outgoing.ts';
import type { Reads } from '#app/reads.ts';
import { APIGroup, APIGroupList } from '#kinds/meta/v1/discovery.ts';
import { compareVersions } from '#resource/version-order.ts';
import type { Middleware } from '#server/front/exchange.ts';

export interface Aggregation {
  readonly apiServices: ApiServices;
  readonly step: Middleware;
  /** `group/version` → why nothing is known about it: loops that must reach every resource (namespace deletion) say so and wait. */
  readonly failingGroupVersions: () => ReadonlyMap<string, string>;
}

export function buildAggregation({ flags }: ServerOptions, { clock }: Pick<Reads, 'clock'>, { resolve }: Outgoing): Aggregation {
  const apiServices = new ApiServices({
    resolve,
    now: () => clock.now(),
    clientCertificate: () => clientCertificate(flags),
    compareVersions: (a, b) => compareVersions(b, a),
  });
  const serveGroups = groupDiscovery(apiServices, { apiGroup: APIGroup, apiGroupList: APIGroupList });
  const refuseRedirects = flags.boolean('aggregator-reject-forwarding-redirect');
  return {
    apiServices,
    step: aggregate({ apiServices, serveGroups, refuseRedirects }),
    failingGroupVersions: () => apiServices.failingGroupVersions(),
  };
}

/** Read for each server that is registered or changes: a renewed certificate is shown from then on. */
function clientCertificate(flags: ServerOptions['flags']): { readonly cert?: string; readonly key?: string } {
  const [cert, key] = [flags.text('proxy-client-cert-file'), flags.text('proxy-client-key-file')];
  return cert === '' || key === '' ? {} : { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}
