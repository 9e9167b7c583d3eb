// Items of one resource in one form (protobuf, metadata only, another version), straight from the texts in the holes of their shapes. An item
// whose shape has no such form, or none yet, is written as an object.
import { shortLived } from '#base/memory/short-lived.ts';
import { compileForm, encodeShown, type ShownForm } from '#schema/shaped/compile-form.ts';
import type { HoleForm } from '#schema/shaped/hole-form.ts';
import type { ItemTexts } from '#server/answer/item-texts.ts';
import { PerShape, type ShapeBudget } from '#schema/shaped/per-shape.ts';
import type { Item } from '#verbs/answer.ts';

export class ItemForm {
  /** Another one for every form of an item. */
  readonly name: string;
  readonly #shown: ShownForm;
  readonly #texts: ItemTexts;
  readonly #forms: PerShape<HoleForm>;
  /** Of the item prepared last: how it is written, or all of it. */
  #form: HoleForm | undefined;
  #whole: Buffer = Buffer.alloc(0);

  constructor(name: string, shown: ShownForm, texts: ItemTexts, budget: ShapeBudget) {
    this.name = name;
    this.#shown = shown;
    this.#texts = texts;
    this.#forms = new PerShape((shape) => compileForm(shape, shown), budget);
  }

  /** How long it is. `write`, called next, writes it. */
  prepare(item: Item): number {
    const shape = this.#texts.shapeOf(item);
    this.#form = shape && this.#forms.of(shape);
    const length = this.#form?.measure(this.#texts.bytes, this.#texts.places) ?? -1;
    if (length >= 0) return length;
    this.#form = undefined;
    this.#whole = encodeShown(item.object, this.#shown);
    return this.#whole.length;
  }

  /** What was prepared last; returns the end. */
  write(target: Uint8Array, at: number): number {
    if (this.#form !== undefined) return this.#form.write(this.#texts.bytes, this.#texts.places, target, at);
    target.set(this.#whole, at);
    return at + this.#whole.length;
  }

  /** What was prepared last, where it had to be made as a whole. */
  get whole(): Buffer | undefined {
    return this.#form === undefined ? this.#whole : undefined;
  }

  bytesOf(item: Item): Buffer {
    const length = this.prepare(item);
    const { whole } = this;
    if (whole !== undefined) return whole;
    const bytes = shortLived(length);
    this.write(bytes, 0);
    return bytes;
  }
}
