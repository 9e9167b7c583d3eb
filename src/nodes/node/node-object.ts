// A Node as a kubelet registers it, and the status it keeps. Wherever people look it says that nothing runs there.
import { simulatedAnnotation, simulatedText } from '#api/simulated-node.ts';
import type { KubernetesObject } from '#api/object.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Node, NodeCondition, NodeStatus } from '#kinds/core/v1/node/node.ts';

export type StoredNode = Node & KubernetesObject;

export interface NodeFacts {
  readonly name: string;
  readonly hostIP: string;
  /** `v1.36.4`: what `kubectl get nodes` shows. */
  readonly kubeletVersion: string;
  /** Undefined: node-ipam-controller gives it. */
  readonly podCIDR: string | undefined;
  readonly now: Date;
}

const size = { cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '110', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0' };

export function newNode(facts: NodeFacts) {
  const { name, podCIDR } = facts;
  const labels = {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
  };
  const annotations = { [simulatedAnnotation]: simulatedText, 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
  return {
    kind: 'Node',
    metadata: { name, labels, annotations },
    spec: podCIDR === undefined ? {} : { podCIDR, podCIDRs: [podCIDR] },
    status: nodeStatus(undefined, facts),
  };
}

/** What is stored keeps its sizes and addresses, so that nodes made by hand can be as large as one likes. */
export function nodeStatus(before: NodeStatus | undefined, facts: NodeFacts): NodeStatus {
  const { name, hostIP } = facts;
  const capacity = isEmpty(before?.capacity) ? size : before?.capacity;
  return {
    ...before,
    capacity,
    allocatable: isEmpty(before?.allocatable) ? capacity : before?.allocatable,
    conditions: nodeConditions(before?.conditions ?? [], wholeSeconds(facts.now)),
    addresses: before?.addresses?.length
      ? before.addresses
      : [
          { type: 'InternalIP', address: hostIP },
          { type: 'Hostname', address: name },
        ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: nodeInfo(facts),
  } as NodeStatus;
}

function isEmpty(map: object | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}

const healthy: readonly (readonly [string, string, string, string])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', simulatedText],
];

/** Conditions of others stay. */
function nodeConditions(before: readonly NodeCondition[], now: string): NodeCondition[] {
  const own = healthy.map(([type, status, reason, message]) => {
    const known = before.find((condition) => condition.type === type);
    const lastTransitionTime = known?.status === status && known.lastTransitionTime ? known.lastTransitionTime : now;
    return { type, status, lastHeartbeatTime: now, lastTransitionTime, reason, message } as NodeCondition;
  });
  return [...before.filter(({ type }) => !healthy.some(([name]) => name === type)), ...own];
}

/** The node itself has to say so again: it is new, or was given up while nobody played it. */
export function isUnwell({ status }: StoredNode): boolean {
  return healthy.some(([type, wanted]) => status?.conditions?.find((condition) => condition.type === type)?.status !== wanted);
}

function nodeInfo({ name, kubeletVersion }: NodeFacts): NodeStatus['nodeInfo'] {
  return {
    machineID: name,
    systemUUID: name,
    bootID: name,
    kernelVersion: 'none',
    osImage: `Simulated (${simulatedText})`,
    containerRuntimeVersion: 'simulated://1.0.0',
    kubeletVersion,
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: 'amd64',
  } as NodeStatus['nodeInfo'];
}
