import type { BuildController } from '#app/loops/registration.ts';
import { endpointSliceController } from '#controllers/endpoints/endpoint-slice-controller.ts';
import { endpointSliceMirroring } from '#controllers/endpoints/endpoint-slice-mirroring-controller.ts';
import { endpointsController } from '#controllers/endpoints/endpoints-controller.ts';

export const buildEndpointsController: BuildController = ({ server: { reads }, loops, client }) =>
  endpointsController({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildEndpointSliceController: BuildController = ({ server: { reads }, loops, client }) =>
  endpointSliceController({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildEndpointSliceMirroring: BuildController = ({ server: { reads }, loops, client }) =>
  endpointSliceMirroring({ ...loops, client, sources: reads.sources, clock: reads.clock });
