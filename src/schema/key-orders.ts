// Objects of a kind have few sets of keys, and most have theirs in the same order. What follows from the keys alone is worked out once for
// each order; whoever walks an object looks that up and has only the values left to see to. The tables are small and lie close together:
// between two requests everything leaves the processor's caches, and what a walk costs is what it has to fetch back.
// test/bench pays for this with every write.
import { type KeyStep, KeyTree } from '#schema/key-tree.ts';

/** The members of the object that is being walked, undefined ones left out, above those of the objects around it. */
export class MemberStack {
  readonly keys: string[] = [];
  readonly values: unknown[] = [];
  /** Cutting the arrays would make them allocate anew. */
  top = 0;

  /** Before the first object: what a large one left behind goes. */
  clear(): void {
    this.top = 0;
    if (this.keys.length <= mostKept) return;
    this.keys.length = 0;
    this.values.length = 0;
  }

  push(object: Readonly<Record<string, unknown>>): void {
    const { keys, values } = this;
    let { top } = this;
    for (const key in object) {
      const value = object[key];
      if (value === undefined) continue;
      keys[top] = key;
      values[top++] = value;
    }
    this.top = top;
  }
}

const mostKept = 1000;

interface Order<T> {
  readonly keys: readonly string[];
  readonly found: T;
}

/** Objects with more are made by programs that fill maps: no two of them have the same keys, and remembering theirs would fill the memory. */
export const mostKeys = 200;

/** Longer ones are no names: what is known about them would take as much memory as clients like. */
const longestKey = 500;

/** How many are tried before the tree of all of them. */
const mostTried = 6;

export class KeyOrders<T> {
  readonly #make: (keys: readonly string[]) => T;
  readonly #tried: Order<T>[] = [];
  readonly #all = new KeyTree<Order<T>>();

  /** `make` works out what is known about objects with these keys. */
  constructor(make: (keys: readonly string[]) => T) {
    this.#make = make;
  }

  /** What is known about the members from `start` to the top. */
  find({ keys, top }: MemberStack, start: number): T {
    if (top - start > mostKeys) return this.#make(keys.slice(start, top));
    const tried = this.#tried;
    for (let index = 0; index < tried.length; index++) {
      const order = tried[index] as Order<T>;
      if (order.keys.length === top - start && isOrder(order.keys, keys, start)) return order.found;
    }
    return this.#findInTree(keys, start, top);
  }

  #findInTree(keys: readonly string[], start: number, top: number): T {
    for (let at = start; at < top; at++) if ((keys[at] as string).length > longestKey) return this.#make(keys.slice(start, top));
    let step: KeyStep<Order<T>> = this.#all.root;
    for (let at = start; at < top; at++) step = step.next(keys[at] as string) ?? this.#all.add(step, keys[at] as string);
    step.found ??= this.#makeOrder(keys.slice(start, top));
    this.#tried[Math.min(this.#tried.length, mostTried - 1)] = step.found;
    return step.found.found;
  }

  #makeOrder(keys: readonly string[]): Order<T> {
    return { keys, found: this.#make(keys) };
  }
}

function isOrder(order: readonly string[], keys: readonly string[], start: number): boolean {
  for (let index = 0; index < order.length; index++) if (order[index] !== keys[start + index]) return false;
  return true;
}
