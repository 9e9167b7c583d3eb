// JSONPath as the columns of custom resources use it: the expressions of client-go's util/jsonpath, without its template syntax.
// Understood are members (`.spec.x`, `['a.b']`), indexes and slices, `*`, `..name`, unions of names or indexes, and filters.

export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** All values the path leads to, in the order of the object; throws a JsonPathError where client-go would report one. */
export type JsonPath = (root: unknown) => readonly unknown[];

/** `path` begins with a dot or a bracket: `.status.conditions[?(@.type=="Ready")].status`. */
export function compileJsonPath(path: string): JsonPath {
  const steps = new PathReader(path).readAll();
  return (root) => follow(steps, root);
}

type Step = (value: unknown) => readonly unknown[];

function follow(steps: readonly Step[], root: unknown): readonly unknown[] {
  let values: readonly unknown[] = [root];
  for (const step of steps) {
    values = values.flatMap(step);
    if (values.length === 0) return values;
  }
  return values;
}

class PathReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): Step[] {
    const steps: Step[] = [];
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at];
      if (character === '[') steps.push(this.#bracket());
      else if (character === '.') steps.push(...this.#dotted());
      else throw new JsonPathError(`unrecognized character in action: ${JSON.stringify(character)}`);
    }
    return steps;
  }

  #dotted(): Step[] {
    const recursive = this.#text.startsWith('..', this.#at);
    this.#at += recursive ? 2 : 1;
    const first: Step[] = recursive ? [descendants] : [];
    if (recursive ? this.#at >= this.#text.length : this.#text[this.#at] === '[') return first;
    // A dot that nothing follows asks for the member without a name.
    if (this.#at >= this.#text.length) return [member('')];
    if (this.#text[this.#at] === '*') {
      this.#at++;
      return [...first, children];
    }
    const name = this.#name();
    return [...first, recursive ? ownMember(name) : member(name)];
  }

  /** Up to the next step; a backslash takes the next character as it is. */
  #name(): string {
    let name = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] as string;
      if (character === '.' || character === '[') break;
      if ('{},'.includes(character)) throw new JsonPathError(`unrecognized character in action: ${JSON.stringify(character)}`);
      if (character === '\\') this.#at++;
      name += this.#text[this.#at] ?? '';
    }
    if (name === '') throw new JsonPathError(`invalid path ${JSON.stringify(this.#text)}: a name is missing`);
    return name;
  }

  #bracket(): Step {
    const content = this.#enclosed();
    if (content.startsWith('?(') && content.endsWith(')')) return filter(content.slice(2, -1));
    if (content === '*') return children;
    const parts = splitOutsideQuotes(content, ',').map((part) => part.trim());
    const selections = parts.map(selection);
    return selections.length === 1 ? (selections[0] as Step) : (value) => selections.flatMap((select) => select(value));
  }

  /** What stands between this bracket and its partner; quoted brackets and those of inner filters do not count. */
  #enclosed(): string {
    const start = this.#at + 1;
    let depth = 0;
    let quote = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] as string;
      if (quote !== '') {
        if (character === '\\') this.#at++;
        else if (character === quote) quote = '';
      } else if (character === '"' || character === "'") quote = character;
      else if (character === '[') depth++;
      else if (character === ']' && --depth === 0) return this.#text.slice(start, this.#at++);
    }
    throw new JsonPathError('unterminated array');
  }
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let quote = '';
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function selection(text: string): Step {
  // Quotes hold a path of their own: dots in them lead further unless a backslash stands before them.
  if (/^'[^']+'$/.test(text)) return compileJsonPath(`.${text.slice(1, -1)}`);
  if (/^-?\d+$/.test(text)) return slice(Number(text), undefined, 1, true);
  const range = /^(-?\d*):(-?\d*)(?::(-?\d*))?$/.exec(text);
  if (range === null) throw new JsonPathError(`invalid array index ${text}`);
  const [, from = '', to = '', step = ''] = range;
  return slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to), step === '' ? 1 : Number(step), false);
}

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A missing member is no value, as client-go has it with AllowMissingKeys. */
function member(name: string): Step {
  return (value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);
}

const ownMember = member;

function children(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function descendants(value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    waiting.push(
      ...children(next)
        .toReversed()
        .filter((child) => child !== undefined),
    );
  }
  return found;
}

function slice(from: number, to: number | undefined, step: number, single: boolean): Step {
  return (value) => {
    if (value === null || value === undefined) return [];
    if (!Array.isArray(value)) throw new JsonPathError(`${typeof value} is not array or slice`);
    const start = from < 0 ? from + value.length : from;
    if (single) {
      if (start < 0 || start >= value.length) throw new JsonPathError(`array index out of bounds: index ${start}, length ${value.length}`);
      return [value[start]];
    }
    const end = Math.min(to === undefined ? value.length : to < 0 ? to + value.length : to, value.length);
    return value.slice(Math.max(start, 0), Math.max(end, 0)).filter((_, index) => index % Math.max(step, 1) === 0);
  };
}

const comparison = /^([^!<>=]+)([!<>=]+)(.+)$/s;
const quotedText = /^(['"])(?:\\.|(?!\1)[^\\])*\1$/s;

function filter(text: string): Step {
  const parts = comparison.exec(text.trim());
  if (parts === null) {
    const exists = operand(text.trim());
    return (value) => children(value).filter((item) => exists(item).length > 0);
  }
  const [, left = '', operator = '', right = ''] = parts;
  const [a, b] = [operand(left.trim()), operand(right.trim())];
  return (value) => children(value).filter((item) => compare(a(item)[0], b(item)[0], operator));
}

function operand(text: string): Step {
  if (text.startsWith('@')) return compileJsonPath(text.slice(1));
  if (quotedText.test(text)) return constant(unquote(text));
  if (text === 'true' || text === 'false') return constant(text === 'true');
  if (text !== '' && !Number.isNaN(Number(text))) return constant(Number(text));
  throw new JsonPathError(`unrecognized identifier ${text}`);
}

function constant(value: unknown): Step {
  return () => [value];
}

function compare(a: unknown, b: unknown, operator: string): boolean {
  if (a === undefined || b === undefined) return false;
  const [left, right] = [a as string | number, b as string | number];
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}
