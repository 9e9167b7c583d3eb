import type { BuildController } from '#app/loops/registration.ts';
import { daemonSetController } from '#controllers/workloads/daemon-set/daemon-set-controller.ts';
import { podTemplateHash } from '#kinds/core/v1/pod/pod-template-hash.ts';

export const buildDaemonSetController: BuildController = ({ server: { reads }, loops, client }) =>
  daemonSetController({ ...loops, client, sources: reads.sources, clock: reads.clock, templateHash: podTemplateHash });
