import type { BuildController } from '#app/loops/registration.ts';
import { resourceClaims } from '#controllers/resource-claims/resource-claim-controller.ts';

export const buildResourceClaims: BuildController = ({ server: { reads }, loops, client }) =>
  resourceClaims({ ...loops, client, sources: reads.sources, clock: reads.clock });
