// The Huffman code of RFC 7541, appendix B. It is canonical: the codes follow from their lengths, shorter ones first and
// equally long ones in the order of their symbols. Read four bits at a time by a table that is made when first needed.
// We never write it: our own headers are few and mostly go as an index.

const codeLengths = [
  [13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28],
  [6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10],
  [13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6],
  [15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28],
  [20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24],
  [22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23],
  [26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27],
  [20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26],
].flat();
const endOfString = 256;
const endOfStringBits = 30;
const longestCode = 30;
/** Padding is shorter than this, in bits. */
const maxPadding = 7;

export interface HuffmanCode {
  readonly bits: number;
  readonly length: number;
}

/** By symbol; the last one is the end of the string, which a client may not send. */
export function huffmanCodes(): readonly HuffmanCode[] {
  const lengths = [...codeLengths, endOfStringBits];
  const codes: HuffmanCode[] = [];
  let next = 0;
  for (let length = 1; length <= longestCode; length++) {
    for (const [symbol, its] of lengths.entries()) if (its === length) codes[symbol] = { bits: next++, length };
    next *= 2;
  }
  return codes;
}

/** The node of the code's tree at which reading goes on, and what was read on the way; -1: nothing. Indexed by node * 16 + four bits. */
interface Steps {
  readonly next: Int16Array;
  readonly symbol: Int16Array;
  /** Whether a text may end at this node: what was read since the last symbol is padding. */
  readonly mayEnd: Uint8Array;
}

const nowhere = -1;
let steps: Steps | undefined;

/**
 * Writes the text to `out`, which must hold 8/5 of the input, and returns its length; -1 when the input is no Huffman code.
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number, out: Uint8Array): number {
  steps ??= makeSteps();
  const { next, symbol, mayEnd } = steps;
  let node = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    for (let nibble = byte >> 4, half = 0; half < 2; nibble = byte & 15, half++) {
      const step = node * 16 + nibble;
      node = next[step] as number;
      if (node === nowhere) return -1;
      const read = symbol[step] as number;
      if (read !== nowhere) out[length++] = read;
    }
  }
  return mayEnd[node] === 1 ? length : -1;
}

/** Nodes are numbered as they are made, the root is 0; a leaf is -2 - symbol, a missing child -1. */
type Tree = [zero: number, one: number][];

function makeSteps(): Steps {
  const tree = makeTree();
  const next = new Int16Array(tree.length * 16).fill(nowhere);
  const symbol = new Int16Array(tree.length * 16).fill(nowhere);
  for (let node = 0; node < tree.length; node++) {
    for (let nibble = 0; nibble < 16; nibble++)
      walk(tree, node, nibble, (to, read) => {
        next[node * 16 + nibble] = to;
        symbol[node * 16 + nibble] = read;
      });
  }
  return { next, symbol, mayEnd: paddingNodes(tree) };
}

function makeTree(): Tree {
  const tree: Tree = [[nowhere, nowhere]];
  for (const [symbol, { bits, length }] of huffmanCodes().entries()) {
    let node = 0;
    for (let left = length - 1; left >= 0; left--) {
      const children = tree[node] as Tree[number];
      const bit = (bits >> left) & 1;
      if (left === 0) children[bit] = -2 - symbol;
      else if (children[bit] === nowhere) children[bit] = tree.push([nowhere, nowhere]) - 1;
      node = children[bit] as number;
    }
  }
  return tree;
}

/** Codes have at least five bits, so that four bits end one at most. */
function walk(tree: Tree, from: number, nibble: number, found: (to: number, read: number) => void): void {
  let node = from;
  let read = nowhere;
  for (let left = 3; left >= 0; left--) {
    node = (tree[node] as Tree[number])[(nibble >> left) & 1] as number;
    if (node === -2 - endOfString || node === nowhere) return;
    if (node > nowhere) continue;
    read = -2 - node;
    node = 0;
  }
  found(node, read);
}

/** Padding is the beginning of the end of the string: ones only, less than a byte of them. */
function paddingNodes(tree: Tree): Uint8Array {
  const mayEnd = new Uint8Array(tree.length);
  for (let node = 0, ones = 0; ones <= maxPadding; ones++) {
    mayEnd[node] = 1;
    node = (tree[node] as Tree[number])[1];
  }
  return mayEnd;
}
