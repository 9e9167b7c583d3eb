// The rows of a long Table, straight from the texts in the holes of shapes: cells are read from one object for all of a shape, the metadata
// beside them is a form of its own.
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { rowHead, type TableOptions } from '#resource/table.ts';
import { quoteJson, writeJson } from '#schema/json/json-text.ts';
import type { ItemForm } from '#server/answer/item-form.ts';
import type { ItemForms } from '#server/answer/item-forms.ts';
import type { ItemWriter } from '#server/answer/list-text.ts';
import type { Item } from '#verbs/answer.ts';

const comma = 0x2c;
const closeBrace = 0x7d;
const noObject = 'null';

export class TableRows implements ItemWriter<Item> {
  readonly name = 'rows';
  readonly #options: TableOptions;
  readonly #read: (item: Item) => KubernetesObject;
  readonly #metadata: ItemForm | undefined;
  /** Of the row measured last: all that stands before the object. */
  #head = '';

  constructor(forms: ItemForms, definition: ResourceDefinition, options: TableOptions) {
    this.#options = options;
    this.#read = forms.readerOf(definition);
    this.#metadata = options.includeObject === 'None' ? undefined : forms.ofRows(definition, options.apiVersion);
  }

  length(item: Item, isFirst: boolean): number {
    const { cells, conditions } = rowHead(this.#read(item), this.#options);
    const marks = conditions === undefined ? '' : `,"conditions":${writeJson(conditions)}`;
    this.#head = `{"cells":[${cells.map(cellText).join(',')}]${marks},"object":${this.#metadata ? '' : noObject}`;
    return Buffer.byteLength(this.#head) + (this.#metadata?.prepare(item) ?? 0) + (isFirst ? 1 : 2);
  }

  write(_item: Item, isFirst: boolean, target: Buffer, start: number): number {
    let at = start;
    if (!isFirst) target[at++] = comma;
    at += target.write(this.#head, at);
    at = this.#metadata?.write(target, at) ?? at;
    target[at] = closeBrace;
    return at + 1;
  }
}

/** What most rows say of something. */
const none = '<none>';
const noneText = quoteJson(none);

function cellText(cell: unknown): string {
  if (typeof cell !== 'string') return writeJson(cell);
  return cell === none ? noneText : quoteJson(cell);
}
