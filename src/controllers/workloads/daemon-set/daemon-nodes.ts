// On which nodes a DaemonSet has pods: those that its template may be scheduled to, judged as kube-scheduler would, but for room.
import type { KubernetesObject } from '#api/object.ts';
import type { SourceItem } from '#api/source.ts';
import { type TaintFacts, toleratesTaint } from '#api/taints.ts';
import { kinds } from '#client/kinds.ts';
import { labelsTest, nodeSelectorTest } from '#controllers/nodes/node-selection.ts';
import { ControlledObjects, type ObjectView, objectViewOf, oncePerServer } from '#controllers/workloads/controlled-objects.ts';
import type { DaemonSet } from '#kinds/apps/v1/daemon-set.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';

export type StoredDaemonSet = DaemonSet & KubernetesObject;
type StoredNode = Node & KubernetesObject;

export interface NodeView extends ObjectView {
  readonly taints: readonly TaintFacts[];
}

export type KnownNodes = ControlledObjects<StoredNode, NodeView>;

export const knownNodes = oncePerServer((sources): KnownNodes => new ControlledObjects(sources.of<StoredNode>(kinds.nodes), nodeViewOf));

function nodeViewOf(item: SourceItem<StoredNode>): NodeView {
  return { ...objectViewOf(item), taints: (item.object.spec?.taints ?? []) as readonly TaintFacts[] };
}

/** `run`: a pod should be made there; `stay`: one that is there may go on. */
export interface Verdict {
  readonly run: boolean;
  readonly stay: boolean;
}

const no: Verdict = { run: false, stay: false };

/** Reads the template once for all nodes. */
export function nodeJudge({ spec }: StoredDaemonSet): (node: NodeView) => Verdict {
  const pod = spec.template.spec ?? ({} as PodSpec);
  const tolerations = daemonTolerations(pod);
  const hasLabels = labelsTest(pod.nodeSelector ?? {});
  const required = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const isSelected = required ? nodeSelectorTest(required) : () => true;
  return (node) => {
    if ((pod.nodeName && pod.nodeName !== node.name) || !hasLabels(node) || !isSelected(node)) return no;
    const untolerated = node.taints.filter((taint) => !tolerations.some((toleration) => toleratesTaint(toleration, taint)));
    const drivesOut = untolerated.some(({ effect }) => effect === 'NoExecute');
    return { run: !drivesOut && !untolerated.some(({ effect }) => effect === 'NoSchedule'), stay: !drivesOut };
  };
}

const always: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const onTheHost: Toleration = { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' };

/** Pods of a DaemonSet stay where others must go. */
export function daemonTolerations({ tolerations = [], hostNetwork }: PodSpec): readonly Toleration[] {
  return [...always, ...(hostNetwork ? [onTheHost] : [])].reduce<readonly Toleration[]>(withToleration, tolerations);
}

/** One that is about the same takes its place. */
function withToleration(before: readonly Toleration[], added: Toleration): readonly Toleration[] {
  const place = before.findIndex(
    ({ key, operator, effect, value = '' }) => key === added.key && operator === added.operator && effect === added.effect && value === '',
  );
  return place < 0 ? [...before, added] : before.with(place, added);
}
