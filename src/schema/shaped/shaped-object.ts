// One object for all of a shape: before each reading the values in its holes are exchanged, which takes a fraction of parsing the whole. For
// readers that look at it at once and keep nothing of it (cells of Tables: `npm run bench -- --only "list all"`).
import type { KubernetesObject } from '#api/object.ts';
import type { Shape } from '#base/shapes/shape.ts';
import { stringIn } from '#schema/shaped/hole-text.ts';
import { type Markers, markersFor } from '#schema/shaped/markers.ts';

/** Where in the object the value of a hole stands. */
export interface HolePlace {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly hole: number;
  readonly isString: boolean;
}

const nullByte = 0x6e;
/** Longer numbers are exact only to a reader of their own. */
const mostDigits = 15;

export class ShapedObject {
  readonly #object: KubernetesObject;
  readonly #places: readonly HolePlace[];
  /** What it takes in memory, about: several times its JSON. */
  readonly byteLength: number;

  private constructor(object: KubernetesObject, places: readonly HolePlace[], byteLength: number) {
    this.#object = object;
    this.#places = places;
    this.byteLength = byteLength;
  }

  static of(shape: Shape, parse: (json: Buffer) => KubernetesObject): ShapedObject | undefined {
    const placed = placeHoles(shape, parse);
    return placed && new ShapedObject(placed.object, placed.places, shape.base.length * 8);
  }

  /** The object whose texts stand at `places` of `bytes`, until the next one is read. Undefined: only a parser can tell what it is. */
  read(bytes: Buffer, places: Int32Array): KubernetesObject | undefined {
    for (const { holder, key, hole, isString } of this.#places) {
      const start = places[2 * hole] as number;
      const end = places[2 * hole + 1] as number;
      if (!isString && (bytes[start] === nullByte || end - start > mostDigits)) return undefined;
      holder[key] = isString ? stringIn(bytes, start, end) : JSON.parse(bytes.toString('latin1', start, end));
    }
    return this.#object;
  }
}

/** An object of the shape, and where its holes are. Undefined where a value of a hole is nowhere in the object, or more than once. */
export function placeHoles(
  shape: Shape,
  parse: (json: Buffer) => KubernetesObject,
): { readonly object: KubernetesObject; readonly places: readonly HolePlace[] } | undefined {
  const markers = markersFor(shape, 0);
  const object = parse(markers.json);
  const places = [...placesIn(object as unknown as Record<string, unknown>, markers)];
  const isWhole = places.length === markers.texts.size && new Set(places.map(({ hole }) => hole)).size === places.length;
  return isWhole ? { object, places } : undefined;
}

function* placesIn(holder: Record<string, unknown>, markers: Markers): Generator<HolePlace, void> {
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === 'object' && value !== null) yield* placesIn(value as Record<string, unknown>, markers);
    const hole = typeof value === 'string' ? markers.texts.get(value) : typeof value === 'number' ? markers.numbers.get(value)?.hole : undefined;
    if (hole !== undefined) yield { holder, key, hole, isString: typeof value === 'string' };
  }
}
