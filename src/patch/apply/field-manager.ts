// Top of the ladder: who owns which field after a write, and what an apply makes of an object.
import { badRequest, unclassified } from '#api/api-error.ts';
import { inOneGo, type Steps } from '#base/steps.ts';
import { parseApiVersion } from '#api/names.ts';
import type { KubernetesObject, ManagedFieldsEntry, ObjectMeta } from '#api/object.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import { ApplyConflicts, conflictError } from '#patch/apply/conflicts.ts';
import { createdFields } from '#patch/fields-text/created-fields.ts';
import { difference, differenceBelow, emptySet, equalSets, type FieldSet, has, matching, setOfPaths, union } from '#patch/apply/field-set.ts';
import { fits } from '#patch/apply/fits.ts';
import { itemsHaveSteps } from '#patch/apply/items-have-steps.ts';
import { unchangedSinceLastApplied, withLastApplied } from '#patch/apply/last-applied.ts';
import { BrokenManagedFields, decodeManagedFields, encodeManagedFields, equalEntries, isReset, makeEntry, noOwners } from '#patch/apply/managed-fields.ts';
import { apply, type MergerContext, update } from '#patch/apply/merger.ts';
import { capUpdaters, identityOf, type Owner, type Owners } from '#patch/apply/owners.ts';
import { topologyOf } from '#patch/apply/topology.ts';
import { refuseMisfit, TypeMismatch } from '#patch/apply/validate.ts';
import { ApplyFailure, type ConvertObject, explaining, explainingSteps, type Typed, versionsBy } from '#patch/apply/versions.ts';
import { fromUnstructured } from '#patch/from-unstructured.ts';
import { equalValues, isPlainObject, memberOf, type PlainObject } from '#patch/members.ts';
import { arrange } from '#schema/json/arrange.ts';
import { shallowCopy } from '#schema/clone.ts';
import { copyGivenEmpty } from '#schema/given-empty.ts';
import type { StructSchema } from '#schema/build.ts';
import { DecodeError } from '#schema/json/decode.ts';
import { isCustom, zeroOf } from '#schema/struct-plan.ts';

export interface FieldManagerRequest {
  /** Of the version of the request. */
  readonly schema: StructSchema;
  /** The stored object in the version of the request; undefined when the request creates it. */
  readonly live: KubernetesObject | undefined;
  readonly manager: string;
  readonly subresource: string;
  readonly apiVersion: string;
  readonly now: Date;
  /** Paths that this endpoint resets, so that nobody owns them through it. */
  readonly resetFields: readonly (readonly string[])[];
  /** The only paths that can be owned through this endpoint; `*` stands for any step. Default: all that are not reset. */
  readonly ownableFields?: readonly (readonly string[])[] | undefined;
  /** Needed where a kind has more than one version. */
  readonly convert?: ConvertObject | undefined;
}

export interface UpdateRequest extends FieldManagerRequest {
  /** The new state, with managedFields only if the client sent some. */
  readonly object: KubernetesObject;
  /** The client sent managedFields that start tracking again (`isReset`); decoding hides the empty list. */
  readonly reset?: boolean | undefined;
  /** Nobody uses the object after this: it need not be copied. */
  readonly isOurs?: boolean | undefined;
}

/** For the create of an object that nobody owns yet, which takes no comparison; undefined for everything else. The object must be ours. */
export function trackCreation(request: UpdateRequest): KubernetesObject | undefined {
  const { live, object, isOurs } = request;
  if (live !== undefined || isOurs !== true || object.metadata?.managedFields !== undefined) return undefined;
  const fields = fieldsOfCreator(request, object);
  return fields && createdBy(request, object, fields);
}

/** For create, update and patch: a copy of the object (itself, if it is ours) with its managedFields brought up to date. */
export function updateManagedFields(request: UpdateRequest): KubernetesObject {
  return inOneGo(updateSteps(request));
}

/** The same in steps, for large objects. */
export function* updateSteps(request: UpdateRequest): Steps<KubernetesObject> {
  const isBare = request.object.metadata?.managedFields === undefined;
  const object = isBare && request.isOurs === true ? request.object : withoutManagedFields(request.object);
  const owners = ownersBefore(request);
  // Tracking starts when an object is created, or with the first apply.
  if (owners.size === 0 && request.live !== undefined) return object;
  const fields = owners.size === 0 ? fieldsOfCreator(request, object) : undefined;
  if (fields !== undefined) return createdBy(request, object, fields);
  try {
    yield;
    const after = capUpdaters(yield* afterUpdate(request, { live: request.live, object, owners }, request.manager));
    yield;
    return withOwners(object, after);
  } catch (error) {
    if (error instanceof ApplyFailure || error instanceof TypeMismatch) return object;
    throw error;
  }
}

/** Undefined when it takes the comparison of field sets to tell. */
function fieldsOfCreator(request: UpdateRequest, object: KubernetesObject): Uint8Array | undefined {
  if (request.ownableFields !== undefined || isCustom(request.schema)) return undefined;
  return createdFields(request.schema, object, excludedOf(request.resetFields));
}

/** `object` is ours. */
function createdBy(request: UpdateRequest, object: KubernetesObject, fields: Uint8Array): KubernetesObject {
  if (fields.length > 0)
    object.metadata.managedFields = [makeEntry({ ...ownerOf(request, request.manager, 'Update'), time: wholeSeconds(request.now) }, fields)];
  return object;
}

function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  const metadata: ObjectMeta = shallowCopy(object.metadata);
  if (metadata.managedFields !== undefined) metadata.managedFields = undefined;
  const copy = { ...object, metadata };
  copyGivenEmpty(object, copy);
  return copy;
}

/** What the client sent counts if it can be read, and never through a subresource. */
function ownersBefore({ live, object, subresource, reset }: UpdateRequest): Owners {
  const sent = object.metadata?.managedFields;
  if (subresource === '') {
    if (reset === true || isReset(sent)) return noOwners;
    const owners = readable(sent);
    if (owners.size > 0) return owners;
  }
  return readable(live?.metadata.managedFields);
}

function readable(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  try {
    return decodeManagedFields(entries);
  } catch (error) {
    if (error instanceof BrokenManagedFields) return noOwners;
    throw error;
  }
}

interface Change {
  readonly live: KubernetesObject | undefined;
  readonly object: KubernetesObject;
  readonly owners: Owners;
}

function* afterUpdate(request: FieldManagerRequest, { live, object, owners }: Change, manager: string): Steps<Owners> {
  const context = contextOf(request);
  const before = typed(request, live ?? emptyObject(request, object), 'failed to convert live object');
  const after = typed(request, object, 'failed to convert new object');
  yield;
  const { owners: rest, changed } = yield* update(context, before, after, owners);
  const fields = difference(changed, neverOwned);
  if (fields.size === 0) return rest;
  const owner = ownerOf(request, manager, 'Update');
  const id = identityOf(owner);
  return new Map(rest).set(id, owning(owner, wholeSeconds(request.now), fieldsWith(fields, rest.get(id)?.fields, owners.get(id)?.fields)));
}

/** Field by field: V8 is slow where a literal adds a field to a spread. */
function owning({ manager, operation, apiVersion, subresource }: Omit<Owner, 'fields'>, time: string, fields: FieldSet): Owner {
  return { manager, operation, apiVersion, subresource, time, fields };
}

/** What an owner has after a change: what it was left, and what it changed. The set it had before, where that is the same, because its text is known. */
function fieldsWith(changed: FieldSet, left: FieldSet = emptySet, before: FieldSet = emptySet): FieldSet {
  const fields = union(left, changed);
  return equalSets(before, fields) ? before : fields;
}

export interface ApplyRequest extends FieldManagerRequest {
  /** The body as it was parsed, never decoded: what is not there must stay unowned. */
  readonly applied: unknown;
  readonly force: boolean;
}

/** What Go cannot read as entries it takes for none. */
function readsAsManagedFields(given: unknown): boolean {
  return Array.isArray(given) && given.every((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry));
}

/** The applied configuration merged into the live object, with managedFields; not yet decoded or defaulted. */
export function applyObject(request: ApplyRequest): KubernetesObject {
  return inOneGo(applySteps(request));
}

/** The same in steps, for large configurations. */
export function* applySteps(request: ApplyRequest): Steps<KubernetesObject> {
  const applied = request.applied as KubernetesObject;
  if (readsAsManagedFields(applied.metadata?.managedFields)) throw badRequest('metadata.managedFields must be nil');
  try {
    const before = decodedOwners(request);
    yield;
    const { object, owners } = yield* handingOver(request, applied, before);
    yield;
    const result = request.manager === 'kubectl' ? withLastApplied(object, applied) : object;
    return withOwners(result, owners);
  } catch (error) {
    if (error instanceof ApplyConflicts) throw yield* conflictError(error.conflicts);
    if (error instanceof ApplyFailure || error instanceof TypeMismatch) throw unclassified(error.message);
    throw error;
  }
}

function decodedOwners({ live }: ApplyRequest): Owners {
  try {
    return decodeManagedFields(live?.metadata.managedFields);
  } catch (error) {
    if (error instanceof BrokenManagedFields) throw new ApplyFailure(`failed to decode managed fields: ${error.message}`);
    throw error;
  }
}

interface Applied {
  readonly object: KubernetesObject;
  readonly owners: Owners;
}

/** kubectl wins conflicts over what it had applied itself, client-side, and nobody changed since. */
function* handingOver(request: ApplyRequest, applied: KubernetesObject, owners: Owners): Steps<Applied> {
  try {
    return yield* applyOnce(request, applied, owners, request.force);
  } catch (error) {
    if (!(error instanceof ApplyConflicts) || request.manager !== 'kubectl' || request.live === undefined) throw error;
    const allowed = unchangedSinceLastApplied(typed(request, request.live, 'failed to create typed live object'));
    const left = error.conflicts.filter(({ path }) => !has(allowed, path));
    if (left.length > 0) throw new ApplyConflicts(left);
    return yield* applyOnce(request, applied, owners, true);
  }
}

function* applyOnce(request: ApplyRequest, applied: KubernetesObject, stored: Owners, force: boolean): Steps<Applied> {
  yield;
  const live = request.live ?? emptyObject(request, applied);
  const patch = typedPatch(request, applied);
  yield;
  const owners = stored.size === 0 ? yield* beforeFirstApply(request) : stored;
  const owner = ownerOf(request, request.manager, 'Apply');
  const id = identityOf(owner);
  const base = typed(request, live, 'failed to create typed live object');
  // As it is written: required lists that are missing are null there, and owned.
  yield;
  const written = { ...base, object: arrange(request.schema, base.object) as KubernetesObject };
  yield;
  const { object, owners: settled } = yield* apply(contextOf(request), { live: written, applied: patch, owners, id, owner, force });
  yield;
  return {
    object: object === undefined ? live : converted(request, applied, object),
    owners: withOwn(settled, id, object === undefined ? undefined : wholeSeconds(request.now)),
  };
}

/** Into the built-in type; custom resources have none. */
function converted({ schema }: ApplyRequest, applied: KubernetesObject, object: KubernetesObject): KubernetesObject {
  if (isCustom(schema)) return object;
  try {
    return fromUnstructured(schema, object) as KubernetesObject;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const described = describe(applied);
    const type = described.slice(described.indexOf('; ') + 2);
    throw new ApplyFailure(`failed to convert new object (${described}) to proper version: unable to convert unstructured object to ${type}: ${error.message}`);
  }
}

/** The applier's own entry: without what is never owned, and with a new time if the object changed. */
function withOwn(owners: Owners, id: string, time: string | undefined): Owners {
  const own = owners.get(id);
  if (own === undefined) return owners;
  const result = new Map(owners);
  const fields = ownedOf(own.fields);
  if (fields.size === 0) result.delete(id);
  else result.set(id, { ...own, fields, time: time ?? own.time });
  return result;
}

/** Everything an untracked object has belongs to nobody in particular. */
function* beforeFirstApply(request: ApplyRequest): Steps<Owners> {
  if (request.live === undefined) return noOwners;
  return yield* explainingSteps(
    'failed to create manager for existing fields',
    afterUpdate(request, { live: undefined, object: request.live, owners: noOwners }, 'before-first-apply'),
  );
}

function contextOf({ resetFields, ownableFields, convert }: FieldManagerRequest): MergerContext {
  const reset = resetSetOf(resetFields);
  const ownable = (fields: FieldSet) => differenceBelow(ownableFields === undefined ? fields : matching(fields, ownableFields), reset);
  return { versions: versionsBy(convert), ownable };
}

type Paths = readonly (readonly string[])[];

const resetSetOf = remembering((paths: Paths) => setOfPaths(paths));
const excludedOf = remembering((paths: Paths) => setOfPaths([...paths, ...systemFields]));
const ownedOf = remembering((fields: FieldSet) => difference(fields, neverOwned));

function remembering<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) {
      value = make(key);
      made.set(key, value);
    }
    return value;
  };
}

const systemFields: Paths = [
  ['apiVersion'],
  ['kind'],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map((name) => [
    'metadata',
    name,
  ]),
];

const neverOwned: FieldSet = setOfPaths([['metadata'], ...systemFields]);

function typed({ schema, apiVersion }: FieldManagerRequest, tracked: KubernetesObject, step: string): Typed {
  const topology = topologyOf(schema);
  // Nobody owns managedFields, and the result gets its own.
  const object = tracked.metadata?.managedFields === undefined ? tracked : withoutManagedFields(tracked);
  const isFit = isCustom(schema) ? fits(topology, object, false) : itemsHaveSteps(topology, object);
  if (!isFit) explaining(`${step} (${describe(object)})`, () => refuseMisfit(topology, object, 'allowed'));
  return { apiVersion, topology, object };
}

function typedPatch({ schema, apiVersion }: FieldManagerRequest, applied: KubernetesObject): Typed {
  const topology = topologyOf(schema);
  if (!fits(topology, applied, true))
    explaining(`failed to create typed patch object (${describe(applied)})`, () => refuseMisfit(topology, applied, 'refused'));
  return { apiVersion, topology, object: applied };
}

/** `ns/name; group/version, Kind=Kind`: how refusals name the object they are about. */
export function describe({ metadata, apiVersion, kind }: KubernetesObject): string {
  const { namespace, name }: ObjectMeta = isPlainObject(metadata) ? metadata : {};
  const { group, version } = parseApiVersion(apiVersion ?? '') ?? { group: '', version: '' };
  return `${text(namespace)}/${text(name)}; ${group}/${version}, Kind=${text(kind)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What a kind looks like before anybody has set anything. */
function emptyObject({ schema, apiVersion }: FieldManagerRequest, { kind }: KubernetesObject): KubernetesObject {
  const empty = isCustom(schema) ? {} : (zeroOf(schema) as KubernetesObject);
  return { ...empty, kind, apiVersion, metadata: (empty as Partial<KubernetesObject>).metadata ?? {} };
}

function ownerOf({ apiVersion, subresource }: FieldManagerRequest, manager: string, operation: Owner['operation']): Omit<Owner, 'fields'> {
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource, time: undefined };
}

function withOwners(object: KubernetesObject, owners: Owners): KubernetesObject {
  const metadata: ObjectMeta = shallowCopy(object.metadata);
  metadata.managedFields = encodeManagedFields(owners);
  const tracked = { ...object, metadata };
  copyGivenEmpty(object, tracked);
  return tracked;
}

/** A write that changes nothing but the times of managedFields changes nothing at all: the live times are put back. */
export function withLiveTimes(object: KubernetesObject, live: KubernetesObject): KubernetesObject {
  const [entries, liveEntries] = [object.metadata.managedFields ?? [], live.metadata.managedFields ?? []];
  if (entries.length === 0 || entries.length !== liveEntries.length) return object;
  if (entries.every(({ time }, index) => time === liveEntries[index]?.time)) return object;
  if (!equalApart(object.metadata, live.metadata, 'managedFields') || !equalApart(object, live, 'metadata')) return object;
  if (!entries.every((entry, index) => equalEntries(entry, liveEntries[index] as ManagedFieldsEntry))) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: liveEntries } };
}

/** The same members with the same values, one aside. */
function equalApart(left: object, right: object, aside: string): boolean {
  const [a, b] = [left as PlainObject, right as PlainObject];
  for (const key in a) if (key !== aside && !equalValues(a[key], memberOf(b, key))) return false;
  for (const key in b) if (key !== aside && b[key] !== undefined && a[key] === undefined) return false;
  return true;
}
