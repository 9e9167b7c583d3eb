// `string.format` as cel-go's strings library in version 2 writes values: %s %d %f %e %b %x %X %o.
import { goQuote } from '#base/go-text.ts';
import { fixedText, groupedText, scientificText } from '#cel/library/decimal-text.ts';
import { type Clause, defaultPrecision, interpolate, wrongArgument } from '#cel/library/format-clauses.ts';
import { CelError, type CelList, type CelMap, type CelValue, typeNameOf, Uint } from '#cel/value.ts';
import { valueToText } from '#cel/library/value-text.ts';

export function formatText(format: string, args: CelList): string {
  const argumentCount = args.size();
  const needArgument = (index: number): void => {
    if (index >= argumentCount) throw new CelError(`index ${index} out of range`);
  };
  return interpolate(format, { needArgument, argumentCount, write: (clause, index) => writeClause(clause, args.get(index)) }).text;
}

function writeClause({ verb, precision }: Clause, value: CelValue): string {
  switch (verb) {
    case 's':
      return plainText(value);
    case 'd':
      return integerOf(value, verb).toString();
    case 'f':
      return groupedText(doubleOf(value, verb), precision);
    case 'e':
      return scientificText(doubleOf(value, verb), precision);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integerOf(value, verb).toString(2);
    case 'o':
      return integerOf(value, verb).toString(8);
    case 'x':
      return hexText(value, verb);
    case 'X':
      return hexText(value, verb).toUpperCase();
  }
}

function integerOf(value: CelValue, verb: Clause['verb']): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  throw wrongArgument(verb, typeNameOf(value));
}

/** The names of what is no number are taken too. */
function doubleOf(value: CelValue, verb: Clause['verb']): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  throw wrongArgument(verb, typeNameOf(value));
}

function hexText(value: CelValue, verb: 'x' | 'X'): string {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : integerOf(value, verb).toString(16);
}

/** `%s` of a whole argument. */
function plainText(value: CelValue): string {
  const type = typeNameOf(value);
  if (isListValue(value)) return listText(value);
  if (isMapValue(value)) return mapText(value);
  if (value === null) return 'null';
  const text = valueToText(value);
  if (text === undefined) throw wrongArgument('s', type);
  return text;
}

/** Within a list or map values stand as CEL would write them. */
function literalText(value: CelValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? fixedText(value, defaultPrecision) : goQuote(fixedText(value, defaultPrecision));
  if (typeof value !== 'object' || value === null) return plainText(value);
  if (value instanceof Uint8Array) return `b${goQuote(plainText(value))}`;
  switch (value.kind) {
    case 'timestamp':
      return `timestamp(${goQuote(plainText(value))})`;
    case 'duration':
      return `duration(${goQuote(plainText(value))})`;
    case 'uint':
    case 'type':
    case 'list':
      return plainText(value);
    default:
      if (isMapValue(value)) return mapText(value);
      throw new CelError(`no formatting function for ${typeNameOf(value)}`);
  }
}

function listText(list: CelList): string {
  return `[${[...list].map(literalText).join(', ')}]`;
}

/** Sorted by the keys as they are written. */
function mapText(map: CelMap): string {
  const entries = [...map.keys()].map((key): [string, string] => [keyText(key), literalText(map.get(key) ?? null)]);
  entries.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

function keyText(key: CelValue): string {
  if (typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint' || key instanceof Uint) return literalText(key);
  throw new CelError(`no formatting function for map key of type ${typeNameOf(key)}`);
}

function isListValue(value: CelValue): value is CelList {
  return typeNameOf(value) === 'list';
}

function isMapValue(value: CelValue): value is CelMap {
  return typeNameOf(value) === 'map';
}
