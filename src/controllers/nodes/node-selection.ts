// Does a node suit a pod's nodeSelector and node affinity? Terms are parsed once per pod.
import { type LabelSelector, labelSelectorOf } from '#api/label-selector.ts';
import { integerOf, type LabelOperator, type LabelRequirement, type Labels } from '#api/label-match.ts';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '#kinds/core/v1/node-selector.ts';
import type { PreferredSchedulingTerm } from '#kinds/core/v1/container/affinity.ts';

export interface NodeName {
  readonly name: string;
  readonly labels: Labels;
}

export type NodeTest = (node: NodeName) => boolean;

/** A term of a selector; undefined: it is empty or cannot be read, and matches nothing. */
type Term = NodeTest | undefined;

/** One of the terms must match. */
export function nodeSelectorTest({ nodeSelectorTerms = [] }: NodeSelector): NodeTest {
  const terms = nodeSelectorTerms.map(termTest).filter((term) => term !== undefined);
  return (node) => terms.some((term) => term(node));
}

/** The sum of the weights of all terms that match. */
export function preferredNodes(terms: readonly PreferredSchedulingTerm[]): (node: NodeName) => number {
  const tests = terms.flatMap(({ weight = 0, preference }) => {
    const test = weight === 0 ? undefined : termTest(preference);
    return test === undefined ? [] : [{ weight, test }];
  });
  return (node) => tests.reduce((sum, { weight, test }) => (test(node) ? sum + weight : sum), 0);
}

/** Every label of a pod's nodeSelector must be there. */
export function labelsTest(wanted: Labels): NodeTest {
  const entries = Object.entries(wanted);
  return ({ labels }) => entries.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** The names that a selector allows by `metadata.name`; undefined: it allows others too. */
export function namesIn({ nodeSelectorTerms = [] }: NodeSelector): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const { matchFields = [] } of nodeSelectorTerms) {
    const sets = matchFields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In').map(({ values = [] }) => new Set(values));
    const [first, ...others] = sets;
    if (first === undefined) return undefined;
    for (const name of first) if (others.every((other) => other.has(name))) names.add(name);
  }
  return nodeSelectorTerms.length === 0 ? undefined : names;
}

function termTest({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): Term {
  if (matchExpressions.length === 0 && matchFields.length === 0) return undefined;
  const byLabels = matchExpressions.length === 0 ? undefined : expressionSelector(matchExpressions);
  const byFields = matchFields.map(fieldTest);
  if ((matchExpressions.length > 0 && byLabels === undefined) || byFields.includes(undefined)) return undefined;
  return (node) => (byLabels?.matches(node.labels) ?? true) && byFields.every((test) => test?.(node.name));
}

const operators: Readonly<Record<string, LabelOperator | undefined>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

function expressionSelector(expressions: readonly NodeSelectorRequirement[]): LabelSelector | undefined {
  const requirements: LabelRequirement[] = [];
  for (const { key = '', operator = '', values = [] } of expressions) {
    const known = operators[operator];
    if (known === undefined) return undefined;
    if ((known === 'gt' || known === 'lt') && integerOf(values[0] ?? '') === undefined) return undefined;
    requirements.push({ key, operator: known, values });
  }
  return labelSelectorOf(requirements);
}

function fieldTest({ key, operator, values = [] }: NodeSelectorRequirement): ((name: string) => boolean) | undefined {
  const [value] = values;
  if (values.length !== 1 || (operator !== 'In' && operator !== 'NotIn')) return undefined;
  const isName = key === 'metadata.name';
  return (name) => ((isName ? name : '') === value) === (operator === 'In');
}
