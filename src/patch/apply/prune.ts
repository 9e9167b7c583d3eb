// Takes out of a merged object what its applier has stopped applying.
import type { Steps } from '#base/steps.ts';
import type { KubernetesObject } from '#api/object.ts';
import { difference, type FieldSet, intersection, union, unionAll } from '#patch/apply/field-set.ts';
import type { Owner, Owners } from '#patch/apply/owners.ts';
import { removeFields } from '#patch/apply/remove.ts';
import { toFieldSet, withNamedFields } from '#patch/apply/to-field-set.ts';
import { explaining, type Typed, type Versions } from '#patch/apply/versions.ts';

/** Works in the version of the last application and comes back to that of the object. */
export function* pruneFields(versions: Versions, object: Typed, owners: Owners, last: Owner): Steps<Typed> {
  const merged = pruning('failed to convert merged object to last applied version', () => versions.convert(object, last.apiVersion));
  if (merged === undefined) return object;
  const claimed: Owner = { ...last, fields: withNamedFields(last.fields, merged.topology) };
  const bare = without(merged, claimed.fields);
  yield;
  const owned = pruning('failed add back owned items', () => addBackOwned(versions, merged, bare, owners));
  yield;
  const result = pruning('failed add back dangling items', () => addBackDangling(versions, merged, owned, claimed));
  return pruning('', () => versions.convert(result, object.apiVersion)) ?? object;
}

function pruning<T>(what: string, act: () => T): T {
  return explaining('failed to prune fields', () => (what === '' ? act() : explaining(what, act)));
}

/** What others own, or the applier still applies, stays; each owner speaks in its own version. */
function addBackOwned(versions: Versions, merged: Typed, bare: Typed, owners: Owners): Typed {
  const byVersion = new Map<string, FieldSet[]>([[bare.apiVersion, []]]);
  for (const { apiVersion, fields } of owners.values()) {
    const sets = byVersion.get(apiVersion);
    if (sets === undefined) byVersion.set(apiVersion, [fields]);
    else sets.push(fields);
  }
  let [full, rest] = [merged, bare];
  for (const [version, sets] of byVersion) {
    const converted = inVersion(versions, full, rest, version);
    if (converted === undefined) continue;
    full = converted.full;
    rest = keep(full, converted.rest, unionAll(sets));
  }
  return rest;
}

function inVersion(versions: Versions, full: Typed, rest: Typed, version: string): { full: Typed; rest: Typed } | undefined {
  const convertedFull = explaining(`failed to convert merged object at version ${version}`, () => versions.convert(full, version));
  const convertedRest = explaining(`failed to convert pruned object at version ${version}`, () => versions.convert(rest, version));
  return convertedFull === undefined || convertedRest === undefined ? undefined : { full: convertedFull, rest: convertedRest };
}

function keep(full: Typed, rest: Typed, owned: FieldSet): Typed {
  const { topology } = full;
  const kept = union(namedFieldsOf(rest), withNamedFields(owned, topology));
  return without(full, difference(namedFieldsOf(full), kept));
}

/** Only what the applier owned goes: what nobody owns stays. */
function addBackDangling(versions: Versions, merged: Typed, rest: Typed, claimed: Owner): Typed {
  const converted = explaining('failed to convert pruned object to last applied version', () => versions.convert(rest, claimed.apiVersion));
  if (converted === undefined) return merged;
  const gone = difference(namedFieldsOf(merged), namedFieldsOf(converted));
  return without(merged, intersection(gone, claimed.fields));
}

/** The merged object is asked twice. */
const namedFields = new WeakMap<Typed, FieldSet>();

function namedFieldsOf(typed: Typed): FieldSet {
  let fields = namedFields.get(typed);
  if (fields === undefined) {
    fields = withNamedFields(toFieldSet(typed.topology, typed.object), typed.topology);
    namedFields.set(typed, fields);
  }
  return fields;
}

function without(typed: Typed, fields: FieldSet): Typed {
  return { ...typed, object: removeFields(typed.topology, typed.object, fields) as KubernetesObject };
}
