import type { BuildController } from '#app/loops/registration.ts';
import { serviceAccountController } from '#controllers/service-accounts/namespace-defaults-controller.ts';

export const buildServiceAccountController: BuildController = ({ server: { reads }, loops, client }) =>
  serviceAccountController({ ...loops, client, sources: reads.sources });
