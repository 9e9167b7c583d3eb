import type { BuildController } from '#app/loops/registration.ts';
import { serviceCidrController } from '#controllers/service-cidrs/service-cidr-controller.ts';

export const buildServiceCidrController: BuildController = ({ server: { reads }, loops, client }) =>
  serviceCidrController({ ...loops, client, sources: reads.sources, clock: reads.clock });
