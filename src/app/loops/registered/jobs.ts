import type { BuildController } from '#app/loops/registration.ts';
import { cronJobController } from '#controllers/workloads/cron-jobs/cron-job-controller.ts';
import { jobController } from '#controllers/workloads/jobs/job-controller.ts';

export const buildCronJobController: BuildController = ({ server: { reads }, loops, client }) =>
  cronJobController({ ...loops, client, sources: reads.sources, clock: reads.clock, localZone: new Intl.DateTimeFormat().resolvedOptions().timeZone });

export const buildJobController: BuildController = ({ server: { reads }, loops, client }) =>
  jobController({ ...loops, client, sources: reads.sources, clock: reads.clock });
