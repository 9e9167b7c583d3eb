// The two things that happen to owned objects: somebody updates one, or applies a configuration to it.
import type { Steps } from '#base/steps.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Comparison, compare } from '#patch/apply/compare.ts';
import { conflictsOf } from '#patch/apply/conflicts.ts';
import { difference, emptySet, type FieldSet, intersection, isSubset, union } from '#patch/apply/field-set.ts';
import { mentionedFields } from '#patch/fields-text/mentioned-fields.ts';
import { mergeValues } from '#patch/apply/merge.ts';
import { type Owner, type OwnerId, type Owners, sortedById } from '#patch/apply/owners.ts';
import { pruneFields } from '#patch/apply/prune.ts';
import { reconcile } from '#patch/apply/reconcile.ts';
import { toFieldSet } from '#patch/apply/to-field-set.ts';
import { explaining, type Typed, type Versions } from '#patch/apply/versions.ts';
import { setOfText } from '#patch/fields-text/sets-by-text.ts';
import { equalValues } from '#patch/members.ts';

export interface MergerContext {
  readonly versions: Versions;
  /** Takes away the fields that nobody can own through this endpoint. */
  readonly ownable: (fields: FieldSet) => FieldSet;
}

/** Whoever made the change owns what it added and modified; the others lose what it changed or removed. */
export function* update(context: MergerContext, live: Typed, object: Typed, owners: Owners): Steps<{ owners: Owners; changed: FieldSet }> {
  const reconciled = reconcileOwners(context, live, owners);
  yield;
  const { owners: rest, comparison } = yield* settle(context, { live, object, owners: reconciled, self: undefined, force: true });
  return { owners: rest, changed: context.ownable(union(comparison.modified, comparison.added)) };
}

export interface Application {
  readonly live: Typed;
  readonly applied: Typed;
  readonly owners: Owners;
  readonly id: OwnerId;
  readonly owner: Omit<Owner, 'fields'>;
  readonly force: boolean;
}

/** The object is undefined when the configuration changes nothing in it. */
export function* apply(
  context: MergerContext,
  { live, applied, owners, id, owner, force }: Application,
): Steps<{ object: KubernetesObject | undefined; owners: Owners }> {
  const reconciled = reconcileOwners(context, live, owners);
  const last = reconciled.get(id);
  yield;
  const mentioned = appliedFields(applied);
  yield;
  const fields = context.ownable(mentioned);
  const claimed = new Map(reconciled).set(id, { ...owner, time: last?.time, fields });
  yield;
  const merged: Typed = { ...live, object: mergeValues(live.topology, live.object, applied.object) as KubernetesObject };
  yield;
  const object = yield* pruned(context, merged, claimed, { last, fields });
  yield;
  const settled = yield* settle(context, { live, object, owners: claimed, self: id, force });
  yield;
  return { object: equalValues(live.object, object.object) ? undefined : object.object, owners: settled.owners };
}

function appliedFields({ topology, object }: Typed): FieldSet {
  const text = mentionedFields(topology, object);
  return text === undefined ? toFieldSet(topology, object) : setOfText(text);
}

interface Claims {
  readonly last: Owner | undefined;
  readonly fields: FieldSet;
}

/** What the owner applied last time, and nobody applies or owns now, goes. */
function* pruned(context: MergerContext, merged: Typed, owners: Owners, { last, fields }: Claims): Steps<Typed> {
  if (last === undefined || last.fields.size === 0) return merged;
  if (last.apiVersion === merged.apiVersion && isSubset(last.fields, fields)) return merged;
  yield;
  return yield* pruneFields(context.versions, merged, owners, last);
}

/** Sets whose version is not served any more are dropped. */
function reconcileOwners({ versions }: MergerContext, live: Typed, owners: Owners): Owners {
  const result = new Map<OwnerId, Owner>();
  for (const [id, owner] of owners) {
    const typed = versions.convert(live, owner.apiVersion);
    if (typed === undefined) continue;
    const fields = reconcile(owner.fields, typed.topology);
    result.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return result;
}

interface Settlement {
  readonly live: Typed;
  readonly object: Typed;
  readonly owners: Owners;
  /** The owner in whose name the change happens; its own fields are not touched. */
  readonly self: OwnerId | undefined;
  readonly force: boolean;
}

function* settle(context: MergerContext, { live, object, owners, self, force }: Settlement): Steps<{ owners: Owners; comparison: Comparison }> {
  const comparison = ownableChanges(context, compare(live.topology, live.object, object.object));
  const comparisons = new Map<string, Comparison | undefined>([[live.apiVersion, comparison]]);
  const contested: [Owner, FieldSet][] = [];
  const result = new Map<OwnerId, Owner>();
  for (const [id, owner] of sortedById(owners)) {
    yield;
    const rest = id === self ? owner.fields : fieldsLeft(context, { live, object, comparisons, contested }, owner);
    if (rest !== undefined && rest.size > 0) result.set(id, rest === owner.fields ? owner : { ...owner, fields: rest });
  }
  if (!force && contested.length > 0) {
    yield;
    throw conflictsOf(contested);
  }
  return { owners: result, comparison };
}

interface ComparedVersions {
  readonly live: Typed;
  readonly object: Typed;
  readonly comparisons: Map<string, Comparison | undefined>;
  readonly contested: [Owner, FieldSet][];
}

/** Undefined for owners in a version that is not served. */
function fieldsLeft(context: MergerContext, compared: ComparedVersions, owner: Owner): FieldSet | undefined {
  const { comparisons, contested } = compared;
  if (!comparisons.has(owner.apiVersion)) comparisons.set(owner.apiVersion, compareIn(context, compared, owner.apiVersion));
  const comparison = comparisons.get(owner.apiVersion);
  if (comparison === undefined) return undefined;
  const { modified, added, removed } = comparison;
  const lost = union(intersection(owner.fields, modified), intersection(owner.fields, added));
  if (lost.size > 0) contested.push([owner, lost]);
  return difference(difference(owner.fields, lost), removed);
}

function compareIn(context: MergerContext, { live, object }: ComparedVersions, apiVersion: string): Comparison | undefined {
  const before = explaining('failed to convert old object', () => context.versions.convert(live, apiVersion));
  const after = explaining('failed to convert new object', () => context.versions.convert(object, apiVersion));
  if (before === undefined || after === undefined) return undefined;
  return ownableChanges(context, compare(before.topology, before.object, after.object));
}

function ownableChanges({ ownable }: MergerContext, { added, modified, removed }: Comparison): Comparison {
  return { added: ownable(added), modified: ownable(modified), removed: removed.size === 0 ? emptySet : ownable(removed) };
}
