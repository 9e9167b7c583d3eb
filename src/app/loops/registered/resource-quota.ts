import { quotaCounting } from '#app/loops/quota-counting.ts';
import type { BuildController } from '#app/loops/registration.ts';
import { resourceQuotaController } from '#controllers/resource-quota-controller.ts';

export const buildResourceQuotaController: BuildController = ({ server: { api, ledger, reads }, loops, client }) =>
  resourceQuotaController({ ...loops, ...quotaCounting(api, ledger), client, sources: reads.sources });
