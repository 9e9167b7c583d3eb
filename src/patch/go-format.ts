// Values as Go's `%v` prints them, because refusals of patches quote maps and lists that way.
import { compareTexts } from '#patch/apply/path-element.ts';
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
  return Object.keys(value).sort(compareTexts);
}

function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : formatFloat(value);
}

/** A value as `%v` prints the wrapper that server-side apply puts around it. */
export function formatUnstructured(value: unknown): string {
  return `&{${formatGo(value)}}`;
}

/** The same as `%#v` prints it. */
export function formatUnstructuredDetail(value: unknown): string {
  return `&value.valueUnstructured{Value:${formatDetail(value)}}`;
}

function formatDetail(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatDetail).join(', ')}}`;
  if (isPlainObject(value))
    return `map[string]interface {}{${sortedKeys(value)
      .map((key) => `${JSON.stringify(key)}:${formatDetail(value[key])}`)
      .join(', ')}}`;
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? formatNumber(value) : String(value);
}

/** Go writes an exponent from 1e6 on and below 1e-4, with two digits at least. */
function formatFloat(value: number): string {
  const magnitude = Math.abs(value);
  const text = magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e6) ? value.toExponential() : String(value);
  return text.replace(/e([+-])([0-9])$/, 'e$10$2');
}
