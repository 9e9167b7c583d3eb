import type { BuildController } from '#app/loops/registration.ts';
import { rootCaPublisher } from '#controllers/service-accounts/namespace-defaults-controller.ts';

/** A serving certificate that was given without its authority leaves nothing to publish. */
export const buildRootCaPublisher: BuildController = ({ server: { reads, certificates }, loops, client }) => {
  const rootCa = String(certificates.servingCa ?? '');
  return rootCa === '' ? undefined : rootCaPublisher({ ...loops, client, sources: reads.sources, rootCa });
};
