// Which rules a ClusterRole with an aggregationRule should have. Pure.
import { type LabelSelectorObject, labelSelectorFrom } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';

export type ClusterRole = KubernetesObject & {
  readonly rules?: readonly object[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelectorObject[] };
};

/** The rules of all selected roles, each once, in the order of selectors and names; undefined when nothing is to be done. */
export function missingAggregation(role: ClusterRole, all: Iterable<ClusterRole>): readonly object[] | undefined {
  if (role.aggregationRule === undefined) return undefined;
  const roles = [...all].toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  const rules = new Map<string, object>();
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const { matches } = labelSelectorFrom(selector);
    for (const other of roles) {
      if (other.metadata.name === role.metadata.name || !matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) rules.set(JSON.stringify(rule), rule);
    }
  }
  const wanted = [...rules.values()];
  return JSON.stringify(wanted) === JSON.stringify(role.rules ?? []) ? undefined : wanted;
}
