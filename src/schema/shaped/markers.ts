// Values that are put into the holes of a shape and known again in whatever is made of the object.
import type { Shape } from '#base/shapes/shape.ts';
import type { Hole } from '#schema/shaped/form-layout.ts';

export interface Markers {
  /** The object of the shape with all of them. */
  readonly json: Buffer;
  /** Strings, and digits of bare values. */
  readonly texts: ReadonlyMap<string, number>;
  /** Bare values, and times in seconds and nanoseconds. */
  readonly numbers: ReadonlyMap<number, Hole>;
  /** Strings that are names of members. */
  readonly names: ReadonlyMap<string, number>;
}

const quote = 0x22;
const seconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const micros = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Markers of another `set` are other values. */
export function markersFor({ base, holes, isName }: Shape, set: number): Markers {
  const texts = new Map<string, number>();
  const names = new Map<string, number>();
  const numbers = new Map<number, Hole>();
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let hole = 0; hole < holes.length / 2; hole++) {
    const [start, end] = [holes[2 * hole] as number, holes[2 * hole + 1] as number];
    const text = base[start - 1] === quote ? stringMarker(base.toString('latin1', start, end), { hole, set, numbers }) : bareMarker({ hole, set, numbers });
    texts.set(text, hole);
    if (isName[hole]) names.set(text, hole);
    pieces.push(base.subarray(at, start), Buffer.from(text));
    at = end;
  }
  return { json: Buffer.concat([...pieces, base.subarray(at)]), texts, numbers, names };
}

interface Marking {
  readonly hole: number;
  readonly set: number;
  readonly numbers: Map<number, Hole>;
}

/** There are fewer holes than this. */
const setSize = 1000;

function bareMarker({ hole, set, numbers }: Marking): string {
  const value = 9_000_000_000_000 + set * setSize + hole;
  numbers.set(value, { is: 'integer', hole });
  return String(value);
}

/** Whether a time is one to the schema, or just a string, is seen when it is written. */
function stringMarker(text: string, { hole, set, numbers }: Marking): string {
  const number = set * setSize + hole;
  // Base64 too, of nine bytes.
  if (!seconds.test(text) && !micros.test(text)) return `holes+${'AB'[set]}/${String(number).padStart(4, '0')}`;
  const time = 2_000_000_000 + number;
  const whole = new Date(time * 1000).toISOString().slice(0, 19);
  numbers.set(time, { is: micros.test(text) ? 'microSeconds' : 'seconds', hole });
  if (seconds.test(text)) return `${whole}Z`;
  const fraction = 100_000 + number;
  numbers.set(fraction * 1000, { is: 'nanos', hole });
  return `${whole}.${fraction}Z`;
}
