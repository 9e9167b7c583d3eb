// The operations of controllers.mjs --batch: what people do with Jobs, CronJobs and HorizontalPodAutoscalers. The kubelets are played here, and so
// is the server of metrics.
import { autoscalerControllers, comparedAutoscalers, walkAutoscalers } from './autoscaler-walk.mjs';
import { comparedCronJobs, walkCronJobs } from './cron-walk.mjs';
import { walkJobs } from './job-walk.mjs';
import { comparableMessage, Walk } from './walk.mjs';

export const controllers = ['job-controller', 'cronjob-controller', 'garbage-collector-controller', ...autoscalerControllers];
/** Autoscalers are looked at every fifteen seconds otherwise. */
export const flags = ['--horizontal-pod-autoscaler-sync-period=1s'];

const namespace = 'walk';
const core = `/api/v1/namespaces/${namespace}`;
const compared = {
  jobs: `/apis/batch/v1/namespaces/${namespace}/jobs`,
  ...comparedCronJobs,
  ...comparedAutoscalers,
  pods: `${core}/pods`,
};

export function walkOn(origin) {
  return new BatchWalk(origin).run();
}

class BatchWalk extends Walk {
  constructor(origin) {
    super(origin, namespace, compared);
  }

  eventOf({ message, source }) {
    return { message: comparableMessage(message), source };
  }

  async run() {
    await this.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await this.ask('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } });
    const steps = { ask: this.ask.bind(this), merge: this.merge.bind(this), list: this.list.bind(this), until: this.until.bind(this) };
    await Promise.all([walkJobs(steps), walkCronJobs(steps), walkAutoscalers(steps)]);
    return this.settledState();
  }
}
