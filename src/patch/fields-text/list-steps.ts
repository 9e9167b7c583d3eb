// The steps that lead to the items of a list, by what tells the items apart. Objects of a cluster share most of them (names of containers,
// ports, variables): they are kept, with the text they have in managedFields. test/bench pays for this with every create and apply.
import { compareRead, isPlainStep, type PathElement, type ReadElement, withContent } from '#patch/apply/path-element.ts';
import { itemStep } from '#patch/apply/shape.ts';
import type { KeyField, ListTopology } from '#patch/apply/topology.ts';
import { isPlainObject } from '#patch/members.ts';
import { quoteJson } from '#schema/json/json-text.ts';

export class KnownStep {
  readonly element: PathElement;
  /** In JSON, with its colon. */
  readonly quoted: string;
  /** The same behind a comma. */
  readonly bytes: Uint8Array;
  readonly #isPlain: boolean;
  #read: ReadElement | undefined;

  constructor(element: PathElement) {
    this.element = element;
    this.quoted = `${quoteJson(element)}:`;
    this.bytes = Buffer.from(`,${this.quoted}`);
    this.#isPlain = isPlainStep(element);
  }

  compare(other: KnownStep): number {
    if (!this.#isPlain || !other.#isPlain) return compareRead(this.#content(), other.#content());
    return this.element < other.element ? -1 : Number(this.element !== other.element);
  }

  #content(): ReadElement {
    this.#read ??= withContent(this.element);
    return this.#read;
  }
}

/** Undefined for an item that no step leads to. */
export function knownStep(list: ListTopology, item: unknown): KnownStep | undefined {
  let known = knownSteps.get(list);
  if (known === undefined || known.size >= limit) {
    known = { size: 0, root: new Node() };
    knownSteps.set(list, known);
  }
  const node = list.keys.length > 0 ? nodeOfKeys(known.root, list.sortedKeys, item) : nodeOfValue(known.root, item);
  if (node === undefined) return stepOf(list, item);
  if (node.step === undefined) {
    node.step = stepOf(list, item);
    known.size++;
  }
  return node.step;
}

/** The same without the table, for lists that are too long to share their steps with others. */
export function stepOf(list: ListTopology, item: unknown): KnownStep | undefined {
  const { element } = itemStep(list, item);
  return element === undefined ? undefined : new KnownStep(element);
}

interface Known {
  size: number;
  readonly root: Node;
}

const knownSteps = new WeakMap<ListTopology, Known>();
const limit = 500;
const longestText = 200;

class Node {
  step: KnownStep | undefined;
  readonly next = new Map<unknown, Node>();
}

/** Undefined: not worth keeping. */
function nodeOfKeys(root: Node, keys: readonly KeyField[], item: unknown): Node | undefined {
  if (!isPlainObject(item)) return undefined;
  let node: Node | undefined = root;
  for (let index = 0; index < keys.length && node !== undefined; index++) {
    const { name, default: fallback } = keys[index] as KeyField;
    node = nodeOfValue(node, Object.hasOwn(item, name) ? item[name] : fallback);
  }
  return node;
}

function nodeOfValue(node: Node, value: unknown): Node | undefined {
  const known = node.next.get(value);
  if (known !== undefined) return known;
  if (typeof value === 'object' || (typeof value === 'string' && value.length > longestText)) return undefined;
  const made = new Node();
  node.next.set(value, made);
  return made;
}
