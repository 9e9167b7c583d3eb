// Jobs and CronJobs.
import type { Registrations } from '#app/loops/registration.ts';

export const batchControllers: Registrations = {
  'cronjob-controller': {
    account: 'cronjob-controller',
    load: async () => (await import('#app/loops/registered/jobs.ts')).buildCronJobController,
  },
  'job-controller': {
    account: 'job-controller',
    load: async () => (await import('#app/loops/registered/jobs.ts')).buildJobController,
  },
};
