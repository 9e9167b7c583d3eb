// Terms of affinity between pods, parsed once: which pods they are about, and which label of nodes makes them neighbours.
import { everyLabel, type LabelSelector, labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { Labels } from '#api/label-match.ts';
import type { PodAffinityTerm, WeightedPodAffinityTerm } from '#kinds/core/v1/container/affinity.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

/** What a term looks at. */
export interface LabelledPod {
  readonly namespace: string;
  readonly labels: Labels;
}

export interface AffinityTerm {
  readonly topologyKey: string;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: LabelSelector;
  readonly selector: LabelSelector;
}

export interface WeightedTerm extends AffinityTerm {
  readonly weight: number;
}

export interface AffinityTerms {
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly preferred: readonly WeightedTerm[];
  readonly preferredAnti: readonly WeightedTerm[];
  /** The pod names a neighbour at all, wanted or not. */
  readonly any: boolean;
}

const none: AffinityTerms = { required: [], requiredAnti: [], preferred: [], preferredAnti: [], any: false };

export function affinityTermsOf({ spec }: Pod, namespace: string): AffinityTerms {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  if (podAffinity === undefined && podAntiAffinity === undefined) return none;
  const plain = (terms: readonly PodAffinityTerm[] = []) => terms.map((term) => termOf(term, namespace));
  const weighted = (terms: readonly WeightedPodAffinityTerm[] = []) =>
    terms.map(({ weight = 0, podAffinityTerm }) => ({ ...termOf(podAffinityTerm, namespace), weight }));
  return {
    required: plain(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAnti: plain(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferred: weighted(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAnti: weighted(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    any: true,
  };
}

/** Without namespaces and a selector of them the pod's own counts. */
function termOf({ labelSelector, namespaces = [], namespaceSelector, topologyKey = '' }: PodAffinityTerm, own: string): AffinityTerm {
  return {
    topologyKey,
    namespaces: new Set(namespaces.length === 0 && namespaceSelector === undefined ? [own] : namespaces),
    namespaceSelector: labelSelectorFrom(namespaceSelector as LabelSelectorObject | undefined),
    selector: labelSelectorFrom(labelSelector as LabelSelectorObject | undefined),
  };
}

/** `namespaceLabels` are those of the pod's namespace. */
export function termMatches(term: AffinityTerm, pod: LabelledPod, namespaceLabels: Labels | undefined): boolean {
  if (!term.namespaces.has(pod.namespace) && !(term.namespaceSelector === everyLabel || term.namespaceSelector.matches(namespaceLabels ?? {}))) return false;
  return term.selector.matches(pod.labels);
}

/** False where there is no term at all. */
export function allTermsMatch(terms: readonly AffinityTerm[], pod: LabelledPod, namespaceLabels?: Labels): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, pod, namespaceLabels));
}
