// What scheduling needs to know of a pod, worked out when it is first asked for and then kept: nothing is parsed twice for a pod whose spec
// stays as it is.
import type { KubernetesObject } from '#api/object.ts';
import type { Labels } from '#api/label-match.ts';
import { type AffinityTerms, affinityTermsOf } from '#scheduler/cluster/affinity-terms.ts';
import { type HostPort, hostPortsOf } from '#scheduler/cluster/host-ports.ts';
import { labelsTest, type NodeTest, nodeSelectorTest } from '#controllers/nodes/node-selection.ts';
import { countedRequests, podRequests, scoredRequests } from '#scheduler/cluster/pod-requests.ts';
import type { Resources } from '#scheduler/cluster/resources.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export type StoredPod = Pod & KubernetesObject;

const noLabels: Labels = {};
const everyNode: NodeTest = () => true;

export class PodFacts {
  readonly pod: StoredPod;
  readonly namespace: string;
  readonly name: string;
  /** `namespace/name` */
  readonly key: string;
  readonly uid: string;
  readonly labels: Labels;
  readonly priority: number;
  /** Where it runs or is about to; empty: nowhere yet. */
  readonly nodeName: string;
  readonly #spec: SpecFacts;

  /** What was worked out for `before` counts on where it is about the same spec. */
  constructor(pod: StoredPod, before?: PodFacts, nodeName = pod.spec.nodeName ?? '') {
    const { namespace = '', name = '', uid = '', labels } = pod.metadata;
    this.pod = pod;
    this.namespace = namespace;
    this.name = name;
    this.key = `${namespace}/${name}`;
    this.uid = uid;
    this.labels = labels ?? noLabels;
    this.priority = pod.spec.priority ?? 0;
    this.nodeName = nodeName;
    this.#spec = before !== undefined && hasSameSpec(before.pod, pod) ? before.#spec : new SpecFacts(pod);
  }

  /** The same pod, counted on a node. */
  on(nodeName: string): PodFacts {
    return new PodFacts(this.pod, this, nodeName);
  }

  get nominatedNode(): string {
    return this.pod.status?.nominatedNodeName ?? '';
  }

  get tolerations(): readonly Toleration[] {
    return this.pod.spec.tolerations ?? [];
  }

  get isBeingDeleted(): boolean {
    return this.pod.metadata.deletionTimestamp !== undefined;
  }

  /** What must be free on its node. */
  get requests(): Resources {
    return this.#spec.requests;
  }

  /** What it takes on the node that it has; a resize under way counts. */
  get counted(): Resources {
    return this.#spec.counted;
  }

  /** What it takes in scores. */
  get countedForScores(): Resources {
    return this.#spec.countedForScores;
  }

  /** What it asks for in scores. */
  get scored(): Resources {
    return this.#spec.scored;
  }

  get hostPorts(): readonly HostPort[] {
    return this.#spec.hostPorts;
  }

  get affinity(): AffinityTerms {
    return this.#spec.affinity;
  }

  /** Its nodeSelector and its required node affinity together. */
  get suits(): NodeTest {
    return this.#spec.suits;
  }

  /** Pods with the same text get the same answer from every plugin that looks at the pod's spec and one node alone. */
  get signature(): string {
    return this.#spec.signature;
  }
}

/** The generation of a pod counts its specs; what a kubelet has granted stands in the status. */
function hasSameSpec(a: StoredPod, b: StoredPod): boolean {
  if (a === b) return true;
  if (a.metadata.uid !== b.metadata.uid || a.metadata.generation === undefined || a.metadata.generation !== b.metadata.generation) return false;
  // A binding does not count as a new spec.
  return !hasGrants(a) && !hasGrants(b);
}

function hasGrants({ status }: StoredPod): boolean {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].some(({ resources }) => resources !== undefined);
}

class SpecFacts {
  readonly #pod: StoredPod;
  #requests: Resources | undefined;
  #counted: Resources | undefined;
  #countedForScores: Resources | undefined;
  #scored: Resources | undefined;
  #hostPorts: readonly HostPort[] | undefined;
  #affinity: AffinityTerms | undefined;
  #suits: NodeTest | undefined;
  #signature: string | undefined;

  constructor(pod: StoredPod) {
    this.#pod = pod;
  }

  get requests(): Resources {
    return (this.#requests ??= podRequests(this.#pod));
  }

  get counted(): Resources {
    return (this.#counted ??= hasGrants(this.#pod) ? podRequests(this.#pod, { withStatus: true }) : this.requests);
  }

  get countedForScores(): Resources {
    return (this.#countedForScores ??= this.#pod.spec.resources === undefined && !hasGrants(this.#pod) ? this.scored : countedRequests(this.#pod));
  }

  get scored(): Resources {
    return (this.#scored ??= scoredRequests(this.#pod));
  }

  get hostPorts(): readonly HostPort[] {
    return (this.#hostPorts ??= hostPortsOf(this.#pod));
  }

  get affinity(): AffinityTerms {
    return (this.#affinity ??= affinityTermsOf(this.#pod, this.#pod.metadata.namespace ?? ''));
  }

  get suits(): NodeTest {
    return (this.#suits ??= suitsOf(this.#pod));
  }

  get signature(): string {
    return (this.#signature ??= signatureOf(this.#pod, this.requests, this.scored, this.hostPorts));
  }
}

function suitsOf({ spec: { nodeSelector, affinity } }: StoredPod): NodeTest {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const byLabels = nodeSelector && Object.keys(nodeSelector).length > 0 ? labelsTest(nodeSelector) : undefined;
  const byTerms = required && nodeSelectorTest(required);
  if (byLabels === undefined && byTerms === undefined) return everyNode;
  return (node) => (byLabels?.(node) ?? true) && (byTerms?.(node) ?? true);
}

function signatureOf({ spec }: StoredPod, requests: Resources, scored: Resources, ports: readonly HostPort[]): string {
  const { nodeName, nodeSelector, affinity, tolerations, hostNetwork, hostUsers } = spec;
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(({ image, restartPolicyRules }) => [image, restartPolicyRules]);
  const images = (spec.volumes ?? []).flatMap(({ image }) => (image === undefined ? [] : [image.reference]));
  const amounts = ({ cpu, memory, storage, scalars }: Resources) => [cpu, memory, storage, ...scalars];
  return JSON.stringify([
    [nodeName, nodeSelector, affinity?.nodeAffinity, tolerations, hostNetwork, hostUsers],
    [containers, images, ports],
    [amounts(requests), amounts(scored)],
  ]);
}
