/** The budgets of apiserver's pkg/apis/cel and of apiextensions' validation. */

/** One evaluation of one expression. */
export const perCallLimit = 1_000_000;
/** All expressions run for one custom resource, or for one binding of a policy. */
export const runtimeBudget = 10_000_000;
/** All matchConditions of one webhook or binding. */
export const matchConditionsBudget = runtimeBudget / 4;
/** Estimated cost of one rule of a definition; more than this is refused. */
export const staticRuleLimit = 10_000_000;
/** Estimated cost of all rules of a definition. */
export const staticDefinitionLimit = 100_000_000;
/** The largest request: what unbounded lists, maps and strings are measured by. */
export const maximumRequestBytes = 3 * 1024 * 1024;
/** What is said where expressions together cost more than they may. */
export const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
/** The longest text a messageExpression may give. */
export const maximumMessageBytes = 5 * 1024;

/** How often data of a size can occur in one request: what a rule below unbounded lists and maps is multiplied by. */
export function maximumCardinality(minimumBytes: number): number {
  // At least one comma stands between two elements.
  return Math.floor(maximumRequestBytes / (minimumBytes + 1));
}
