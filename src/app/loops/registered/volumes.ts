import type { BuildController } from '#app/loops/registration.ts';
import { attachDetach } from '#controllers/volumes/attach/attach-detach-controller.ts';
import { attributesClassProtection } from '#controllers/volumes/attributes-class-protection-controller.ts';
import { volumeBinder } from '#controllers/volumes/binder/volume-binder-controller.ts';
import { claimExpansion } from '#controllers/volumes/claim-expansion-controller.ts';
import { claimProtection } from '#controllers/volumes/claim-protection-controller.ts';
import { ephemeralVolumes } from '#controllers/volumes/ephemeral-volume-controller.ts';
import { volumeProtection } from '#controllers/volumes/volume-protection-controller.ts';

export const buildVolumeProtection: BuildController = ({ server: { reads }, loops, client }) => volumeProtection({ ...loops, client, sources: reads.sources });

export const buildClaimProtection: BuildController = ({ server: { reads }, loops, client }) => claimProtection({ ...loops, client, sources: reads.sources });

export const buildAttributesClassProtection: BuildController = ({ server: { reads }, loops, client }) =>
  attributesClassProtection({ ...loops, client, sources: reads.sources });

export const buildVolumeBinder: BuildController = ({ server: { reads }, loops, client }) =>
  volumeBinder({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildClaimExpansion: BuildController = ({ server: { reads }, loops, client }) =>
  claimExpansion({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildEphemeralVolumes: BuildController = ({ server: { reads }, loops, client }) =>
  ephemeralVolumes({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildAttachDetach: BuildController = ({ server: { reads }, loops, client }) =>
  attachDetach({ ...loops, client, sources: reads.sources, clock: reads.clock });
