// The items of a list in a form of theirs: protobuf with what stands before each, JSON with commas between.
import { varintLength, writeVarint } from '#schema/shaped/hole-form.ts';
import type { ItemForm } from '#server/answer/item-form.ts';
import type { ItemWriter } from '#server/answer/list-text.ts';
import type { Item } from '#verbs/answer.ts';

/** `repeated … items = 2`, as the lists of all kinds have it. */
const itemKey = 0x12;
const comma = 0x2c;
/** Objects that had to be made to know how long they are, kept until they are written; the rest is made twice. */
const mostKept = 32 << 20;

export class FormedItems implements ItemWriter<Item> {
  readonly name: string;
  readonly #form: ItemForm;
  readonly #isProtobuf: boolean;
  readonly #kept = new Map<Item, Buffer>();
  #keptBytes = 0;
  #whole: Buffer | undefined;
  #length = 0;

  constructor(form: ItemForm, format: string) {
    this.name = form.name;
    this.#form = form;
    this.#isProtobuf = format === 'protobuf';
  }

  length(item: Item, isFirst: boolean): number {
    this.#whole = this.#kept.size > 0 ? this.#kept.get(item) : undefined;
    this.#length = this.#whole?.length ?? this.#form.prepare(item);
    return this.#framed(this.#length, isFirst);
  }

  knownLength(item: Item, isFirst: boolean): number {
    const known = item.lengthIn?.(this.#form) ?? -1;
    if (known >= 0) return this.#framed(known, isFirst);
    const length = this.#form.prepare(item);
    item.keepLength?.(this.#form, length);
    this.#keep(item, this.#form.whole);
    return this.#framed(length, isFirst);
  }

  knows(item: Item): boolean {
    return (item.lengthIn?.(this.#form) ?? -1) >= 0;
  }

  #keep(item: Item, whole: Buffer | undefined): void {
    if (whole === undefined || this.#keptBytes + whole.length > mostKept) return;
    this.#kept.set(item, whole);
    this.#keptBytes += whole.length;
  }

  #framed(length: number, isFirst: boolean): number {
    return length + (this.#isProtobuf ? 1 + varintLength(length) : Number(!isFirst));
  }

  write(item: Item, isFirst: boolean, target: Uint8Array, start: number): number {
    let at = start;
    if (this.#isProtobuf) {
      target[at] = itemKey;
      at = writeVarint(this.#length, target, at + 1);
    } else if (!isFirst) target[at++] = comma;
    if (this.#whole === undefined) return this.#form.write(target, at);
    target.set(this.#whole, at);
    this.#kept.delete(item);
    this.#keptBytes -= this.#whole.length;
    return at + this.#whole.length;
  }
}
