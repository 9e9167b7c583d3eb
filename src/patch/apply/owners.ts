// Who owns which fields of an object: the entries of managedFields, decoded.
import type { FieldSet } from '#patch/apply/field-set.ts';
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
export function capUpdaters(owners: Owners, union: (left: FieldSet, right: FieldSet) => FieldSet): Owners {
  const updaters = [...owners].filter(([, owner]) => owner.operation === 'Update').sort(byAge);
  let excess = updaters.length - mostUpdaters;
  if (excess <= 0) return owners;
  const result = new Map(owners);
  const oldest = new Map<string, OwnerId>();
  for (const [id, owner] of updaters) {
    if (excess <= 0) break;
    const first = oldest.get(owner.apiVersion);
    if (first === undefined) {
      oldest.set(owner.apiVersion, id);
      continue;
    }
    const ancient: Owner = {
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion: owner.apiVersion,
      subresource: '',
      time: owner.time,
      fields: owner.fields,
    };
    const bucket = identityOf(ancient);
    const gathered = result.get(bucket) ?? (result.get(first) as Owner);
    if (!result.has(bucket)) result.delete(first);
    result.delete(id);
    result.set(bucket, { ...ancient, fields: union(owner.fields, gathered.fields) });
    excess -= 1;
  }
  return result;
}

function byAge([leftId, left]: readonly [OwnerId, Owner], [rightId, right]: readonly [OwnerId, Owner]): number {
  return secondsOf(left.time) - secondsOf(right.time) || compareTexts(leftId, rightId);
}

export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}
