// What a YAML scalar without quotes means: the rules of YAML 1.1 as Go's reader has them.
import { YamlError } from '#schema/yaml/yaml-source.ts';

export type ScalarKind = 'str' | 'bool' | 'int' | 'float' | 'null' | 'timestamp';

export interface ResolvedScalar {
  readonly kind: ScalarKind;
  readonly value: string | boolean | number | bigint | null;
}

/** The meaning of a plain scalar. */
export function resolvePlain(text: string): ResolvedScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  if (first === 0x2e) return asFloat(text, /^\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?$/) ?? asText(text);
  const numeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d;
  return (numeric ? resolveNumber(text) : undefined) ?? asText(text);
}

/** The meaning of a scalar whose tag says what it has to be. */
export function resolveTagged(text: string, tag: string): ResolvedScalar {
  if (tag === 'str') return asText(text);
  const plain = resolvePlain(text);
  // Times are looked for only where no other tag is given.
  const resolved = plain.kind === 'timestamp' && tag !== 'timestamp' ? asText(text) : plain;
  if (resolved.kind === tag) return resolved;
  if (tag === 'float' && resolved.kind === 'int') return { kind: 'float', value: Number(resolved.value) };
  throw new YamlError(`yaml: cannot decode !!${resolved.kind} \`${text}\` as a !!${tag}`);
}

/** Tags that say what a scalar has to be; all others are only names. */
export function isResolvable(tag: string): boolean {
  return ['str', 'bool', 'int', 'float', 'null', 'timestamp'].includes(tag);
}

function asText(text: string): ResolvedScalar {
  return { kind: 'str', value: text };
}

const words = new Map<string, ResolvedScalar>([
  ...wordsFor('bool', true, ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']),
  ...wordsFor('bool', false, ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']),
  ...wordsFor('null', null, ['', '~', 'null', 'Null', 'NULL']),
  ...wordsFor('float', Number.NaN, ['.nan', '.NaN', '.NAN']),
  ...wordsFor('float', Number.POSITIVE_INFINITY, ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']),
  ...wordsFor('float', Number.NEGATIVE_INFINITY, ['-.inf', '-.Inf', '-.INF']),
]);

function wordsFor(kind: ScalarKind, value: ResolvedScalar['value'], texts: readonly string[]): [string, ResolvedScalar][] {
  return texts.map((text) => [text, { kind, value }]);
}

function resolveNumber(text: string): ResolvedScalar | undefined {
  if (isTimestamp(text)) return { kind: 'timestamp', value: text };
  const plain = text.replaceAll('_', '');
  return asInteger(plain) ?? asFloat(plain, /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/);
}

const integerForms: readonly (readonly [shape: RegExp, prefix: string])[] = [
  [/^(?:0|[1-9][0-9]*)$/, ''],
  [/^0[xX]([0-9a-fA-F]+)$/, '0x'],
  [/^0[oO]?([0-7]+)$/, '0o'],
  [/^0[bB]([01]+)$/, '0b'],
];

/** Decimal, `0x`, `0o`, `0b`, and octal with a leading zero; within 64 bits, signed or not. */
function asInteger(text: string): ResolvedScalar | undefined {
  const negative = text.startsWith('-');
  const digits = /^[-+]/.test(text) ? text.slice(1) : text;
  if (digits.length > 80) return undefined;
  for (const [shape, prefix] of integerForms) {
    const match = shape.exec(digits);
    if (match !== null) return withinRange(BigInt(prefix + (match[1] ?? digits)), negative, /^[-+]/.test(text));
  }
  return undefined;
}

function withinRange(amount: bigint, negative: boolean, signed: boolean): ResolvedScalar | undefined {
  const value = negative ? -amount : amount;
  const fits = BigInt.asIntN(64, value) === value || (!signed && BigInt.asUintN(64, value) === value);
  if (!fits) return undefined;
  const number = Number(value);
  return { kind: 'int', value: Number.isSafeInteger(number) ? number : value };
}

function asFloat(text: string, shape: RegExp): ResolvedScalar | undefined {
  if (!shape.test(text)) return undefined;
  const value = Number(text.replaceAll('_', ''));
  return Number.isFinite(value) ? { kind: 'float', value: Object.is(value, -0) ? 0 : value } : undefined;
}

const timestampShape =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?))?$/;

/** Looks like a time: stays text, but is quoted on output. */
function isTimestamp(text: string): boolean {
  const match = timestampShape.exec(text);
  if (match === null) return false;
  const [, year, month, day, ...clock] = match;
  const [hour = 0, minute = 0, second = 0] = clock.filter((part) => part !== undefined).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && hour < 24 && minute < 60 && second < 60;
}
