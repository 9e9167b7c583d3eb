/** Values in error texts, as Go's `%v` shows cel-go's. */
import { goFloat } from '#base/go-text.ts';
import { type CelValue, isList, isMap, Uint } from '../value.ts';
import { formatDuration, formatTimestamp } from './time.ts';

export function formatValue(value: CelValue): string {
  if (typeof value === 'number') return formatDouble(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  if (isList(value)) return `[${[...value].map(formatValue).join(', ')}]`;
  if (isMap(value)) return `{${[...value.keys()].map((key) => `${formatValue(key)}: ${formatValue(value.get(key) ?? null)}`).join(', ')}}`;
  switch (value.kind) {
    case 'timestamp':
      return formatTimestamp(value);
    case 'duration':
      return formatDuration(value);
    case 'type':
      return value.name;
    case 'optional':
      return value.value === undefined ? 'optional.none()' : `optional(${formatValue(value.value)})`;
    case 'object':
      return value.typeName;
  }
}

/** Go's `%g`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return Object.is(value, -0) ? '-0' : goFloat(value);
}
