// What calls of the Kubernetes libraries cost when they run: apiserver's pkg/cel/library/cost.go (CallCost), and cel-go's own for sets and lists.
import { listCreateCost, regexLengthFactor, structCreateCost, traversalFactor } from '#cel/cost/factors.ts';
import { authorizationCheckCost, nominalFunctions } from '#cel/cost/kubernetes-call-estimate.ts';
import type { ActualCost, CallCosts } from '#cel/library.ts';
import { FormatValue } from '#cel/library/format.ts';
import { type CelValue, actualSize, isList, isMap, isObject } from '#cel/value.ts';

export const kubernetesCallCosts: CallCosts = {
  find(functionName, overloadId) {
    if (functionName === '_==_') return equality;
    if (functionName === 'ip') return overloadId === 'cidr_ip' ? nominal : traverse;
    if (functionName === 'containsIP' || functionName === 'containsCIDR') return containsAddress(functionName, overloadId.endsWith('_string'));
    return overloadCosts.get(overloadId) ?? sortCost(overloadId) ?? functionCosts.get(functionName);
  },
  isUpfront: (overloadId) => upfrontOverloads.has(overloadId) || sortCost(overloadId) !== undefined,
};

/** Elements are compared with elements, texts are searched for patterns. */
const upfrontOverloads: ReadonlySet<string> = new Set([
  'list_sets_contains_list',
  'list_sets_intersects_list',
  'list_sets_equivalent_list',
  'list_distinct',
  'string_find_string',
  'string_find_all_string',
  'string_find_all_string_int',
]);

const nominal: ActualCost = () => 1;
const check: ActualCost = () => authorizationCheckCost;
const traverse: ActualCost = ([text]) => traversal(text, 1);
const traverseTwice: ActualCost = ([text]) => traversal(text, 2);
const traverseResultTwice: ActualCost = (_args, result) => traversal(result, 2);

function traversal(value: CelValue | undefined, times: number): number | undefined {
  return value === undefined ? undefined : Math.ceil(actualSize(value) * times * traversalFactor);
}

/** cel-go's own types are compared by their sizes; those of the libraries at once. */
const equality: ActualCost = ([left]) => (left !== undefined && isObject(left) ? 1 : undefined);

const selector: ActualCost = ([, text]) => {
  if (text === undefined) return undefined;
  const length = actualSize(text);
  return listCreateCost + Math.ceil(length * traversalFactor) + Math.ceil(Math.ceil(length * 0.5) * (listCreateCost + structCreateCost));
};

const traverseList: ActualCost = ([list]) => (list === undefined ? 0 : treeCost(list));

/** Texts count by their bytes, everything else that is no container as one. */
function treeCost(value: CelValue): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * traversalFactor);
  if (value instanceof Uint8Array) return Math.floor(value.length * traversalFactor);
  let cost = 0;
  if (isList(value)) for (const element of value) cost += treeCost(element);
  else if (isMap(value)) for (const key of value.keys()) cost += treeCost(key) + treeCost(value.get(key) ?? null);
  else return 1;
  return cost;
}

/** The text counts one more, so that an empty one does not make every pattern free. */
function patternCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * traversalFactor) * Math.ceil(patternSize * regexLengthFactor);
}

const find: ActualCost = ([text, pattern]) => (text === undefined || pattern === undefined ? undefined : patternCost(actualSize(text), actualSize(pattern)));

const validate: ActualCost = ([format, text]) =>
  format instanceof FormatValue && text !== undefined ? patternCost(actualSize(text), format.patternLength) : undefined;

/** The bytes that the network fixes are compared; a text is parsed first. */
function containsAddress(functionName: 'containsIP' | 'containsCIDR', parses: boolean): ActualCost {
  return ([cidr, other]) => {
    if (cidr === undefined || other === undefined) return undefined;
    const bytes = actualSize(cidr);
    const compared = Math.ceil(2 * bytes * traversalFactor);
    const masked = functionName === 'containsCIDR' ? compared + Math.ceil(bytes * traversalFactor) + 1 : compared;
    return parses ? masked + Math.ceil(actualSize(other) * traversalFactor) : masked;
  };
}

/** Every element of one list is looked for in the other. */
function crossed(factor: number): ActualCost {
  return ([left = null, right = null]) => 1 + Math.trunc(actualSize(left) * actualSize(right) * factor);
}

/** A call that makes a list. */
function making(size: number, factor: number): number {
  return Math.trunc(size * factor) + 1 + listCreateCost;
}

const makeResult: ActualCost = (_args, result) => making(actualSize(result), 1);
const flatten: ActualCost = ([list = null, depth]) => making(actualSize(list), typeof depth === 'bigint' ? Number(depth) : 1);

/** Elements are compared with each other. */
function comparing(position: 0 | 1): ActualCost {
  return (args) => {
    const list = args[position];
    if (list === undefined || !isList(list)) return undefined;
    const size = list.size();
    const first = size === 0 ? undefined : list.get(0);
    return making(size * size, typeof first === 'string' || first instanceof Uint8Array ? 2 + traversalFactor : 2);
  };
}

function sortCost(overloadId: string): ActualCost | undefined {
  const sorted = /^list_.+_(sort|sortByAssociatedKeys)$/.exec(overloadId);
  return sorted === null ? undefined : comparing(sorted[1] === 'sort' ? 0 : 1);
}

const overloadCosts: ReadonlyMap<string, ActualCost> = new Map([
  ['list_sets_contains_list', crossed(1)],
  ['list_sets_intersects_list', crossed(1)],
  ['list_sets_equivalent_list', crossed(2)],
  ['list_slice', makeResult],
  ['lists_range', makeResult],
  ['list_reverse', makeResult],
  ['list_flatten', flatten],
  ['list_flatten_int', flatten],
  ['list_distinct', comparing(0)],
]);

const traversing = [
  'url',
  'lowerAscii',
  'upperAscii',
  'substring',
  'trim',
  'jsonpatch.escapeKey',
  'cidr',
  'isIP',
  'isCIDR',
  'quantity',
  'isQuantity',
  'semver',
  'isSemver',
];

const functionCosts: ReadonlyMap<string, ActualCost> = new Map([
  ...nominalFunctions.map((name): [string, ActualCost] => [name, nominal]),
  ...traversing.map((name): [string, ActualCost] => [name, traverse]),
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, ActualCost] => [name, traverseList]),
  ...['replace', 'split', 'ip.isCanonical'].map((name): [string, ActualCost] => [name, traverseTwice]),
  ...['find', 'findAll'].map((name): [string, ActualCost] => [name, find]),
  ...['fieldSelector', 'labelSelector'].map((name): [string, ActualCost] => [name, selector]),
  ['check', check],
  ['join', traverseResultTwice],
  ['validate', validate],
]);
