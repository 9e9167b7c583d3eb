import type { BuildController } from '#app/loops/registration.ts';
import { bootstrapSigner } from '#controllers/bootstrap-tokens/bootstrap-signer-controller.ts';
import { tokenCleaner } from '#controllers/bootstrap-tokens/token-cleaner-controller.ts';

export const buildBootstrapSigner: BuildController = ({ server: { reads }, loops, client }) =>
  bootstrapSigner({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildTokenCleaner: BuildController = ({ server: { reads }, loops, client }) =>
  tokenCleaner({ ...loops, client, sources: reads.sources, clock: reads.clock });
