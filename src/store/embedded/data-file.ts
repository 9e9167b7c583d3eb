// A look at the data file before LMDB gets it: LMDB trusts its file, and what is not as expected kills the process
// without a word. Touching a page that a truncated file has lost is one such thing. So a file that is shorter than its
// header says is walked through by plain reads. Being shorter is no proof: pages at the end that were given out and
// freed again are never written.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: number;
  /** Roots of the table of free pages and of the table of tables. */
  readonly roots: readonly number[];
}

interface DataFile {
  readonly descriptor: number;
  readonly pageSize: number;
  /** Whole pages that the file has. */
  readonly pages: number;
}

const MAGIC = 0xbeefc0de;
const LMDB_FORMAT = 2;
const PAGE_HEADER = 24;
const NODE_HEADER = 8;
/** All bits set; as a floating point number it is rounded up to this. */
const NO_PAGE = 2 ** 64;
const BRANCH = 0x01;
const ON_OTHER_PAGES = 0x01;
const IS_TABLE = 0x02;
const ROOT_IN_TABLE = 40;

/** Throws when this is not an LMDB file or pages are missing that the data needs. */
export function refuseDamaged(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return;
    const meta = newestMeta(descriptor);
    if ((meta.lastPage + 1) * meta.pageSize <= size) return;
    const file = { descriptor, pageSize: meta.pageSize, pages: Math.floor(size / meta.pageSize) };
    for (const root of meta.roots) refuseMissing(file, root);
  } finally {
    closeSync(descriptor);
  }
}

export function newestMeta(descriptor: number): Meta {
  const first = readMeta(descriptor, 0);
  const second = readMeta(descriptor, first.pageSize);
  return second.transaction > first.transaction ? second : first;
}

function readMeta(descriptor: number, position: number): Meta {
  const bytes = Buffer.alloc(160);
  readSync(descriptor, bytes, 0, bytes.length, position);
  const version = bytes.readUInt32LE(PAGE_HEADER + 4) & 0xffff;
  if (bytes.readUInt32LE(PAGE_HEADER) !== MAGIC || version !== LMDB_FORMAT) throw new Error('this is not a store, or its header is damaged');
  return {
    pageSize: bytes.readUInt32LE(48),
    lastPage: numberAt(bytes, 144),
    transaction: numberAt(bytes, 152),
    roots: [numberAt(bytes, 88), numberAt(bytes, 136)],
  };
}

function refuseMissing(file: DataFile, root: number): void {
  const open = [root];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (number >= NO_PAGE) continue;
    const page = readPage(file, number);
    const isBranch = pageIsBranch(page);
    for (const node of nodesOf(page)) {
      if (isBranch) open.push(childOf(page, node));
      else open.push(...treesIn(file, page, node));
    }
  }
}

function readPage(file: DataFile, number: number): Buffer {
  refuseAbsent(file, number);
  const page = Buffer.alloc(file.pageSize);
  readSync(file.descriptor, page, 0, file.pageSize, number * file.pageSize);
  return page;
}

function refuseAbsent({ pages }: DataFile, number: number): void {
  if (number < pages) return;
  throw new Error(`the file is damaged: it ends after ${pages} pages, but page ${number} is needed. Was it copied only in part?`);
}

/** Offsets of the nodes of a page. */
export function nodesOf(page: Buffer): number[] {
  const count = page.readUInt16LE(20) >> 1;
  return Array.from({ length: count }, (_, i) => page.readUInt16LE(PAGE_HEADER + 2 * i) + PAGE_HEADER);
}

export function childOf(page: Buffer, node: number): number {
  return page.readUInt16LE(node) + page.readUInt16LE(node + 2) * 2 ** 16 + page.readUInt16LE(node + 4) * 2 ** 32;
}

export function pageIsBranch(page: Buffer): boolean {
  return (page.readUInt16LE(18) & BRANCH) !== 0;
}

export function keyOf(page: Buffer, node: number): Buffer {
  return page.subarray(node + NODE_HEADER, node + NODE_HEADER + page.readUInt16LE(node + 6));
}

/** Of a node that names a table. */
export function tableRoot(page: Buffer, node: number): number | undefined {
  const root = numberAt(page, node + NODE_HEADER + page.readUInt16LE(node + 6) + ROOT_IN_TABLE);
  return root >= NO_PAGE ? undefined : root;
}

/** Where the value of a leaf's node stands: in the page itself, or in pages of its own behind their header. */
export function placeOfValue(page: Buffer, node: number): { readonly start: number; readonly length: number; readonly firstPage?: number } {
  const length = page.readUInt32LE(node);
  const start = node + NODE_HEADER + page.readUInt16LE(node + 6);
  const isElsewhere = (page.readUInt16LE(node + 4) & ON_OTHER_PAGES) !== 0;
  return isElsewhere ? { start: PAGE_HEADER, length, firstPage: numberAt(page, start) } : { start, length };
}

/** Roots of tables that a leaf names. The pages of large values have to be there; they lead nowhere. */
function treesIn(file: DataFile, page: Buffer, node: number): number[] {
  const flags = page.readUInt16LE(node + 4);
  const data = node + NODE_HEADER + page.readUInt16LE(node + 6);
  if (flags & IS_TABLE) return [numberAt(page, data + ROOT_IN_TABLE)];
  if (flags & ON_OTHER_PAGES) refuseAbsent(file, numberAt(page, data) + numberAt(page, data + 16) - 1);
  return [];
}

function numberAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
}
