// Reads many records of the log straight from the data file, in the order in which they lie there. Through LMDB's memory map
// a start with 100,000 pods would leave the whole file in our memory, and jump around in it.
// The reader holds a snapshot, taken before: LMDB then reuses no page that we may come to.
import { closeSync, openSync, readSync } from 'node:fs';
import { childOf, keyOf, newestMeta, nodesOf, placeOfValue, pageIsBranch, tableRoot } from '#store/embedded/data-file.ts';
import { readRevisionKey } from '#store/embedded/records.ts';
import type { Revision } from '#store/store.ts';

/** Read in one go where records of usual size lie side by side; where large ones lie among those that others have replaced, little more than each. */
const LARGEST_WINDOW = 1 << 20;
const SMALLEST_WINDOW = 1 << 14;
const LOG = Buffer.from('log');

export class LogFile {
  readonly #descriptor: number;
  readonly #pageSize: number;
  readonly #root: number | undefined;
  #window = Buffer.alloc(0);
  #from = 0;
  #length = 0;
  /** Bytes that the next window has; those of this one that were asked for. */
  #ahead = 1 << 16;
  #used = 0;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    const { pageSize, roots } = newestMeta(this.#descriptor);
    this.#pageSize = pageSize;
    this.#root = this.#rootOf(roots[1] as number);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Of the revisions asked for, in rising order, those that are there. A record is true until the next one is read. */
  *records(revisions: Float64Array): Generator<{ readonly revision: Revision; readonly record: Buffer }, void, undefined> {
    if (this.#root === undefined) return;
    let next = 0;
    // Whole branches of a long log may have nothing that is asked for.
    const isBefore = (key: Buffer) => next < revisions.length && readRevisionKey(key) <= (revisions[next] as number);
    for (const { page, node } of this.#leaves(this.#root, isBefore)) {
      const revision = readRevisionKey(keyOf(page, node));
      while (next < revisions.length && (revisions[next] as number) < revision) next++;
      if (next === revisions.length) return;
      if (revisions[next] === revision) yield { revision, record: this.#value(page, node) };
    }
  }

  #value(page: Buffer, node: number): Buffer {
    const { start, length, firstPage } = placeOfValue(page, node);
    return firstPage === undefined ? page.subarray(start, start + length) : this.#read(firstPage * this.#pageSize + start, length);
  }

  #rootOf(mainTable: number): number | undefined {
    for (const { page, node } of this.#leaves(mainTable)) if (keyOf(page, node).subarray(0, LOG.length).equals(LOG)) return tableRoot(page, node);
    return undefined;
  }

  /** The nodes of the leaves below a page, in order; without branches that end at a key of which `isBefore` says that it comes too early. */
  *#leaves(number: number, isBefore: (key: Buffer) => boolean = () => false): Generator<{ readonly page: Buffer; readonly node: number }, void, undefined> {
    const page = this.#page(number);
    const isBranch = pageIsBranch(page);
    const nodes = nodesOf(page);
    for (const [index, node] of nodes.entries()) {
      const following = nodes[index + 1];
      if (!isBranch) yield { page, node };
      else if (following === undefined || !isBefore(keyOf(page, following))) yield* this.#leaves(childOf(page, node), isBefore);
    }
  }

  #page(number: number): Buffer {
    const page = Buffer.allocUnsafe(this.#pageSize);
    readSync(this.#descriptor, page, 0, page.length, number * this.#pageSize);
    return page;
  }

  #read(position: number, length: number): Buffer {
    if (position < this.#from || position + length > this.#from + this.#length) {
      const isWorthIt = this.#used * 2 > this.#length;
      this.#ahead = isWorthIt ? Math.min(this.#ahead * 2, LARGEST_WINDOW) : Math.max(this.#ahead / 2, SMALLEST_WINDOW);
      if (Math.max(length, this.#ahead) > this.#window.length) this.#window = Buffer.allocUnsafeSlow(Math.max(length, this.#ahead));
      this.#used = 0;
      this.#from = position;
      this.#length = readSync(this.#descriptor, this.#window, 0, Math.max(length, this.#ahead), position);
      if (this.#length < length) throw new Error('the data file ends before its records');
    }
    this.#used += length;
    return this.#window.subarray(position - this.#from, position - this.#from + length);
  }
}
