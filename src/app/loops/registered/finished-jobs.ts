import type { BuildController } from '#app/loops/registration.ts';
import { finishedJobs } from '#controllers/finished-jobs-controller.ts';

export const buildFinishedJobs: BuildController = ({ server: { reads }, loops, client }) =>
  finishedJobs({ ...loops, client, sources: reads.sources, clock: reads.clock });
