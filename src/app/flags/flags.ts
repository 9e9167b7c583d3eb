// A command line in the syntax of pflag: `--name=value`, `--name value`, `--switch`, repeated lists and maps.
import { isIP } from 'node:net';
import { parseGoDuration } from '#api/go-duration.ts';

export type FlagType =
  | 'bool'
  | 'string'
  | 'int'
  | 'uint'
  | 'float'
  | 'level'
  | 'quantity'
  | 'duration'
  | 'ip'
  | 'portRange'
  | 'version'
  | 'strings'
  | 'stringArray'
  | 'int32Slice'
  | 'map'
  | 'featureGates'
  | 'namedCertKey';

export interface FlagDefinition {
  readonly name: string;
  readonly type: FlagType;
  readonly default: FlagValue;
  readonly section: string;
  readonly shorthand?: string;
  readonly deprecated?: boolean;
  /** For --help; the flags of kube-apiserver are described in its documentation. */
  readonly help?: string;
}

/** Durations are kept as text; `FlagValues.durationMs` reads them. */
export type FlagValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** The command line cannot be understood; the message is meant for who typed it. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
  /** The name that no flag has, without dashes; undefined: something else is wrong. */
  readonly unknownFlag: string | undefined;

  constructor(message: string, unknownFlag?: string) {
    super(message);
    this.unknownFlag = unknownFlag;
  }
}

export class FlagValues {
  readonly #definitions: ReadonlyMap<string, FlagDefinition>;
  readonly #given: ReadonlyMap<string, FlagValue>;

  constructor(definitions: ReadonlyMap<string, FlagDefinition>, given: ReadonlyMap<string, FlagValue>) {
    this.#definitions = definitions;
    this.#given = given;
  }

  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  /** Given, and not as it is by default. */
  isChanged(name: string): boolean {
    return this.isGiven(name) && formatValue(this.#value(name)) !== formatValue(this.#definitions.get(name)?.default ?? '');
  }

  text(name: string): string {
    return String(this.#value(name));
  }

  number(name: string): number {
    return Number(this.#value(name));
  }

  boolean(name: string): boolean {
    return this.#value(name) === true;
  }

  list(name: string): readonly string[] {
    return this.#value(name) as readonly string[];
  }

  map(name: string): Readonly<Record<string, string>> {
    return this.#value(name) as Readonly<Record<string, string>>;
  }

  durationMs(name: string): number {
    return parseGoDuration(this.text(name)) ?? 0;
  }

  /** Every flag as it is in force, in the notation of pflag. */
  all(): Readonly<Record<string, string>> {
    const names = [...this.#definitions.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, formatValue(this.#value(name))]));
  }

  /** Given on the command line although it is on its way out. */
  deprecated(): readonly string[] {
    return [...this.#given.keys()].filter((name) => this.#definitions.get(name)?.deprecated);
  }

  #value(name: string): FlagValue {
    const definition = this.#definitions.get(name);
    if (definition === undefined) throw new Error(`there is no flag --${name}`);
    return this.#given.get(name) ?? definition.default;
  }
}

function formatValue(value: FlagValue): string {
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, text]) => `${key}=${text}`)
    .join(',');
}

export interface CommandLine {
  readonly flags: FlagValues;
  readonly positional: readonly string[];
}

export function parseFlags(definitions: readonly FlagDefinition[], argv: readonly string[]): CommandLine {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const given = new Map<string, FlagValue>();
  const positional: string[] = [];
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') positional.push(...words.splice(0));
    else if (!word.startsWith('-') || word === '-') positional.push(word);
    else {
      const { definition, label, attached } = readFlag(byName, word);
      given.set(definition.name, valueOf(definition, label, attached ?? nextWord(definition, words), given.get(definition.name)));
    }
  }
  return { flags: new FlagValues(byName, given), positional };
}

interface FlagWord {
  readonly definition: FlagDefinition;
  /** As messages name the flag. */
  readonly label: string;
  /** What stands after `=`. */
  readonly attached: string | undefined;
}

function readFlag(byName: ReadonlyMap<string, FlagDefinition>, word: string): FlagWord {
  const long = word.startsWith('--');
  const [name = '', ...rest] = word.slice(long ? 2 : 1).split('=');
  if (name === '' || name.startsWith('-')) throw new FlagError(`bad flag syntax: ${word}`);
  const definition = long ? byName.get(name.replaceAll('_', '-')) : [...byName.values()].find(({ shorthand }) => shorthand === name);
  if (definition === undefined) throw long ? new FlagError(`unknown flag: --${name}`, name) : new FlagError(`unknown shorthand flag: '${name[0]}' in ${word}`);
  const label = definition.shorthand === undefined ? `--${definition.name}` : `-${definition.shorthand}, --${definition.name}`;
  return { definition, label, attached: rest.length === 0 ? undefined : rest.join('=') };
}

/** Switches take a value only after `=`. */
function nextWord({ name, type }: FlagDefinition, words: string[]): string {
  if (type === 'bool' || type === 'version') return 'true';
  const next = words.shift();
  if (next === undefined) throw new FlagError(`flag needs an argument: --${name}`);
  return next;
}

function valueOf(definition: FlagDefinition, label: string, text: string, earlier: FlagValue | undefined): FlagValue {
  try {
    return readers[definition.type](text, earlier);
  } catch (cause) {
    throw new FlagError(`invalid argument ${JSON.stringify(text)} for ${JSON.stringify(label)} flag: ${(cause as Error).message}`);
  }
}

type Reader = (text: string, earlier: FlagValue | undefined) => FlagValue;

const asText: Reader = (text) => text;
const appendItems: Reader = (text, earlier) => [...((earlier ?? []) as readonly string[]), ...splitList(text)];
const appendWhole: Reader = (text, earlier) => [...((earlier ?? []) as readonly string[]), text];
const mergePairs: Reader = (text, earlier) => ({ ...((earlier ?? {}) as Record<string, string>), ...parsePairs(text) });

const readers: Readonly<Record<FlagType, Reader>> = {
  string: asText,
  quantity: asText,
  version: asText,
  bool: parseBool,
  int: (text) => parseInteger(text, 'ParseInt', /^[+-]?\d+$/),
  uint: (text) => parseInteger(text, 'ParseUint', /^\d+$/),
  level: (text) => parseInteger(text, 'ParseUint', /^\d+$/),
  float: parseFloatText,
  duration: parseDuration,
  ip: parseIp,
  portRange: parsePortRange,
  strings: appendItems,
  int32Slice: appendItems,
  stringArray: appendWhole,
  namedCertKey: parseCertKey,
  map: mergePairs,
  featureGates: mergePairs,
};

function parseBool(text: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function parseInteger(text: string, parser: string, shape: RegExp): number {
  if (shape.test(text)) return Number(text);
  if (/^[+-]?0x[0-9a-f]+$/i.test(text)) return Number(text);
  throw new Error(`strconv.${parser}: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function parseFloatText(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
  return value;
}

function parseDuration(text: string): string {
  if (parseGoDuration(text) !== undefined) return text;
  const what = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? 'missing unit in' : 'invalid';
  throw new Error(`time: ${what} duration ${JSON.stringify(text)}`);
}

function parseIp(text: string): string {
  if (isIP(text.trim()) === 0) throw new Error(`failed to parse IP: ${JSON.stringify(text)}`);
  return text.trim();
}

/** `30000-32767`, `30000+2767` or one port. */
function parsePortRange(text: string): string {
  const found = /^\s*(\d+)(?:([-+])(\d+))?\s*$/.exec(text);
  if (found === null) throw new Error(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  const from = Number(found[1]);
  const second = Number(found[3] ?? 0);
  const to = found[2] === undefined ? from : found[2] === '+' ? from + second : second;
  if (to < from || to > 65535) throw new Error(`the port range is not valid: ${text}`);
  return `${from}-${to}`;
}

function parseCertKey(text: string, earlier: FlagValue | undefined): FlagValue {
  const [files = ''] = text.split(':');
  if (files.split(',').length !== 2) throw new Error('expected comma separated certificate and key file paths');
  return appendWhole(text, earlier);
}

/** Commas inside quotes do not separate. */
function splitList(text: string): string[] {
  const item = /("(?:[^"]|"")*"|[^,]*)(,|$)/y;
  const items: string[] = [];
  while (text !== '') {
    const found = item.exec(text);
    items.push(unquote(found?.[1] ?? ''));
    if (found?.[2] !== ',') break;
  }
  return items;
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1).replaceAll('""', '"') : text;
}

function parsePairs(text: string): Record<string, string> {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => (pair.split(/=(.*)/s, 2) as [string, string?]).map((part = '') => part.trim())).map(([key, value = '']) => [key, value]),
  );
}
