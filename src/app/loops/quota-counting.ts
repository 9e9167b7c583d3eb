// How the quota controller counts: with the rules of admission, and with what admission has charged but not seen stored yet.
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import { resourcesOf, usageOf } from '#admission/quota/usage.ts';
import { addTo, formatAmounts } from '#admission/resource-list.ts';
import type { ApiServer } from '#app/api-server.ts';
import { addressIn } from '#app/client-writer.ts';
import type { QuotaControllerOptions } from '#controllers/resource-quota-controller.ts';

type Counting = Pick<QuotaControllerOptions, 'resourcesOf' | 'isCharge' | 'addressOf' | 'count'>;

export function quotaCounting({ reads: { catalog, clock, gate } }: ApiServer, ledger: QuotaLedger): Counting {
  return {
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
