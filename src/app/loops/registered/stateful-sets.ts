import type { BuildController } from '#app/loops/registration.ts';
import { statefulSetController } from '#controllers/workloads/stateful-set/stateful-set-controller.ts';

export const buildStatefulSetController: BuildController = ({ server: { reads }, loops, client }) => {
  const allowsMaxUnavailable = reads.gate('MaxUnavailableStatefulSet');
  return statefulSetController({ ...loops, client, sources: reads.sources, clock: reads.clock, allowsMaxUnavailable });
};
