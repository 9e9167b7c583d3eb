import { conflict, forbidden, notFound } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Status } from '#api/status.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { fromHub } from '#resource/conversion.ts';
import { clone } from '#schema/clone.ts';
import type { StructSchema } from '#schema/build.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { admitDeletion } from '#verbs/admit.ts';
import { type Call, resourceOf, strategyContext } from '#verbs/call.ts';
import { type DeleteOptions, type Propagation } from '#verbs/delete-options.ts';
import { timestamp } from '#verbs/metadata.ts';
import { type Decision, type Written, targetOf, writeLoop } from '#verbs/write-loop.ts';

const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';

export async function deleteObject(call: Call, options: DeleteOptions, statusSchema: StructSchema): Promise<Answer> {
  warnOfOrphans(call, options);
  const why = call.hub.strategy.whyNotDeletable?.(call.name);
  if (why !== undefined) throw forbidden(resourceOf(call), call.name, why);
  const written = await remove(call, options);
  if (!written.removed || call.hub.strategy.returnsDeleted) {
    const code = options.orphanDependents === false && !written.removed ? 202 : 200;
    return { is: 'item', code, definition: call.definition, item: written.item };
  }
  return { is: 'object', code: 200, schema: statusSchema, object: successStatus(call, written.item.object) };
}

/** Whatever becomes of the request: the original says it before it looks for the object. */
export function warnOfOrphans(call: Call, { propagationPolicy, orphanDependents }: DeleteOptions): void {
  const { orphansByDefaultWarning } = call.hub.strategy;
  if (orphansByDefaultWarning !== undefined && propagationPolicy === undefined && orphanDependents === undefined) call.warn(orphansByDefaultWarning);
}

/** Under which name admission hears of the deletion: none for one of a collection, as upstream does.
 *  It is not asked about what follows from something else: an eviction was admitted as such, a definition takes its objects along. */
export type DeletionAdmission = { readonly name: string } | 'not asked';

export async function remove(call: Call, options: DeleteOptions, admission: DeletionAdmission = call): Promise<Written> {
  const dryRun = (options.dryRun?.length ?? 0) > 0;
  const asked = admission === 'not asked' ? undefined : admission.name;
  const written = await writeLoop(call, targetOf(call, dryRun), (current) => {
    if (current === undefined) throw notFound(resourceOf(call), call.name);
    checkPreconditions(call, options, current);
    const { object } = current;
    const admitting = asked === undefined ? undefined : admitRemoval(call, object, { name: asked, dryRun, options });
    return andThen(admitting, () => decideDelete(call, options, object));
  });
  // The end of a grace period is told to watchers before the object goes.
  return written.removed || dryRun || !isOver(call, written.item.object)
    ? written
    : remove(call, { ...withoutVersion(options), gracePeriodSeconds: 0 }, admission);
}

/** Upstream decodes what it deletes in the version of the request: an object that cannot be converted stays. */
function admitRemoval(
  call: Call,
  old: KubernetesObject,
  { name, dryRun, options }: { name: string; dryRun: boolean; options: DeleteOptions },
): MaybePromise<void> {
  const { definition, hub, world } = call;
  const shown = definition === hub ? undefined : fromHub(world.catalog, definition, old);
  const subject = { old, name, dryRun, options: pinnedOptions(call, options, old) };
  return andThen(shown, () => admitDeletion(call, subject, graceOptions(call, options, old)));
}

/** Upstream settles the grace period between the two phases of admission. */
function graceOptions({ hub }: Call, options: DeleteOptions, old: KubernetesObject): Readonly<Record<string, unknown>> {
  if (hub.strategy.gracePeriod === undefined || old.metadata.deletionTimestamp !== undefined) return {};
  return { gracePeriodSeconds: hub.strategy.gracePeriod(old, askedGrace(options)) };
}

function askedGrace({ gracePeriodSeconds }: DeleteOptions): number | undefined {
  return gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
}

/** Kinds that are only marked at first pin what they mark, and admission sees it. */
function pinnedOptions({ hub }: Call, options: DeleteOptions, { metadata }: KubernetesObject): DeleteOptions & Readonly<Record<string, unknown>> {
  return hub.strategy.markDeleted === undefined ? { ...options } : { ...options, preconditions: { uid: metadata.uid, ...options.preconditions } };
}

function isOver(call: Call, object: KubernetesObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  return call.hub.strategy.gracePeriod !== undefined && deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && !isHeld(call, object);
}

function withoutVersion({ preconditions, ...options }: DeleteOptions): DeleteOptions {
  return preconditions?.uid === undefined ? options : { ...options, preconditions: { uid: preconditions.uid } };
}

function decideDelete(call: Call, options: DeleteOptions, current: KubernetesObject): Decision {
  if (nothingHolds(call, options, current)) return { is: 'remove', object: current };
  const object = clone(current);
  settleFinalizers(call, object, options);
  return settleGrace(call, object, current, options);
}

/** Neither finalizers nor a grace period nor a way of its own: it goes, and nothing of it has to be changed first. */
function nothingHolds(call: Call, options: DeleteOptions, { metadata }: KubernetesObject): boolean {
  const { gracePeriod, markDeleted, isHeld: holds } = call.hub.strategy;
  if (gracePeriod !== undefined || markDeleted !== undefined || holds !== undefined || metadata.finalizers?.length) return false;
  return call.hub.strategy.defaultPropagation === 'unsupported' || propagationOf(call, [], options) === 'Background';
}

/** Marks the object as going; it goes now when neither time nor finalizers hold it. */
function settleGrace(call: Call, object: KubernetesObject, old: KubernetesObject, options: DeleteOptions): Decision {
  const { strategy } = call.hub;
  const wasDeleting = old.metadata.deletionTimestamp !== undefined;
  if (strategy.markDeleted && !wasDeleting) return markOwnWay(call, object);
  if (strategy.isHeld?.(old)) return { is: 'keep' };
  const grace = strategy.gracePeriod?.(object, askedGrace(options)) ?? 0;
  if (wasDeleting && !shortens(old, grace, strategy.gracePeriod !== undefined, options)) return { is: 'keep' };
  if (strategy.gracePeriod) mark(object, old, grace, call.world.clock.now());
  else if (object.metadata.finalizers?.length && !wasDeleting) mark(object, old, 0, call.world.clock.now());
  // Kinds that know a grace period are seen as going before they are gone, however short it is.
  const seenGoing = strategy.gracePeriod === undefined || (wasDeleting && !old.metadata.deletionGracePeriodSeconds);
  if (grace > 0 || !seenGoing || object.metadata.finalizers?.length) return { is: 'write', object };
  // What goes is shown as it was, without what its deletion would have changed.
  return { is: 'remove', object: old };
}

/** Some kinds are only marked when they are deleted for the first time, and wait for a controller to clean up after them. */
function markOwnWay(call: Call, object: KubernetesObject): Decision {
  const context = strategyContext(call, false);
  object.metadata.deletionTimestamp = timestamp(context.now);
  call.hub.strategy.markDeleted?.(object, context);
  return { is: 'write', object };
}

export function isHeld(call: Call, object: KubernetesObject): boolean {
  return Boolean(object.metadata.finalizers?.length) || call.hub.strategy.isHeld?.(object) === true;
}

/** A repeated delete only ever brings the end closer. */
function shortens({ metadata }: KubernetesObject, grace: number, graceful: boolean, options: DeleteOptions): boolean {
  const left = metadata.deletionGracePeriodSeconds ?? 0;
  if (!graceful || left === 0) return true;
  return options.gracePeriodSeconds !== undefined && grace < left;
}

function mark({ metadata }: KubernetesObject, old: KubernetesObject, grace: number, now: Date): void {
  const ends = timestamp(new Date(now.getTime() + grace * 1000));
  const before = old.metadata.deletionTimestamp;
  if (before === undefined) {
    if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation += 1;
    metadata.deletionTimestamp = ends;
    metadata.deletionGracePeriodSeconds = grace;
    return;
  }
  shorten(metadata, { before, grace, now });
}

/** The new end is counted from when the deletion began, and never lies in the past. */
function shorten(metadata: KubernetesObject['metadata'], { before, grace, now }: { before: string; grace: number; now: Date }): void {
  const began = Date.parse(before) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const end = began + grace * 1000;
  const past = end < now.getTime();
  metadata.deletionTimestamp = timestamp(past ? now : new Date(end));
  metadata.deletionGracePeriodSeconds = past && grace !== 0 ? 1 : grace;
}

function settleFinalizers(call: Call, { metadata }: KubernetesObject, options: DeleteOptions): void {
  if (call.hub.strategy.defaultPropagation === 'unsupported') return;
  const policy = propagationOf(call, metadata.finalizers ?? [], options);
  const others = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  const finalizers = [...others, ...(policy === 'Orphan' ? [orphanFinalizer] : []), ...(policy === 'Foreground' ? [foregroundFinalizer] : [])];
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
}

function propagationOf(call: Call, finalizers: readonly string[], options: DeleteOptions): Propagation {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  if (finalizers.includes(foregroundFinalizer)) return 'Foreground';
  return call.hub.strategy.defaultPropagation === 'orphan' ? 'Orphan' : 'Background';
}

export function checkPreconditions(call: Call, { preconditions }: DeleteOptions, current: Item): void {
  const { uid } = current.object.metadata;
  if (call.hub.strategy.markDeleted) return checkOwnWay(call, preconditions, current);
  // Upstream names the kind here where other conflicts name the resource.
  const kind = { group: call.hub.group, resource: call.hub.kind };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(kind, call.name, why);
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== String(current.revision)) {
    const why = `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${current.revision}). The object might have been modified`;
    throw conflict(kind, call.name, why);
  }
}

/** Kinds that go their own way when they are deleted also refuse in their own words. */
function checkOwnWay(call: Call, preconditions: DeleteOptions['preconditions'], { object, revision }: Item): void {
  const facts = [
    ['UID', preconditions?.uid, object.metadata.uid ?? ''],
    ['ResourceVersion', preconditions?.resourceVersion, String(revision)],
  ] as const;
  for (const [what, asked, stored] of facts) {
    if (asked === undefined || asked === stored) continue;
    throw conflict(resourceOf(call), call.name, `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${stored}`);
  }
}

function successStatus({ definition }: Call, { metadata }: KubernetesObject): Status {
  const { group, plural } = definition;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: metadata.name ?? '', ...(group !== '' && { group }), kind: plural, ...(metadata.uid && { uid: metadata.uid }) },
  };
}
