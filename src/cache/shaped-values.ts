// What stands at a path in objects of one shape, without putting the object together: every change of a pod is looked at by many loops, each of
// which wants one or two of its members. Where those stand is found once for all objects of the shape.
import { findValue, type Span } from '#base/json-scan.ts';
import type { Shape } from '#base/shapes/shape.ts';

type Path = readonly Uint8Array[];

/** The same in all objects, one of the holes, or something with holes in it. */
type Place = { readonly is: 'constant'; readonly value: unknown } | { readonly is: 'hole'; readonly index: number } | { readonly is: 'mixed' };

const quote = 0x22;
const mixed: Place = { is: 'mixed' };

export class ShapedValues {
  readonly #shape: Shape;
  readonly #places = new WeakMap<Path, Place>();

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  /** Of the object packed at `offset`; `read` looks for it in all of the object. Shared: never change it. */
  at(path: Path, packed: Buffer, offset: number, read: () => unknown): unknown {
    let place = this.#places.get(path);
    if (place === undefined) {
      place = placeIn(this.#shape, path);
      this.#places.set(path, place);
    }
    if (place.is === 'constant') return place.value;
    return place.is === 'hole' ? this.#shape.valueInHole(packed, offset, place.index) : read();
  }
}

function placeIn(shape: Shape, path: Path): Place {
  const { base } = shape;
  const value = findValue(base, 0, path);
  if (value === undefined) return { is: 'constant', value: undefined };
  const { start, end } = shape.holesIn(path);
  if (start === end) return { is: 'constant', value: JSON.parse(base.toString('utf8', value.start, value.end)) as unknown };
  return end - start === 1 && isWhole(value, base, shape.holes[2 * start]) ? { is: 'hole', index: start } : mixed;
}

/** The hole is all of the value, not a leaf of it. */
function isWhole(value: Span, base: Buffer, hole: number | undefined): boolean {
  return hole === (base[value.start] === quote ? value.start + 1 : value.start);
}
