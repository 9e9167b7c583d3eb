// Label selectors: the text form of requests (`a=b,c in (d,e),!f`) and the object form of specs.
import { badRequest } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import { integerOf, type LabelOperator, type LabelRequirement, type Labels, labelTestOf } from '#api/label-match.ts';
import { labelKeyProblems, labelValueProblems } from '#base/label-syntax.ts';

export interface LabelSelector {
  /** All of them must hold. Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** Canonical: two selectors with the same text select the same objects. Empty: everything. */
  readonly text: string;
  matches(labels: Labels | undefined): boolean;
}

/** The `LabelSelector` of specs. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?: readonly LabelSelectorExpression[] | undefined;
}
export interface LabelSelectorExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

export const everyLabel: LabelSelector = { requirements: [], text: '', matches: () => true };
/** `<none>` is no text of a parsed selector, so it cannot be mistaken for one. */
export const noLabel: LabelSelector = { requirements: [], text: '<none>', matches: () => false };

/** The original has no limit but the size of a head; reading a hundred thousand of them would hold up all other requests. */
const mostRequirements = 10_000;
const mostValues = 20_000;

/** Throws the 400 of the original when the text is no selector. */
export function parseLabelSelector(text: string): LabelSelector {
  if (text === '') return everyLabel;
  const tokens = new TokenReader(text);
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const token = tokens.peek();
    if (token.kind === 'end') return labelSelectorOf(requirements);
    if (token.kind !== 'word' && token.text !== '!') throw badRequest(`found '${token.text}', expected: !, identifier, or 'end of string'`);
    if (requirements.length === mostRequirements) throw badRequest(`a label selector may have at most ${mostRequirements} requirements`);
    requirements.push(readRequirement(tokens));
    if (!readSeparator(tokens)) return labelSelectorOf(requirements);
  }
}

/** As the original: no selector selects nothing, an empty one everything. */
export function labelSelectorFrom(object: LabelSelectorObject | undefined): LabelSelector {
  if (object === undefined) return noLabel;
  const equal = Object.entries(object.matchLabels ?? {}).map(([key, value]) => checked({ key, operator: '=', values: [value] }));
  const expressions = (object.matchExpressions ?? []).map(({ key, operator, values }) => {
    const known = objectOperators[operator];
    if (known === undefined) throw badRequest(`${JSON.stringify(operator)} is not a valid label selector operator`);
    return checked({ key, operator: known, values: values ?? [] });
  });
  return labelSelectorOf([...equal, ...expressions]);
}

const objectOperators: Readonly<Record<string, LabelOperator | undefined>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/** From requirements that are known to be valid. */
export function labelSelectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return everyLabel;
  const sorted = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const test = labelTestOf(sorted);
  let text: string | undefined;
  return {
    requirements: sorted,
    get text() {
      text ??= [...new Set(sorted.map(textOf))].join(',');
      return text;
    },
    matches: (labels = {}) => test(labels),
  };
}

function textOf({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${[...new Set(values)].toSorted().join(',')})`;
    case 'gt':
      return `${key}>${values[0]}`;
    case 'lt':
      return `${key}<${values[0]}`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}

function checked(requirement: LabelRequirement, prefix = ''): LabelRequirement {
  const errors = new FieldErrors();
  checkKey(requirement.key, 'key', errors);
  checkValues(requirement, errors);
  const messages = [...new Set(errors.list.map(String))];
  if (messages.length === 0) return requirement;
  throw badRequest(prefix + (messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`));
}

function checkKey(key: string, field: string, errors: FieldErrors): void {
  const problems = labelKeyProblems(key);
  if (problems.length > 0) errors.invalid(field, key, problems.join('; '));
}

function checkValues({ key, operator, values }: LabelRequirement, errors: FieldErrors): void {
  const complaint = countComplaint(operator, values.length);
  if (complaint !== undefined) errors.invalid('values', values, complaint);
  if (operator === 'gt' || operator === 'lt') {
    values.forEach((value, index) => {
      if (integerOf(value) === undefined) errors.invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer");
    });
  }
  values.forEach((value, index) => {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.invalid(`values[${index}][${key}]`, value, problems.join('; '));
  });
}

function countComplaint(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case '=':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'gt':
    case 'lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    default:
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
  }
}

interface Token {
  readonly kind: 'word' | 'symbol' | 'end';
  readonly text: string;
}

const endToken: Token = { kind: 'end', text: '' };

class TokenReader {
  readonly #tokens: Iterator<RegExpExecArray, undefined>;
  #next: Token | undefined;
  /** Tokens of sets so far: their members and the commas between them. */
  values = 0;

  constructor(text: string) {
    this.#tokens = text.matchAll(/[=!]=|[=!(),<>]|[^=!(),<> \t\r\n]+/g) as Iterator<RegExpExecArray, undefined>;
  }

  peek(): Token {
    this.#next ??= this.#read();
    return this.#next;
  }

  take(): Token {
    const token = this.peek();
    this.#next = undefined;
    return token;
  }

  #read(): Token {
    const text = this.#tokens.next().value?.[0];
    if (text === undefined) return endToken;
    return { kind: symbolStart.test(text) ? 'symbol' : 'word', text };
  }
}

const symbolStart = /^[=!(),<>]/;

function unreadable(message: string): Error {
  return badRequest(`unable to parse requirement: ${message}`);
}

function readRequirement(tokens: TokenReader): LabelRequirement {
  const negated = tokens.peek().text === '!' && tokens.peek().kind === 'symbol';
  if (negated) tokens.take();
  const key = readKey(tokens);
  const next = tokens.peek();
  if (negated || next.kind === 'end' || next.text === ',') return { key, operator: negated ? '!' : 'exists', values: [] };
  const operator = readOperator(tokens);
  const values = operator === 'in' || operator === 'notin' ? readSet(tokens) : [readValue(tokens)];
  return checked({ key, operator, values: [...new Set(values)].toSorted() }, 'unable to parse requirement: ');
}

function readKey(tokens: TokenReader): string {
  const { kind, text } = tokens.take();
  if (kind !== 'word') throw unreadable(`found '${text}', expected: identifier`);
  const errors = new FieldErrors();
  checkKey(text, '<nil>', errors);
  if (!errors.empty) throw unreadable(String(errors.list[0]));
  return text;
}

const textOperators: Readonly<Record<string, LabelOperator | undefined>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '=',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

function readOperator(tokens: TokenReader): LabelOperator {
  const { text } = tokens.take();
  const operator = Object.hasOwn(textOperators, text) ? textOperators[text] : undefined;
  if (operator === undefined) throw unreadable(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
  return operator;
}

function readValue(tokens: TokenReader): string {
  const next = tokens.peek();
  if (next.kind === 'end' || next.text === ',') return '';
  const { kind, text } = tokens.take();
  if (kind !== 'word') throw unreadable(`found '${text}', expected: identifier`);
  return text;
}

function readSet(tokens: TokenReader): string[] {
  const open = tokens.take();
  if (open.text !== '(') throw unreadable(`found '${open.text}' expected: '('`);
  const first = tokens.peek();
  if (first.text === ')') {
    tokens.take();
    return [''];
  }
  if (first.kind !== 'word' && first.text !== ',') throw unreadable(`found '${first.text}', expected: ',', ')' or identifier`);
  return readMembers(tokens);
}

/** `a,,b)`: a missing member is the empty text. */
function readMembers(tokens: TokenReader): string[] {
  const members: string[] = [];
  for (;;) {
    if ((tokens.values += 1) > 2 * mostValues) throw badRequest(`a label selector may have at most ${mostValues} values`);
    const token = tokens.take();
    const after = tokens.peek();
    if (token.kind === 'word') {
      members.push(token.text);
      if (after.text !== ',' && after.text !== ')') throw unreadable(`found '${after.text}', expected: ',' or ')'`);
    } else if (token.text === ',') {
      if (members.length === 0 || after.text === ',' || after.text === ')') members.push('');
    } else {
      throw unreadable(`found '${token.text}', expected: ',', or identifier`);
    }
    if (after.text === ')') {
      tokens.take();
      return members;
    }
  }
}

/** True when another requirement follows. */
function readSeparator(tokens: TokenReader): boolean {
  const { kind, text } = tokens.take();
  if (kind === 'end') return false;
  if (text !== ',') throw badRequest(`found '${text}', expected: ',' or 'end of string'`);
  const next = tokens.peek();
  if (next.kind !== 'word' && next.text !== '!') throw badRequest(`found '${next.text}', expected: identifier after ','`);
  return true;
}
