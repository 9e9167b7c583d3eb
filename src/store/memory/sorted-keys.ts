// A set of keys in byte order, cut into blocks so that an insertion moves a few hundred references, not all of them.
import { compareKeys } from '#store/key-order.ts';
import type { KeyRange } from '#store/store.ts';

const BLOCK_LIMIT = 512;

export class SortedKeys {
  readonly #blocks: string[][] = [];

  add(key: string): void {
    const at = Math.max(0, this.#blockOf(key));
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([key]);
      return;
    }
    const position = lowerBound(block, key);
    if (block[position] === key) return;
    block.splice(position, 0, key);
    if (block.length > BLOCK_LIMIT) this.#blocks.splice(at + 1, 0, block.splice(BLOCK_LIMIT / 2));
  }

  delete(key: string): void {
    const at = this.#blockOf(key);
    const block = this.#blocks[at];
    if (block === undefined) return;
    const position = lowerBound(block, key);
    if (block[position] !== key) return;
    block.splice(position, 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /** The set must not change while this is read. */
  *within(range: KeyRange): Generator<string, void, undefined> {
    const first = Math.max(0, this.#blockOf(range.start));
    for (let at = first; at < this.#blocks.length; at++) {
      const block = this.#blocks[at] as string[];
      for (let i = at === first ? lowerBound(block, range.start) : 0; i < block.length; i++) {
        const key = block[i] as string;
        if (compareKeys(key, range.end) >= 0) return;
        yield key;
      }
    }
  }

  /** The last block that starts at or before the key; -1 when the key comes before all of them. */
  #blockOf(key: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys((this.#blocks[middle] as string[])[0] as string, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(sorted[middle] as string, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
