// Estimates of what calls of the Kubernetes libraries cost: apiserver's pkg/cel/library/cost.go, and the overloads that cel-go's sets and lists bring their
// own estimates for. Definitions are refused by these numbers: they are API.
import type { CallEstimate, CostNode, EstimatedCall } from '#cel/cost/cost-node.ts';
import { add, type Estimate, exactly, multiply, scale, unbounded, union } from '#cel/cost/estimate.ts';
import { listCreateCost, regexLengthFactor, structCreateCost, traversalFactor } from '#cel/cost/factors.ts';
import { listExtensionEstimate } from '#cel/cost/list-extension-estimate.ts';
import { sameType } from '#cel/type.ts';

type Estimator = (call: EstimatedCall) => CallEstimate | undefined;

export function kubernetesCallEstimate(call: EstimatedCall): CallEstimate | undefined {
  return listExtensionEstimate(call) ?? estimators.get(call.function)?.(call);
}

/** Two checks are what one expression can afford. */
export const authorizationCheckCost = 350_000;
/** The longest pattern that the check of a name may use. */
const nameFormatLength = 128;
/** The longest name of a format. */
const formatNameLength = 64;
/** A requirement of a selector takes two characters at least (`k,`), and a struct with a list. */
const requirementsPerCharacter = 0.5;

const nominal: Estimator = () => ({ cost: exactly(1) });
const check: Estimator = () => ({ cost: exactly(authorizationCheckCost) });

const traverseArgument: Estimator = ({ args: [text], sizeOf }) => (text === undefined ? undefined : { cost: scale(sizeOf(text), traversalFactor) });

const traverseArgumentTwice: Estimator = ({ args: [text], sizeOf }) => (text === undefined ? undefined : { cost: scale(sizeOf(text), 2 * traversalFactor) });

/** What is made of the argument is as long as it. */
const rewriteArgument: Estimator = ({ args, sizeOf }) => {
  const [text] = args;
  if (text === undefined || args.length !== 1) return undefined;
  const size = sizeOf(text);
  return { cost: scale(size, traversalFactor), resultSize: size };
};

const rewriteTarget: Estimator = ({ target, sizeOf }) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  return { cost: scale(size, traversalFactor), resultSize: size };
};

/** `ip()` of a network only reads a field. */
const ip: Estimator = (call) => (call.overloadId === 'cidr_ip' ? nominal(call) : traverseArgument(call));

export function selectorCost(length: Estimate): Estimate {
  const requirements = scale(scale(length, requirementsPerCharacter), listCreateCost + structCreateCost);
  return add(add(exactly(listCreateCost), scale(length, traversalFactor)), requirements);
}

const selector: Estimator = ({ args, sizeOf }) => {
  const [text] = args;
  return text === undefined || args.length !== 1 ? undefined : { cost: selectorCost(sizeOf(text)) };
};

/** Every element is compared once; texts among them are read. A text as receiver (indexOf) is read once. */
const traverseList: Estimator = ({ target, sizeOf }) => {
  if (target === undefined) return undefined;
  const element = elementOf(target);
  if (element === undefined) return { cost: scale(sizeOf(target), traversalFactor) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const perElement = isText ? add(exactly(1), scale(sizeOf(element), traversalFactor)) : exactly(1);
  return { cost: multiply(sizeOf(target), perElement) };
};

function elementOf(list: CostNode): CostNode | undefined {
  const [type] = list.type.params;
  return type === undefined ? undefined : { path: list.path === undefined ? undefined : [...list.path, '@items'], type, expr: undefined, size: undefined };
}

const replace: Estimator = ({ target, args: [from, to], sizeOf }) => {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const size = sizeOf(target);
  const longest = longestReplacement(size.max, sizeOf(from).min, sizeOf(to).max);
  const shortest = shortestReplacement(size.min, sizeOf(from).max, sizeOf(to).min);
  const replaced = multiply({ min: shortest.count, max: longest.count }, sizeOf(to));
  return { cost: scale(size, 2 * traversalFactor), resultSize: add(replaced, { min: shortest.kept, max: longest.kept }) };
};

interface Replacement {
  readonly count: number;
  /** Of the original text. */
  readonly kept: number;
}

/** Replacing the empty text puts the replacement around every character. */
function longestReplacement(length: number, from: number, to: number): Replacement {
  if (from === 0) return { count: Math.min(length + 1, unbounded), kept: length };
  return to <= from ? { count: 0, kept: length } : { count: Math.ceil(length / from), kept: 0 };
}

function shortestReplacement(length: number, from: number, to: number): Replacement {
  if (from === 0) return { count: Math.min(length + 1, unbounded), kept: length };
  return from <= to ? { count: 0, kept: length } : { count: Math.ceil(length / from), kept: 0 };
}

/** At worst every character becomes an element. */
const split: Estimator = ({ target, args: [, limit], sizeOf }) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const given = limit?.expr?.kind === 'constant' && typeof limit.expr.value === 'bigint' ? Number(BigInt.asUintN(64, limit.expr.value)) : undefined;
  return { cost: scale(size, 2 * traversalFactor), resultSize: { min: 0, max: given ?? size.max } };
};

const join: Estimator = ({ target, args: [separator], sizeOf }) => {
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const element = elementOf(target);
  let size = element === undefined ? exactly(0) : multiply(count, sizeOf(element));
  if (separator !== undefined) size = add(size, multiply(sizeOf(separator), { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) }));
  return { cost: scale(size, traversalFactor), resultSize: size };
};

const find: Estimator = ({ target, args: [pattern], sizeOf }) => {
  if (target === undefined || pattern === undefined) return undefined;
  const size = sizeOf(target);
  const cost = multiply(scale(add(size, exactly(1)), traversalFactor), scale(sizeOf(pattern), regexLengthFactor));
  return { cost, resultSize: { min: 0, max: size.max } };
};

/** Comparing the bytes of two addresses; a network is masked first, and a text must be parsed. */
const containsAddress: Estimator = ({ function: name, overloadId, args: [other], sizeOf }) => {
  if (other === undefined) return undefined;
  const bytes = { min: 4, max: 16 };
  const compared = scale(add(bytes, bytes), traversalFactor);
  const masked = name === 'containsCIDR' ? add(add(compared, scale(bytes, traversalFactor)), exactly(1)) : compared;
  return { cost: overloadId.endsWith('_string') ? add(masked, scale(sizeOf(other), traversalFactor)) : masked };
};

const validateFormat: Estimator = ({ args: [text], sizeOf }) =>
  text === undefined ? undefined : { cost: scale(scale(sizeOf(text), traversalFactor), nameFormatLength * regexLengthFactor) };

const constantTimeEquality: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

const equality: Estimator = ({ args: [left, right] }) => {
  if (left === undefined || right === undefined || !sameType(left.type, right.type)) return undefined;
  const { name } = left.type;
  if (constantTimeEquality.has(name)) return { cost: exactly(1) };
  if (name === 'kubernetes.NamedFormat') return { cost: scale({ min: 1, max: formatNameLength }, traversalFactor) };
  if (name !== 'kubernetes.URL') return undefined;
  // Upstream takes the right operand for both.
  const size = right.size === undefined ? exactly(1) : union(right.size, right.size);
  return { cost: scale({ min: 1, max: size.max }, traversalFactor) };
};

const authorizerSteps = ['serviceAccount', 'path', 'group', 'resource', 'subresource', 'namespace', 'name', 'allowed', 'reason', 'error', 'errored'];
const addressFacts = ['masked', 'prefixLength', 'family', 'isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'];
const amountFacts = [
  'sign',
  'asInteger',
  'isInteger',
  'asApproximateFloat',
  'isGreaterThan',
  'isLessThan',
  'compareTo',
  'add',
  'sub',
  'major',
  'minor',
  'patch',
];
const urlFacts = ['getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery'];

/** Functions whose cost does not depend on their arguments, at run time neither. */
export const nominalFunctions: readonly string[] = [...authorizerSteps, ...addressFacts, ...amountFacts, ...urlFacts, 'format.named'];

const estimators: ReadonlyMap<string, Estimator> = new Map([
  ...nominalFunctions.map((name): [string, Estimator] => [name, nominal]),
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, Estimator] => [name, traverseList]),
  ...['url', 'jsonpatch.escapeKey'].map((name): [string, Estimator] => [name, rewriteArgument]),
  ...['lowerAscii', 'upperAscii', 'substring', 'trim'].map((name): [string, Estimator] => [name, rewriteTarget]),
  ...['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map((name): [string, Estimator] => [name, traverseArgument]),
  ...['fieldSelector', 'labelSelector'].map((name): [string, Estimator] => [name, selector]),
  ...['find', 'findAll'].map((name): [string, Estimator] => [name, find]),
  ...['containsIP', 'containsCIDR'].map((name): [string, Estimator] => [name, containsAddress]),
  ['check', check],
  ['ip', ip],
  ['ip.isCanonical', traverseArgumentTwice],
  ['replace', replace],
  ['split', split],
  ['join', join],
  ['validate', validateFormat],
  ['_==_', equality],
]);
