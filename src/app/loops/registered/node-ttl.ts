import type { BuildController } from '#app/loops/registration.ts';
import { nodeTtl } from '#controllers/node-ttl-controller.ts';

export const buildNodeTtl: BuildController = ({ server: { reads }, loops, client }) => nodeTtl({ ...loops, client, sources: reads.sources });
