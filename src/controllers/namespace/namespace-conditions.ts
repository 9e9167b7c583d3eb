// What a namespace that is being deleted says about it: five conditions, with the reasons and words of the original.
import type { GroupResource } from '#api/names.ts';
import type { NamespaceCondition } from '#kinds/core/v1/namespace.ts';

/** What stands in the way, found in one pass over the namespace. */
export interface DeletionFindings {
  /** Why nothing is known of some group-versions, by `group/version`. */
  readonly undiscovered: ReadonlyMap<string, string>;
  /** What went wrong while content was deleted. */
  readonly failures: readonly string[];
  readonly remaining: readonly RemainingContent[];
}

export interface RemainingContent {
  readonly resource: GroupResource;
  readonly count: number;
  /** How many of them wait for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

type Verdict = Pick<NamespaceCondition, 'status' | 'reason' | 'message'>;

/** In the order in which they are added. */
const allIsWell = {
  NamespaceDeletionDiscoveryFailure: ['ResourcesDiscovered', 'All resources successfully discovered'],
  NamespaceDeletionGroupVersionParsingFailure: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  NamespaceDeletionContentFailure: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
  NamespaceContentRemaining: ['ContentRemoved', 'All content successfully removed'],
  NamespaceFinalizersRemaining: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
} as const;

type ConditionType = keyof typeof allIsWell;

/** The conditions as they should be; undefined when they are. Those of other writers stay. */
export function missingConditions(current: readonly NamespaceCondition[], findings: DeletionFindings, now: string): readonly NamespaceCondition[] | undefined {
  const problems = problemsOf(findings);
  let isChanged = false;
  const conditions = [...current];
  for (const [type, [reason, message]] of Object.entries(allIsWell)) {
    const verdict = problems[type as ConditionType] ?? { status: 'False', reason, message };
    const index = conditions.findIndex((condition) => condition.type === type);
    const before = conditions[index];
    if (before && before.status === verdict.status && before.reason === verdict.reason && before.message === verdict.message) continue;
    const lastTransitionTime = before?.status === verdict.status ? before.lastTransitionTime : now;
    const condition = { ...before, type, ...verdict, lastTransitionTime } as NamespaceCondition;
    if (before === undefined) conditions.push(condition);
    else conditions[index] = condition;
    isChanged = true;
  }
  return isChanged ? conditions : undefined;
}

/** The error of client-go's discovery for group-versions of which nothing is known. */
export function discoveryError(undiscovered: ReadonlyMap<string, string>): string {
  const named = [...undiscovered].map(([groupVersion, why]) => `${groupVersion}: ${why}`).sort();
  return `unable to retrieve the complete list of server APIs: ${named.join(', ')}`;
}

function problemsOf({ undiscovered, failures, remaining }: DeletionFindings): Partial<Record<ConditionType, Verdict>> {
  const finalizers = totals(remaining);
  const content = remaining.map(({ resource: { resource, group }, count }) => `${resource}.${group} has ${count} resource instances`);
  const waiting = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  return {
    ...(undiscovered.size > 0 && {
      NamespaceDeletionDiscoveryFailure: problem(
        'DiscoveryFailed',
        `Discovery failed for some groups, ${undiscovered.size} failing: ${discoveryError(undiscovered)}`,
      ),
    }),
    ...(failures.length > 0 && {
      NamespaceDeletionContentFailure: problem(
        'ContentDeletionFailed',
        `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(', ')}`,
      ),
    }),
    ...(content.length > 0 && {
      NamespaceContentRemaining: problem('SomeResourcesRemain', `Some resources are remaining: ${content.sort().join(', ')}`),
    }),
    ...(waiting.length > 0 && {
      NamespaceFinalizersRemaining: problem('SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${waiting.sort().join(', ')}`),
    }),
  };
}

function problem(reason: string, message: string): Verdict {
  return { status: 'True', reason, message };
}

function totals(remaining: readonly RemainingContent[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { finalizers } of remaining) for (const [name, count] of finalizers) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}
