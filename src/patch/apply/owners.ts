// Who owns which fields of an object: the entries of managedFields, decoded.
import { type FieldSet, unionAll } from '#patch/apply/field-set.ts';
import { compareTexts } from '#patch/apply/path-element.ts';

export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** The version in which `fields` is written. */
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** By identity. */
export type Owners = ReadonlyMap<OwnerId, Owner>;
export type OwnerId = string;

/** Who applies is the same in every version, who updates is not. The text also gives the order of owners in messages. */
export function identityOf({ manager, operation, apiVersion, subresource }: Omit<Owner, 'fields' | 'time'>): OwnerId {
  const own = manager === '' ? '' : `"manager":${JSON.stringify(manager)},`;
  const version = operation === 'Update' ? `,"apiVersion":${JSON.stringify(apiVersion)}` : '';
  const part = subresource === '' ? '' : `,"subresource":${JSON.stringify(subresource)}`;
  return `{${own}"operation":"${operation}"${version}${part}}`;
}

export function sortedById(owners: Owners): [OwnerId, Owner][] {
  return [...owners].sort(([left], [right]) => compareTexts(left, right));
}

const mostUpdaters = 10;

/** Keeps the number of updaters bounded: the oldest of each version become one `ancient-changes`. */
export function capUpdaters(owners: Owners): Owners {
  if (owners.size <= mostUpdaters) return owners;
  const updaters = [...owners].filter(([, owner]) => owner.operation === 'Update').sort(byAge);
  let excess = updaters.length - mostUpdaters;
  if (excess <= 0) return owners;
  const result = new Map(owners);
  const oldest = new Map<string, [OwnerId, Owner]>();
  const buckets = new Map<OwnerId, Bucket>();
  for (const [id, owner] of updaters) {
    if (excess <= 0) break;
    const first = oldest.get(owner.apiVersion);
    if (first === undefined) {
      oldest.set(owner.apiVersion, [id, owner]);
      continue;
    }
    gather(result, buckets, first, [id, owner]);
    excess -= 1;
  }
  for (const [id, { ancient, sets }] of buckets) result.set(id, { ...ancient, fields: unionAll(sets) });
  return result;
}

interface Bucket {
  ancient: Owner;
  readonly sets: FieldSet[];
}

/** The first time the oldest of the version goes into the bucket as well, unless a bucket was there before. */
function gather(result: Map<OwnerId, Owner>, buckets: Map<OwnerId, Bucket>, [first, oldest]: [OwnerId, Owner], [id, owner]: [OwnerId, Owner]): void {
  const { apiVersion, time, fields } = owner;
  const ancient: Owner = { manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: '', time, fields };
  const place = identityOf(ancient);
  let bucket = buckets.get(place);
  if (bucket === undefined) {
    const earlier = result.get(place);
    bucket = { ancient, sets: [(earlier ?? oldest).fields] };
    buckets.set(place, bucket);
    if (earlier === undefined) result.delete(first);
  }
  result.delete(id);
  // Where the bucket stands among the others is where it was put first.
  if (!result.has(place)) result.set(place, ancient);
  bucket.ancient = ancient;
  bucket.sets.push(fields);
}

function byAge([leftId, left]: readonly [OwnerId, Owner], [rightId, right]: readonly [OwnerId, Owner]): number {
  return secondsOf(left.time) - secondsOf(right.time) || compareTexts(leftId, rightId);
}

export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}
