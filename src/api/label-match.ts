// Do labels meet the requirements of a selector? Few requirements are tried one after the other. Many are sorted by key
// first, so that an object costs as much as it has labels, however many requirements a request brings.
export type LabelOperator = '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';
export type Labels = Readonly<Record<string, string>>;

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export type LabelTest = (labels: Labels) => boolean;

/** From here on sorting by key pays. */
const many = 16;

export function labelTestOf(requirements: readonly LabelRequirement[]): LabelTest {
  if (requirements.length >= many) return testByKey(requirements);
  return allOf(requirements.map(testOf));
}

/** Of a single test nothing but the test: calls for each of very many objects add up. */
function allOf(tests: readonly LabelTest[]): LabelTest {
  const [first] = tests;
  return first !== undefined && tests.length === 1 ? first : (labels) => tests.every((test) => test(labels));
}

/** A Go int64 in decimal. */
export function integerOf(text: string): bigint | undefined {
  if (text.length > longestInteger || !/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** More than a label value may have; BigInt takes more than linear time to read a long row of digits. */
const longestInteger = 64;

function testOf({ key, operator, values }: LabelRequirement): LabelTest {
  const wanted = new Set(values);
  const first = values[0] ?? '';
  const has = (labels: Labels) => Object.hasOwn(labels, key);
  switch (operator) {
    // What a key finds in Object.prototype is no text, so that values need not be asked for twice: a list looks at very many labels.
    case '=':
      return (labels) => labels[key] === first;
    case '!=':
      return (labels) => labels[key] !== first;
    case 'in':
      return (labels) => wanted.has(labels[key] as string);
    case 'notin':
      return (labels) => !wanted.has(labels[key] as string);
    case 'exists':
      return has;
    case '!':
      return (labels) => !has(labels);
    case 'gt':
    case 'lt':
      return comparison(key, operator, integerOf(first));
  }
}

function comparison(key: string, operator: 'gt' | 'lt', bound: bigint | undefined): LabelTest {
  return (labels) => {
    const value = Object.hasOwn(labels, key) ? integerOf(labels[key] ?? '') : undefined;
    if (value === undefined || bound === undefined) return false;
    return operator === 'gt' ? value > bound : value < bound;
  };
}

/** Everything that is required of one key, taken together. */
interface KeyRule {
  /** The object must have the key. */
  needed: boolean;
  /** The object must not have the key. */
  absent: boolean;
  /** Undefined: any value. */
  allowed: ReadonlySet<string> | undefined;
  readonly excluded: Set<string>;
  above: bigint | undefined;
  below: bigint | undefined;
  /** A bound that is no number, which no value meets. */
  impossible: boolean;
}

function testByKey(requirements: readonly LabelRequirement[]): LabelTest {
  const rules = new Map<string, KeyRule>();
  for (const requirement of requirements) addTo(ruleFor(rules, requirement.key), requirement);
  const needed = [...rules.values()].filter((rule) => rule.needed).length;
  return (labels) => {
    let found = 0;
    for (const key of Object.keys(labels)) {
      const rule = rules.get(key);
      if (rule === undefined) continue;
      if (!isMet(rule, labels[key] ?? '')) return false;
      if (rule.needed) found += 1;
    }
    return found === needed;
  };
}

function ruleFor(rules: Map<string, KeyRule>, key: string): KeyRule {
  const known = rules.get(key);
  if (known !== undefined) return known;
  const rule: KeyRule = { needed: false, absent: false, allowed: undefined, excluded: new Set(), above: undefined, below: undefined, impossible: false };
  rules.set(key, rule);
  return rule;
}

function addTo(rule: KeyRule, { operator, values }: LabelRequirement): void {
  if (operator === '!=' || operator === 'notin') {
    for (const value of values) rule.excluded.add(value);
    return;
  }
  if (operator === '!') {
    rule.absent = true;
    return;
  }
  rule.needed = true;
  if (operator === '=' || operator === 'in') {
    const { allowed } = rule;
    rule.allowed = new Set(allowed === undefined ? values : values.filter((value) => allowed.has(value)));
  } else if (operator !== 'exists') addBound(rule, operator, integerOf(values[0] ?? ''));
}

function addBound(rule: KeyRule, operator: 'gt' | 'lt', bound: bigint | undefined): void {
  if (bound === undefined) rule.impossible = true;
  else if (operator === 'gt') rule.above = rule.above === undefined || bound > rule.above ? bound : rule.above;
  else rule.below = rule.below === undefined || bound < rule.below ? bound : rule.below;
}

function isMet(rule: KeyRule, value: string): boolean {
  if (rule.absent || rule.impossible || rule.excluded.has(value) || rule.allowed?.has(value) === false) return false;
  if (rule.above === undefined && rule.below === undefined) return true;
  const number = integerOf(value);
  if (number === undefined) return false;
  return (rule.above === undefined || number > rule.above) && (rule.below === undefined || number < rule.below);
}
