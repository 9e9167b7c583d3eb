// What gives pods their nodes.
import type { Registrations } from '#app/loops/registration.ts';

export const scheduling: Registrations = {
  scheduler: {
    account: 'the scheduler',
    load: async () => (await import('#app/loops/registered/scheduler.ts')).buildScheduler,
  },
};
