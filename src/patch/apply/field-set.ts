// Sets of fields as tries: what somebody owns, what differs between two objects.
// Sets are never changed once built, so that parts can be shared. No node is empty: it is a member or has something below.
import { fieldElement, formatElement, isPlainField, type PathElement, sortElements } from '#patch/apply/path-element.ts';

export type FieldSet = ReadonlyMap<PathElement, FieldNode>;

export interface FieldNode {
  /** The field itself belongs to the set, not only something below it. */
  readonly member: boolean;
  readonly below: FieldSet;
}

export type FieldPath = readonly PathElement[];

export const emptySet: FieldSet = new Map();
export const leaf: FieldNode = { member: true, below: emptySet };

/** A set of named fields, each path by its names. */
export function setOfPaths(paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, singlePath(path.map(fieldElement))), emptySet);
}

export function singlePath(path: FieldPath): FieldSet {
  const [first, ...rest] = path;
  if (first === undefined) return emptySet;
  return new Map([[first, rest.length === 0 ? leaf : { member: false, below: singlePath(rest) }]]);
}

/** The left set itself when it has everything, which keeps what is known about it. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0 || left === right) return right;
  if (right.size === 0) return left;
  let result: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of right) {
    const other = left.get(element);
    const both = other === undefined ? node : joined(other, node);
    if (both === other) continue;
    result ??= new Map(left);
    result.set(element, both);
  }
  return result ?? left;
}

/** Neighbours first, so that no set is copied more often than the number of rounds. */
export function unionAll(sets: readonly FieldSet[]): FieldSet {
  let round = sets;
  while (round.length > 1) {
    const next: FieldSet[] = [];
    for (let index = 0; index < round.length; index += 2) next.push(union(round[index] as FieldSet, round[index + 1] ?? emptySet));
    round = next;
  }
  return round[0] ?? emptySet;
}

/** The left node when it has everything. */
function joined(left: FieldNode, right: FieldNode): FieldNode {
  const below = union(left.below, right.below);
  const member = left.member || right.member;
  return member === left.member && below === left.below ? left : { member, below };
}

/** What is in `left` and not in `right`. A field does not stand for what is below it. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return left.size === 0 || right.size === 0
    ? left
    : less(left, right, (node, other) => nodeOf(node.member && !other.member, difference(node.below, other.below)));
}

/** Like difference, but a field in `right` takes everything below it along. */
export function differenceBelow(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0 || right.size === 0) return left;
  return less(left, right, (node, other) => (other.member ? undefined : nodeOf(node.member, differenceBelow(node.below, other.below))));
}

/** `left` with `rest` of what is in both; `left` itself when nothing of it goes. */
function less(left: FieldSet, right: FieldSet, rest: (node: FieldNode, other: FieldNode) => FieldNode | undefined): FieldSet {
  let result: Map<PathElement, FieldNode> | undefined;
  // Many owners of a few fields each meet one large change, and the other way round.
  for (const element of (left.size < right.size ? left : right).keys()) {
    const node = left.get(element);
    const other = right.get(element);
    if (node === undefined || other === undefined) continue;
    const remaining = rest(node, other);
    if (remaining !== undefined && remaining.member === node.member && remaining.below === node.below) continue;
    result ??= new Map(left);
    if (remaining === undefined) result.delete(element);
    else result.set(element, remaining);
  }
  return result ?? left;
}

/** Undefined for a node with nothing in it. */
function nodeOf(member: boolean, below: FieldSet): FieldNode | undefined {
  if (below.size === 0) return member ? leaf : undefined;
  return { member, below };
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0 || right.size === 0) return emptySet;
  if (left.size > right.size) return intersection(right, left);
  const result = new Map<PathElement, FieldNode>();
  for (const [element, node] of left) {
    const other = right.get(element);
    if (other !== undefined) put(result, element, node.member && other.member, intersection(node.below, other.below));
  }
  return result;
}

/** Only what lies on or below one of the patterns; `*` matches any step. */
export function matching(set: FieldSet, patterns: readonly (readonly string[])[]): FieldSet {
  const result = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    const fitting = patterns.filter(([first]) => first === '*' || fieldElement(first ?? '') === element).map((pattern) => pattern.slice(1));
    if (fitting.some((rest) => rest.length === 0)) result.set(element, node);
    else if (fitting.length > 0) put(result, element, node.member, matching(node.below, fitting));
  }
  return result;
}

export function has(set: FieldSet, path: FieldPath): boolean {
  let current = set;
  for (let depth = 0; depth < path.length; depth += 1) {
    const node = current.get(path[depth] as PathElement);
    if (node === undefined) return false;
    if (depth === path.length - 1) return node.member;
    current = node.below;
  }
  return false;
}

export function isSubset(left: FieldSet, right: FieldSet): boolean {
  return left === right || difference(left, right).size === 0;
}

export function equalSets(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  for (const [element, node] of left) {
    const other = right.get(element);
    if (other === undefined || other.member !== node.member || !equalSets(node.below, other.below)) return false;
  }
  return true;
}

/** All members in order; at each level the fields themselves come before what is below them. */
export function pathsOf(set: FieldSet, prefix: FieldPath = []): FieldPath[] {
  const sorted = sortedEntries(set);
  const members = sorted.filter(([, node]) => node.member).map(([element]) => [...prefix, element]);
  return [...members, ...sorted.flatMap(([element, node]) => pathsOf(node.below, [...prefix, element]))];
}

function sortedEntries(set: FieldSet): [PathElement, FieldNode][] {
  return sortedElements(set).map((element) => [element, set.get(element) as FieldNode]);
}

export function sortedElements(set: FieldSet): PathElement[] {
  const elements = [...set.keys()];
  if (elements.length < 2) return elements;
  // Names of fields, which most are, sort as the texts they are.
  return elements.every(isPlainField) ? elements.sort() : sortElements(elements);
}

export function formatPath(path: FieldPath): string {
  return path.map(formatElement).join('');
}

/** Adds a node to a set under construction unless there is nothing in it. */
export function put(result: Map<PathElement, FieldNode>, element: PathElement, member: boolean, below: FieldSet): void {
  if (member || below.size > 0) result.set(element, member && below.size === 0 ? leaf : { member, below });
}
