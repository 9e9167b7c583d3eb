// How the quota controller counts: with the rules of admission, and with what admission has charged but not seen stored yet.
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import { resourcesOf, usageOf } from '#admission/quota/usage.ts';
import { addTo, formatAmounts } from '#admission/resource-list.ts';
import type { ApiServer } from '#app/api-server.ts';
import { addressIn } from '#app/client-writer.ts';
import { watchItems } from '#app/follow-cache.ts';
import type { Log } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import type { QuotaControllerOptions } from '#controllers/resource-quota-controller.ts';

export function quotaControllerOptions({ api, log, ledger }: { api: ApiServer; log: Log; ledger: QuotaLedger }): QuotaControllerOptions {
  const { catalog, clock, gate } = api.world;
  return {
    client: api.client,
    log,
    timers: systemTimers,
    follow: async ({ group, resource }, listener, signal) => {
      const served = catalog.versionsOf(group, resource)[0];
      if (served) await watchItems(api.world, catalog.hubOf(served), listener, signal);
    },
    resourcesOf,
    isCharge: ({ namespace, name, revision }) => ledger.wrote(namespace, name, revision),
    addressOf: (resource) => {
      const served = catalog.versionsOf(resource.group, resource.resource)[0];
      return served?.namespaced && served.verbs.includes('list') ? addressIn(catalog, resource) : undefined;
    },
    async count(quota, list) {
      const { namespace = '', name = '' } = quota.metadata;
      // Before the lists: what is no longer pending then is found in them.
      const pending = ledger.pending(namespace, name);
      const used = await usageOf(quota, list, { now: clock.now(), gate });
      addTo(used, pending);
      return { used: formatAmounts(used), certain: pending.size === 0 };
    },
  };
}
