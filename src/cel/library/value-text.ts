// Values as `%s` of string.format writes them: as `string(value)` does.
import { formatDouble } from '#cel/standard/format-value.ts';
import { formatDuration, formatTimestamp } from '#cel/standard/time.ts';
import { CelError, type CelValue } from '#cel/value.ts';

/** Undefined for what has no text: null, lists, maps, optionals and values of libraries. */
export function valueToText(value: CelValue): string | undefined {
  if (typeof value === 'number') return formatDouble(value);
  if (typeof value !== 'object') return String(value);
  if (value === null) return undefined;
  if (value instanceof Uint8Array) return bytesToText(value);
  switch (value.kind) {
    case 'uint':
      return String(value.value);
    case 'timestamp':
      return formatTimestamp(value);
    case 'duration':
      return formatDuration(value);
    case 'type':
      return value.name;
    default:
      return undefined;
  }
}

function bytesToText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string');
  }
}
