// The plugins of the profile `default-scheduler`, in the order of the original: it decides which reason a node is rejected for.
import type { Sources } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { Timers } from '#base/timers.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { Plugin } from '#scheduler/framework.ts';
import { defaultPreemption, type PreemptionOptions } from '#scheduler/plugins/default-preemption.ts';
import { imageLocality } from '#scheduler/plugins/image-locality.ts';
import { interPodAffinity } from '#scheduler/plugins/inter-pod-affinity.ts';
import { nodeAffinity } from '#scheduler/plugins/node-affinity.ts';
import { nodeDeclaredFeatures } from '#scheduler/plugins/node-declared-features.ts';
import { nodeName } from '#scheduler/plugins/node-name.ts';
import { nodePorts } from '#scheduler/plugins/node-ports.ts';
import { nodeResourcesBalanced, nodeResourcesFit } from '#scheduler/plugins/node-resources.ts';
import { nodeUnschedulable } from '#scheduler/plugins/node-unschedulable.ts';
import { nodeVolumeLimits } from '#scheduler/plugins/node-volume-limits.ts';
import { podTopologySpread } from '#scheduler/plugins/pod-topology-spread.ts';
import { schedulingGates } from '#scheduler/plugins/scheduling-gates.ts';
import { spreadConstraints } from '#scheduler/plugins/spread-constraints.ts';
import { taintToleration } from '#scheduler/plugins/taint-toleration.ts';
import { volumeBinding } from '#scheduler/plugins/volume-binding.ts';
import { volumeRestrictions } from '#scheduler/plugins/volume-restrictions.ts';
import { volumeZone } from '#scheduler/plugins/volume-zone.ts';
import type { WorkloadSelectors } from '#scheduler/plugins/workload-selectors.ts';
import type { VolumeWorld } from '#scheduler/volumes/volume-world.ts';

export interface PluginParts extends Pick<PreemptionOptions, 'preempt' | 'isPreempting' | 'random'> {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly volumes: VolumeWorld;
  readonly workloads: WorkloadSelectors;
  readonly claims: Plugin;
}

export function defaultPlugins({ volumes, workloads, claims, ...parts }: PluginParts): readonly Plugin[] {
  return [
    schedulingGates(),
    nodeUnschedulable(),
    nodeName(),
    taintToleration(),
    nodeAffinity(),
    nodePorts(),
    nodeResourcesFit(),
    volumeRestrictions(volumes),
    nodeVolumeLimits(volumes),
    volumeBinding({ ...parts, world: volumes }),
    volumeZone(volumes),
    podTopologySpread(spreadConstraints((pod) => workloads.of(pod))),
    interPodAffinity(),
    claims,
    defaultPreemption({ ...parts, budgets: parts.sources.of(kinds.podDisruptionBudgets) }),
    nodeResourcesBalanced(),
    imageLocality(),
    nodeDeclaredFeatures(),
  ];
}
