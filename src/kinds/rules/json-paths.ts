// Whether a text is a JSONPath of the dialect that kubectl speaks, and what its parser says when it is not.

interface Reading {
  readonly text: string;
  at: number;
  /** The last part was `..`, which may not follow itself. */
  descends: boolean;
}

type Problem = string | undefined;

const terminators = String.raw`\s.,[\]$@{}`;
const fieldPattern = new RegExp(String.raw`(?:\\[\s\S]?|[^\\${terminators}])*`, 'y');
const numberPattern = /[+-]?[\d.]*/y;

/** The text stands between braces, as in a template. */
export function jsonPathProblem(path: string): Problem {
  return templateProblem(`{${path}}`);
}

function templateProblem(text: string): Problem {
  const reading: Reading = { text, at: 0, descends: false };
  for (;;) {
    const open = text.indexOf('{', reading.at);
    if (open < 0) return undefined;
    reading.at = open + 1;
    reading.descends = false;
    const problem = actionProblem(reading);
    if (problem !== undefined) return problem;
  }
}

/** Reads until the closing brace. */
function actionProblem(reading: Reading): Problem {
  const { text } = reading;
  while (text[reading.at] !== '}') {
    const before = reading.at;
    const problem = partProblem(reading);
    if (problem !== undefined) return problem;
    const part = text.slice(before, reading.at);
    if (!/^[ @$]$/.test(part)) reading.descends = part === '..';
  }
  reading.at++;
  return undefined;
}

function partProblem(reading: Reading): Problem {
  const { text, at } = reading;
  const first = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (text.startsWith('[?(', at)) return filterProblem(reading);
  if (text.startsWith('..', at)) return descentProblem(reading);
  if (at >= text.length || first === '\r' || first === '\n') return 'unclosed action';
  if (' @$'.includes(first)) return skip(reading, 1);
  if (first === '[') return arrayProblem(reading);
  if (first === '"' || first === "'") return quoteProblem(reading, first);
  if (first === '.') return skip(reading, 1 + matchAt(fieldPattern, text, at + 1).length);
  if (/[+\-\p{Nd}]/u.test(first)) return numberProblem(reading);
  if (/[_\p{L}]/u.test(first)) return skip(reading, first.length + matchAt(/[^\s.,[\]$@{}]*/y, text, at + first.length).length);
  return `unrecognized character in action: ${unicodeName(first)}`;
}

function skip(reading: Reading, length: number): undefined {
  reading.at += length;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function descentProblem(reading: Reading): Problem {
  if (reading.descends) return 'invalid multiple recursive descent';
  const next = reading.text.slice(reading.at + 2);
  return skip(reading, 2 + (/^[_\p{L}\p{Nd}]/u.test(next) ? matchAt(fieldPattern, next, 0).length : 0));
}

function numberProblem(reading: Reading): Problem {
  const number = matchAt(numberPattern, reading.text, reading.at);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(number)) return `cannot parse number ${number}`;
  return skip(reading, number.length);
}

function quoteProblem(reading: Reading, quote: string): Problem {
  const { text, at } = reading;
  const found = matchAt(quote === '"' ? /"(?:\\"|[^"\n])*"/y : /'(?:\\'|[^'\n])*'/y, text, at);
  return found === '' ? 'unterminated quoted string' : skip(reading, found.length);
}

function arrayProblem(reading: Reading): Problem {
  const found = matchAt(/\[[^\]\n]*\]/y, reading.text, reading.at);
  if (found === '') return 'unterminated array';
  skip(reading, found.length);
  return indexProblem(found.slice(1, -1));
}

function indexProblem(index: string): Problem {
  const members = index.split(',');
  if (members.length > 1) return firstProblem(members.map((member) => `[${member.replace(/^ +| +$/g, '')}]`));
  const key = /^'([^']*)'$/.exec(index)?.[1];
  if (key !== undefined) return jsonPathProblem(`.${key}`);
  const numbers = index === '*' ? [] : /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(index)?.slice(1);
  if (numbers === undefined) return `invalid array index ${index}`;
  const bad = numbers.find((number) => number === '-' || (number ?? '').length > 19);
  return bad === undefined ? undefined : `array index ${bad} is not a number`;
}

function firstProblem(paths: readonly string[]): Problem {
  for (const path of paths) {
    const problem = jsonPathProblem(path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A closing parenthesis inside quotes does not end the filter. */
function filterProblem(reading: Reading): Problem {
  const found = matchAt(/\[\?\((?:"(?:\\"|[^"\n])*"|'(?:\\'|[^'\n])*'|[^)"'\n])*\)/y, reading.text, reading.at);
  if (found === '') return 'unterminated filter';
  skip(reading, found.length);
  if (reading.text[reading.at] !== ']') return 'unclosed array expect ]';
  skip(reading, 1);
  const condition = found.slice(3, -1);
  const sides = /^([^!<>=]+)[!<>=]+(.+)$/.exec(condition)?.slice(1) as string[] | undefined;
  return firstProblem(sides ?? [condition]);
}

/** Go's %#U. */
function unicodeName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return /\p{C}|\p{Z}/u.test(character) ? `U+${code}` : `U+${code} '${character}'`;
}
