// What a stricter label would have refused: told when the label is set, once per kind of finding.
import type { Lister } from '#api/lister.ts';
import { evaluate, reasons } from '#admission/pod-security/evaluate.ts';
import { formatLevelVersion, type LevelVersion } from '#admission/pod-security/policy.ts';
import { subjectOf } from '#admission/pod-security/subject.ts';
import { pods, type StoredPod } from '#admission/request-subject.ts';
import { nextTurn } from '#base/next-turn.ts';

const mostPods = 3000;
const podsPerTurn = 200;

export async function existingPodWarnings(lister: Lister, namespace: string, enforce: LevelVersion, exempt: readonly string[]): Promise<string[]> {
  const all = byImportance((await lister.list<StoredPod>(pods, namespace)).filter(({ spec }) => !exempt.includes(spec.runtimeClassName ?? '')));
  const violators = new Map<string, string[]>();
  for (const [index, pod] of all.slice(0, mostPods).entries()) {
    if (index > 0 && index % podsPerTurn === 0) await nextTurn();
    const findings = evaluate(enforce, subjectOf(pod.metadata, pod.spec));
    const reason = reasons(findings);
    if (findings.length > 0) violators.set(reason, [...(violators.get(reason) ?? []), pod.metadata.name ?? '']);
  }
  const head = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${formatLevelVersion(enforce)}"`;
  const partly = `new PodSecurity enforce level only checked against the first ${mostPods} of ${all.length} existing pods`;
  return [...(all.length > mostPods ? [partly] : []), ...(violators.size > 0 ? [head] : []), ...[...violators].map(describe).toSorted()];
}

function describe([reason, names]: readonly [string, readonly string[]]): string {
  const first = names.toSorted()[0] ?? '';
  const others = names.length - 1;
  const more = others === 0 ? '' : ` (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
  return `${first}${more}: ${reason}`;
}

/** One pod of each controller first: the others look like it. */
function byImportance(all: readonly StoredPod[]): readonly StoredPod[] {
  const seen = new Set<string>();
  const repeats: StoredPod[] = [];
  const first = all.filter((pod) => {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
    const repeated = owner !== undefined && seen.has(owner);
    if (owner !== undefined) seen.add(owner);
    if (repeated) repeats.push(pod);
    return !repeated;
  });
  return [...first, ...repeats];
}
