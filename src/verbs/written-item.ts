// What a write made, for its answer: stored bytes and a resourceVersion, put together where an answer needs them.
import { shortLived } from '#base/memory/short-lived.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Splice, StoredForm } from '#api/stored-form.ts';
import { Scratch } from '#cache/scratch.ts';
import type { Item } from '#verbs/answer.ts';

/** Revision 0 stands for an object that was never stored (a dry run, a computed one): it has no resourceVersion but what its JSON says. */
export function itemOf(form: StoredForm, json: Uint8Array, revision: number): Item & { readonly byteLength: number } {
  return new WrittenItem(form, json, revision);
}

/** Whether `json` at the revision of `item` is what `item` is. Most writes change the length; only the others are compared. */
export function isStored(form: StoredForm, json: Buffer, item: Item): boolean {
  const { start, text } = form.placeOfVersion(json, item.revision);
  const length = json.length + text.length;
  if (item.byteLength !== undefined && item.byteLength !== length) return false;
  const other = item.copyTo === undefined || item.byteLength === undefined ? item.json : scratch.copyOf(item as CopiedItem);
  const behind = start + text.length;
  return (
    other.length === length &&
    other.compare(json, 0, start, 0, start) === 0 &&
    other.toString('latin1', start, behind) === text &&
    other.compare(json, start, json.length, behind, length) === 0
  );
}

type CopiedItem = Required<Pick<Item, 'byteLength' | 'copyTo'>>;

/** An item that is only compared needs no bytes of its own. */
const scratch = new Scratch();

const nowhere: Splice = { start: 0, end: 0, text: '' };

class WrittenItem implements Item {
  readonly revision: number;
  readonly byteLength: number;
  readonly #form: StoredForm;
  readonly stored: Uint8Array;
  readonly #place: Splice;
  #json: Buffer | undefined;
  #object: KubernetesObject | undefined;

  constructor(form: StoredForm, stored: Uint8Array, revision: number) {
    this.#form = form;
    this.stored = stored;
    this.#place = revision === 0 ? nowhere : form.placeOfVersion(stored, revision);
    this.revision = revision;
    this.byteLength = stored.length + this.#place.text.length;
  }

  get json(): Buffer {
    if (this.#json === undefined) {
      this.#json = shortLived(this.byteLength);
      this.copyTo(this.#json, 0, 0);
    }
    return this.#json;
  }

  get object(): KubernetesObject {
    this.#object ??= this.#form.parse(this.json);
    return this.#object;
  }

  copyTo(target: Uint8Array, at: number, skip = 0): number {
    const { start, text } = this.#place;
    if (skip > start) target.set(this.json.subarray(skip), at);
    else {
      const middle = at + start - skip;
      target.set(this.stored.subarray(skip, start), at);
      for (let index = 0; index < text.length; index++) target[middle + index] = text.charCodeAt(index);
      target.set(this.stored.subarray(start), middle + text.length);
    }
    return at + this.byteLength - skip;
  }
}
