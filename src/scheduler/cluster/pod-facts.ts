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

/** What hands out the pod: an item of a source. The facts of a thousand pods must not keep a thousand parsed pods alive. */
export interface PodHolder {
  readonly object: StoredPod;
}

export class PodFacts {
  readonly #holder: PodHolder;
  readonly namespace: string;
  readonly name: string;
  /** `namespace/name` */
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string | undefined;
  readonly labels: Labels;
  readonly priority: number;
  /** Where it runs or is about to; empty: nowhere yet. */
  readonly nodeName: string;
  /** Empty: no node is kept for it. */
  readonly nominatedNode: string;
  readonly isBeingDeleted: boolean;
  /** The claims for devices that were made for it. */
  readonly deviceClaims: NonNullable<StoredPod['status']>['resourceClaimStatuses'];
  /** The names of the claims for volumes that it mounts. */
  readonly claims: readonly string[];
  /** Undefined: nobody can tell whether its spec is the same as another one's. */
  readonly #generation: number | undefined;
  readonly #spec: SpecFacts;

  /** What was worked out for `before` counts on where it is about the same spec. */
  constructor(holder: PodHolder, before?: PodFacts, nodeName?: string) {
    const { metadata, spec, status } = holder.object;
    const { namespace = '', name = '', uid = '' } = metadata;
    this.#holder = holder;
    this.namespace = namespace;
    this.name = name;
    this.key = `${namespace}/${name}`;
    this.uid = uid;
    this.resourceVersion = metadata.resourceVersion;
    this.labels = metadata.labels ?? noLabels;
    this.priority = spec.priority ?? 0;
    this.nodeName = nodeName ?? spec.nodeName ?? '';
    this.nominatedNode = status?.nominatedNodeName ?? '';
    this.isBeingDeleted = metadata.deletionTimestamp !== undefined;
    this.deviceClaims = status?.resourceClaimStatuses;
    // The generation of a pod counts its specs, but for a binding; what a kubelet has granted stands in the status.
    this.#generation = hasGrants(holder.object) ? undefined : metadata.generation;
    const isSame = before !== undefined && (before.#holder === holder || before.#hasSpecOf(this));
    this.#spec = isSame ? before.#spec : new SpecFacts(holder);
    this.claims = isSame ? before.claims : claimsOf(holder.object);
  }

  /** Parsed again where it was not looked at for long. */
  get pod(): StoredPod {
    return this.#holder.object;
  }

  #hasSpecOf(other: PodFacts): boolean {
    return this.uid === other.uid && this.#generation !== undefined && this.#generation === other.#generation;
  }

  /** Known without looking at either pod; false where nobody can tell. */
  sharesSpecWith(other: PodFacts): boolean {
    return this.#spec === other.#spec;
  }

  /** The same pod, counted on a node. */
  on(nodeName: string): PodFacts {
    return new PodFacts(this.#holder, this, nodeName);
  }

  get tolerations(): readonly Toleration[] {
    return this.pod.spec.tolerations ?? [];
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

function hasGrants({ status }: StoredPod): boolean {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].some(({ resources }) => resources !== undefined);
}

const noClaims: readonly string[] = [];

function claimsOf({ spec: { volumes = [] } }: StoredPod): readonly string[] {
  const claims = volumes.flatMap(({ persistentVolumeClaim }) => (persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName]));
  return claims.length === 0 ? noClaims : claims;
}

class SpecFacts {
  readonly #holder: PodHolder;
  #requests: Resources | undefined;
  #counted: Resources | undefined;
  #countedForScores: Resources | undefined;
  #scored: Resources | undefined;
  #hostPorts: readonly HostPort[] | undefined;
  #affinity: AffinityTerms | undefined;
  #suits: NodeTest | undefined;
  #signature: string | undefined;

  constructor(holder: PodHolder) {
    this.#holder = holder;
  }

  get #pod(): StoredPod {
    return this.#holder.object;
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
