import type { BuildController } from '#app/loops/registration.ts';
import { claimProtection } from '#controllers/volumes/claim-protection-controller.ts';
import { volumeProtection } from '#controllers/volumes/volume-protection-controller.ts';

export const buildVolumeProtection: BuildController = ({ server: { reads }, loops, client }) => volumeProtection({ ...loops, client, sources: reads.sources });

export const buildClaimProtection: BuildController = ({ server: { reads }, loops, client }) => claimProtection({ ...loops, client, sources: reads.sources });
