// Jobs, CronJobs and what scales by metrics.
import type { Registrations } from '#app/loops/registration.ts';

export const batchControllers: Registrations = {
  'cronjob-controller': {
    account: 'cronjob-controller',
    load: async () => (await import('#app/loops/registered/jobs.ts')).buildCronJobController,
  },
  'horizontal-pod-autoscaler-controller': {
    account: 'horizontal-pod-autoscaler',
    load: async () => (await import('#app/loops/registered/autoscaler.ts')).buildAutoscaler,
  },
  'job-controller': {
    account: 'job-controller',
    load: async () => (await import('#app/loops/registered/jobs.ts')).buildJobController,
  },
};
