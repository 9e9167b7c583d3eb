// Which shape an item has, and where its texts stand: as the cache keeps it, or as a book of shapes finds them in its JSON.
import type { Shape } from '#base/shapes/shape.ts';
import { MOST_HOLES, ShapeBook } from '#base/shapes/shape-book.ts';
import type { Item } from '#verbs/answer.ts';

/** A book keeps some objects whole; larger ones are rare and seldom alike. */
const longestLearned = 16 << 10;

export class ItemTexts {
  /** For items that the cache keeps as they are, or that it has never seen. */
  readonly #book = new ShapeBook((shape: Shape) => ({ shape }));
  readonly #kept = new Int32Array(2 * MOST_HOLES);
  /** Of the item that was looked at last. */
  bytes: Buffer = Buffer.alloc(0);
  places = this.#kept;

  /** Undefined: it is like no other. */
  shapeOf(item: Item): Shape | undefined {
    const { shape } = item;
    if (shape !== undefined && item.placeTexts !== undefined) {
      this.places = this.#kept;
      this.bytes = item.placeTexts(this.places);
      return shape;
    }
    const { json } = item;
    if (json.length > longestLearned) return undefined;
    this.places = this.#book.found;
    this.bytes = json;
    return this.#book.find(json)?.shaped.shape;
  }
}
