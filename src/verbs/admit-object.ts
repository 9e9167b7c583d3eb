// What every write does to an object on its way to the store, for creation and for change alike.
import { invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { validateCommonMetadata, validateCommonMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Undo } from '#resource/strategy.ts';
import { admissionRequest, type Call, strategyContext } from '#verbs/call.ts';
import { fillSystemFields, generateName } from '#verbs/metadata.ts';
import { dropRepeatedOwners } from '#verbs/owner-references.ts';

export interface WriteFacts {
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Prepared {
  readonly object: KubernetesObject;
  readonly undo: Undo | undefined;
}

/** `object` is of the stored version and belongs to this call; it is changed in place. */
export async function prepareCreate(call: Call, object: KubernetesObject, facts: WriteFacts): Promise<Prepared> {
  const { strategy, kind, group } = call.hub;
  const context = strategyContext(call, facts.dryRun);
  const outcome = new Outcome();
  const { dryRun, options } = facts;
  const subject = { operation: 'CREATE' as const, object, old: undefined, name: object.metadata.name ?? '', dryRun, options, onOutcome: outcome.listen };
  const asked = admissionRequest(call, subject);
  const mutating = call.world.admission.mutate(asked);
  if (mutating) await mutating;
  dropRepeatedOwners(call, object, 'admitted');
  fillSystemFields(object, context.now);
  if (!object.metadata.name && object.metadata.generateName) object.metadata.name = (strategy.nameFrom ?? generateName)(object.metadata.generateName);
  // A status that is written before its object gets nothing allocated.
  if (call.subresource === '' && strategy.beginCreate) outcome.listen(await strategy.beginCreate(object, context));
  try {
    strategy.prepareForCreate?.(object, context);
    const errors = new FieldErrors();
    strategy.validate?.(object, errors, context);
    if (errors.empty) validateCommonMetadata(object.metadata, call.hub.namespaced, errors);
    if (!errors.empty) throw invalid({ group, kind }, object.metadata.name ?? '', errors.list);
    for (const warning of strategy.warnOnCreate?.(object, context) ?? []) call.warn(warning);
    const { name = '' } = object.metadata;
    const validating = call.world.admission.validate(asked.name === name ? asked : admissionRequest(call, { ...subject, name }));
    if (validating) await validating;
  } catch (error) {
    await outcome.settle?.(false);
    throw error;
  }
  return { object, undo: outcome.settle };
}

/** `old` is what is stored; `object` the wanted state, which is changed in place. */
export async function prepareUpdate(call: Call, object: KubernetesObject, old: KubernetesObject, facts: WriteFacts): Promise<Prepared> {
  const { kind, group } = call.hub;
  const strategy = call.subresource === '' ? call.hub.strategy : (call.hub.strategy.subresources?.[call.subresource] ?? statusOnly);
  const context = strategyContext(call, facts.dryRun);
  const outcome = new Outcome();
  const { dryRun, options } = facts;
  const asked = admissionRequest(call, { operation: 'UPDATE', object, old, name: call.name, dryRun, options, onOutcome: outcome.listen });
  const mutating = call.world.admission.mutate(asked);
  if (mutating) await mutating;
  dropRepeatedOwners(call, object, 'admitted');
  keepSystemFields(object, old);
  if (call.subresource === '' && call.hub.strategy.beginUpdate) outcome.listen(await call.hub.strategy.beginUpdate(object, old, context));
  try {
    strategy.prepareForUpdate?.(object, old, context);
    const errors = new FieldErrors();
    validateCommonMetadataUpdate(object.metadata, old.metadata, call.hub.namespaced, errors);
    strategy.validateUpdate?.(object, old, errors, context);
    if (!errors.empty) throw invalid({ group, kind }, object.metadata.name ?? '', errors.list);
    for (const warning of strategy.warnOnUpdate?.(object, old, context) ?? []) call.warn(warning);
    const validating = call.world.admission.validate(asked);
    if (validating) await validating;
  } catch (error) {
    await outcome.settle?.(false);
    throw error;
  }
  return { object, undo: outcome.settle };
}

/** Those who want to hear what became of the write; each hears it once. Most writes have none. */
class Outcome {
  readonly #listeners: Undo[] = [];

  readonly listen = (listener: Undo | undefined): void => {
    if (listener) this.#listeners.push(listener);
  };

  get settle(): Undo | undefined {
    return this.#listeners.length === 0 ? undefined : this.#settle;
  }

  readonly #settle: Undo = (committed) => tellAll(this.#listeners.splice(0), committed);
}

/** One after the other; waits only for those that have something to do. */
function tellAll(listeners: readonly Undo[], committed: boolean, first = 0): Promise<void> | void {
  for (let index = first; index < listeners.length; index++) {
    const pending = listeners[index]?.(committed);
    if (pending) return pending.then(() => tellAll(listeners, committed, index + 1));
  }
}

/** A status subresource of a kind that says nothing about it. */
const statusOnly = {
  prepareForUpdate(object: KubernetesObject, old: KubernetesObject): void {
    for (const field of new Set([...Object.keys(object), ...Object.keys(old)])) {
      if (field === 'status' || field === 'metadata') continue;
      if (old[field] === undefined) delete object[field];
      else object[field] = old[field];
    }
  },
  validateUpdate: undefined,
  warnOnUpdate: undefined,
};

/** The stored object wins where clients have no say. */
function keepSystemFields({ metadata }: KubernetesObject, { metadata: old }: KubernetesObject): void {
  restore(metadata, 'generation', old.generation);
  restore(metadata, 'creationTimestamp', old.creationTimestamp);
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  if (metadata.deletionGracePeriodSeconds === undefined && old.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
  if (!metadata.uid) restore(metadata, 'uid', old.uid);
}

function restore<K extends string, V>(target: { [key in K]?: V | undefined }, key: K, value: V | undefined): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}
