// Values as Go's `%v` prints them, because refusals of patches quote maps and lists that way.
import { isPlainObject } from '#patch/members.ts';

export function formatGo(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGo).join(' ')}]`;
  if (isPlainObject(value))
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${formatGo(value[key])}`)
      .join(' ')}]`;
  return typeof value === 'number' ? formatNumber(value) : String(value);
}

/** The Go type that JSON decoding would have given the value. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'int64' : 'string';
}

function sortedKeys(value: object): string[] {
  return Object.keys(value).sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

/** Go switches to the exponent at 1e-5 and writes it with two digits at least. */
function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const magnitude = Math.abs(value);
  const text = magnitude < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])([0-9])$/, 'e$10$2');
}
