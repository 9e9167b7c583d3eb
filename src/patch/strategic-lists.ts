// How a strategic merge patch turns two lists into one, and in which order the result stands:
// the order asked for first, then that of the patch, then that of the live object.
import { ApiError, unclassified } from '#api/api-error.ts';
import { formatGo, goTypeOf } from '#patch/go-format.ts';
import { isPlainObject, memberOf, type PlainObject } from '#patch/members.ts';
import { goKind, type PatchTarget } from '#patch/strategic-lookup.ts';

/** Merges one item of a keyed list; consumes the patch. */
export type MergeMaps = (original: PlainObject, patch: PlainObject, target: PatchTarget) => PlainObject;

export function mergeLists(original: readonly unknown[], patch: readonly unknown[], target: PatchTarget, mergeMaps: MergeMaps): unknown[] {
  if (original.length === 0 && patch.length === 0) return [];
  if (!holdsMaps(original, patch)) return mergeScalars(original, patch, target.key);
  if (target.key === '') throw unclassified(`cannot merge lists without merge key for ${goKind(target)}`);
  const { base, items } = carryOutDirectives(original as PlainObject[], patch as PlainObject[], target.key);
  const merged = mergeItems(base, items, target, mergeMaps);
  return interleave(merged, items, base, target.key);
}

/** `$deleteFromPrimitiveList`: meant for scalars; on maps upstream merges after all. */
export function deleteFromList(original: readonly unknown[], unwanted: readonly unknown[], target: PatchTarget, mergeMaps: MergeMaps): unknown[] {
  if (original.length === 0 && unwanted.length === 0) return [];
  if (holdsMaps(original, unwanted)) return mergeLists(original, unwanted, target, mergeMaps);
  const gone = new Set(unwanted);
  return original.filter((item) => !gone.has(item));
}

export interface ListOrder {
  /** `$setElementOrder`. */
  readonly order: readonly unknown[];
  readonly live: readonly unknown[];
  readonly patch: readonly unknown[];
}

/** Puts the merged list into the order asked for; items it does not name keep their live order. */
export function orderMerged(merged: readonly unknown[], { order, live, patch }: ListOrder, key: string): unknown[] {
  if (key !== '') refuseForeign(merged, order, key);
  holdsMaps(live, patch);
  return interleave(merged, order, live, key);
}

/** As upstream looks at them: the key of the first item, then the whole order, then the keys of the others. */
function refuseForeign(merged: readonly unknown[], order: readonly unknown[], key: string): void {
  if (merged.length === 0) return;
  keyOf(merged[0], key);
  const stranger = order.findIndex((wanted) => !isPlainObject(wanted));
  if (stranger >= 0) throw unclassified(`value for key ${stranger} is not a map`);
  for (const item of merged) keyOf(item, key);
}

/** The items of a patch must stand in the order that its own `$setElementOrder` asks for. */
export function refuseUnordered(patch: readonly unknown[], order: readonly unknown[], key: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const kept = key === '' ? patch : patch.filter((item) => directiveOf(asMap(item)) !== 'delete');
  let at = 0;
  for (const wanted of order) {
    while (at < kept.length && isPlainObject(kept[at]) && directiveOf(kept[at] as PlainObject) !== undefined) at += 1;
    if (at < kept.length && sameItem(kept[at], wanted, key)) at += 1;
  }
  while (at < kept.length && isPlainObject(kept[at]) && directiveOf(kept[at] as PlainObject) !== undefined) at += 1;
  if (at < kept.length) {
    throw unclassified(`The order in patch list:\n${formatGo(patch)}\n doesn't match $setElementOrder list:\n${formatGo(order)}\n`);
  }
}

function sameItem(left: unknown, right: unknown, key: string): boolean {
  return key === '' ? left === right : keyOf(left, key) === keyOf(right, key);
}

/** All items of both lists are of one type; is it the map? */
function holdsMaps(...lists: readonly (readonly unknown[])[]): boolean {
  const types = new Set(lists.flat(1).map(goTypeOf));
  if (types.has('[]interface {}')) throw new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', { details: {} });
  if (types.size > 1) throw unclassified(`list element types are not identical: ${formatGo(lists)}`);
  if (types.size === 0) throw unclassified('no elements in any of the given slices');
  return types.has('map[string]interface {}');
}

function mergeScalars(original: readonly unknown[], patch: readonly unknown[], key: string): unknown[] {
  if (key !== '') throw unclassified(`expected a map[string]interface {}, but received a ${goTypeOf(original[0] ?? patch[0])}`);
  return interleave([...new Set([...original, ...patch])], patch, original, '');
}

interface DirectedLists {
  readonly base: readonly PlainObject[];
  readonly items: readonly PlainObject[];
}

function carryOutDirectives(original: readonly PlainObject[], patch: readonly PlainObject[], key: string): DirectedLists {
  const unwanted = new Set<unknown>();
  let replaces = false;
  const items: PlainObject[] = [];
  for (const item of patch) {
    const asked = directiveOf(item);
    if (asked === undefined) items.push(item);
    else if (asked === 'replace') replaces = true;
    else if (asked === 'delete') unwanted.add(keyOf(item, key));
    else if (asked === 'merge') throw unclassified('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(asked, item);
  }
  if (replaces) return { base: items, items: [] };
  return { base: unwanted.size === 0 ? original : original.filter((live) => !unwanted.has(memberOf(live, key))), items };
}

function mergeItems(base: readonly PlainObject[], items: readonly PlainObject[], target: PatchTarget, mergeMaps: MergeMaps): PlainObject[] {
  const merged = [...base];
  const places = new Map<unknown, number>();
  merged.forEach((item, index) => {
    const value = memberOf(item, target.key);
    if (value !== undefined && !places.has(value)) places.set(value, index);
  });
  for (const item of items) {
    const value = keyOf(item, target.key);
    const place = places.get(value);
    if (place === undefined) places.set(value, merged.push(item) - 1);
    else merged[place] = mergeMaps(merged[place] as PlainObject, item, { ...target, strategy: '', key: '' });
  }
  return merged;
}

/** Items named by `order` in that order; the others, in live order, slip in before the first that stood behind them. */
function interleave(merged: readonly unknown[], order: readonly unknown[], live: readonly unknown[], key: string): unknown[] {
  const orderPlace = placesOf(order, key);
  const livePlace = placesOf(live, key);
  const named = sortedBy(
    merged.filter((item) => orderPlace.has(identity(item, key))),
    orderPlace,
    key,
  );
  const others = sortedBy(
    merged.filter((item) => !orderPlace.has(identity(item, key))),
    livePlace,
    key,
  );
  const result: unknown[] = [];
  let next = 0;
  for (const item of named) {
    const place = livePlace.get(identity(item, key));
    while (place !== undefined && next < others.length) {
      const other = livePlace.get(identity(others[next], key));
      if (other === undefined || other >= place) break;
      result.push(others[next]);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

function sortedBy(items: readonly unknown[], places: ReadonlyMap<unknown, number>, key: string): unknown[] {
  const placeOf = (item: unknown) => places.get(identity(item, key)) ?? -1;
  return [...items].sort((left, right) => placeOf(left) - placeOf(right));
}

function placesOf(items: readonly unknown[], key: string): Map<unknown, number> {
  const places = new Map<unknown, number>();
  items.forEach((item, index) => {
    const value = identity(item, key);
    if (!places.has(value)) places.set(value, index);
  });
  return places;
}

function identity(item: unknown, key: string): unknown {
  return key === '' ? item : keyOf(item, key);
}

function keyOf(item: unknown, key: string): unknown {
  const map = asMap(item);
  if (!Object.hasOwn(map, key)) throw unclassified(`map: ${formatGo(map)} does not contain declared merge key: ${key}`);
  return map[key];
}

function asMap(item: unknown): PlainObject {
  if (isPlainObject(item)) return item;
  throw unclassified(`expected a map[string]interface {}, but received a ${goTypeOf(item)}`);
}

function directiveOf(item: PlainObject): unknown {
  return memberOf(item, '$patch');
}

export function unknownDirective(value: unknown, patch: PlainObject): Error {
  const shown = typeof value === 'string' ? value : value === null ? '%!s(<nil>)' : `%!s(${goTypeOf(value)}=${formatGo(value)})`;
  return unclassified(`unknown patch type: ${shown} in map: ${formatGo(patch)}`);
}
