// What every write does to an object on its way to the store, for creation and for change alike: admission, and between its two phases what
// the resource's strategy resets, fills in and refuses.
import { forbidden, invalid } from '#api/api-error.ts';
import { errorsIn, type FieldError, type FieldErrors } from '#api/field-error.ts';
import { type GroupKind, parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { Turn } from '#base/next-turn.ts';
import { validateCommonMetadata, validateCommonMetadataUpdate } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';
import { admit, admitMutated, type AdmissionSubject, mutated } from '#verbs/admit.ts';
import { type Call, resourceOf, strategyContext } from '#verbs/call.ts';
import { fillSystemFields, generateName, settleNamespace } from '#verbs/metadata.ts';
import type { Outcome } from '#verbs/outcome.ts';
import { dropRepeatedOwners } from '#verbs/owner-references.ts';
import { requireVersion } from '#verbs/require-version.ts';

export interface WriteFacts {
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

/** One attempt of the write loop. */
export interface AttemptFacts extends WriteFacts {
  readonly outcome: Outcome;
  /** Admission was asked about a part of the object (its scale) and is not asked about all of it. */
  readonly admitted?: boolean;
}

/** `object` is of the stored version and belongs to this call, here and below. */
export function mutatedForCreate(call: Call, object: KubernetesObject, facts: WriteFacts): MaybePromise<KubernetesObject> {
  refuseCreation(call, object);
  return mutated(call, creationOf(call, object, facts));
}

/** Identity and name of an object that is about to be created. */
export function identified(call: Call, object: KubernetesObject): KubernetesObject {
  const { strategy } = call.hub;
  fillSystemFields(object, call.world.clock.now());
  if (!object.metadata.name && object.metadata.generateName) object.metadata.name = (strategy.nameFrom ?? generateName)(object.metadata.generateName);
  return object;
}

/** What follows for an object that mutating plugins have seen and that has its identity. */
export function prepareCreate(call: Call, object: KubernetesObject, facts: AttemptFacts): MaybePromise<KubernetesObject> {
  return admitMutated(call, creationOf(call, object, facts), (one) => prepareNew(call, one, facts));
}

/** For verbs that find out in the write loop that they create. */
export function admitCreate(call: Call, object: KubernetesObject, facts: AttemptFacts): MaybePromise<KubernetesObject> {
  refuseCreation(call, object);
  return admit(call, creationOf(call, object, facts), (one) => {
    settleNamespace(call, one);
    dropRepeatedOwners(call, one, 'admitted');
    return prepareNew(call, identified(call, one), facts);
  });
}

function refuseCreation(call: Call, { metadata }: KubernetesObject): void {
  const why = call.definition.createRefusal?.();
  if (why !== undefined) throw forbidden(resourceOf(call), metadata.name ?? '', why);
}

/** Plugins are told the name that the path has, where it has one, as upstream's createHandler does. */
function creationOf(call: Call, object: KubernetesObject, facts: WriteFacts & Partial<AttemptFacts>): AdmissionSubject & { readonly object: KubernetesObject } {
  const { dryRun, options, outcome } = facts;
  return { operation: 'CREATE', object, old: undefined, name: call.name || (object.metadata.name ?? ''), dryRun, options, outcome };
}

/** No promise where nothing has to be waited for: most kinds are created in one go. */
function prepareNew(call: Call, object: KubernetesObject, { dryRun, outcome }: AttemptFacts): MaybePromise<KubernetesObject> {
  const { strategy } = call.hub;
  const context = strategyContext(call, dryRun);
  // A status that is written before its object gets nothing allocated.
  if (call.subresource !== '' || strategy.beginCreate === undefined) return checkNew(call, object, context);
  return strategy.beginCreate(object, context).then((listener) => {
    outcome.listen(listener);
    return checkNew(call, object, context);
  });
}

function checkNew(call: Call, object: KubernetesObject, context: StrategyContext): MaybePromise<KubernetesObject> {
  const { strategy } = call.hub;
  const turn = new Turn();
  strategy.prepareForCreate?.(object, context);
  return andThen(
    errorsIn((errors) => validateNew(call, object, errors, context, turn)),
    (found) => {
      refuseInvalid(call, object, found);
      if (strategy.warnOnCreate === undefined) return object;
      return turn.run(() => warned(call, object, strategy.warnOnCreate?.(object, context)));
    },
  );
}

function warned(call: Call, object: KubernetesObject, warnings: Iterable<string> = []): KubernetesObject {
  for (const warning of warnings) call.warn(warning);
  return object;
}

function validateNew({ hub }: Call, object: KubernetesObject, errors: FieldErrors, context: StrategyContext, turn: Turn): MaybePromise<void> {
  const common = () => {
    if (errors.empty) validateCommonMetadata(object.metadata, hub.namespaced, errors);
  };
  const validating = andThen(hub.strategy.validate?.(object, errors, context), () => errors.settled());
  return andThen(validating, () => turn.run(common));
}

function refuseInvalid({ hub }: Call, object: KubernetesObject, found: readonly FieldError[]): void {
  if (found.length > 0) throw invalid(hub.kindIsValidated ? kindIn(object) : hub, object.metadata.name ?? '', found);
}

/** What a patch has made of it. */
function kindIn({ kind = '', apiVersion = '' }: KubernetesObject): GroupKind {
  return { group: parseApiVersion(apiVersion)?.group ?? '', kind };
}

/** `old` is what is stored; `object` the wanted state. */
export function admitUpdate(call: Call, object: KubernetesObject, old: KubernetesObject, facts: AttemptFacts): MaybePromise<KubernetesObject> {
  const prepare = (one: KubernetesObject) => prepareChange(call, one, old, facts);
  if (facts.admitted) return prepare(object);
  const { dryRun, options, outcome } = facts;
  return admit(call, { operation: 'UPDATE', object, old, name: call.name, dryRun, options, outcome }, prepare);
}

function prepareChange(call: Call, object: KubernetesObject, old: KubernetesObject, { dryRun, outcome }: AttemptFacts): MaybePromise<KubernetesObject> {
  const { strategy } = call.hub;
  const context = strategyContext(call, dryRun);
  settleNamespace(call, object);
  object.metadata.resourceVersion = requireVersion(call, object, old);
  dropRepeatedOwners(call, object, 'admitted');
  keepSystemFields(object, old);
  if (call.subresource !== '' || strategy.beginUpdate === undefined) return checkChange(call, object, old, context);
  return strategy.beginUpdate(object, old, context).then((listener) => {
    outcome.listen(listener);
    return checkChange(call, object, old, context);
  });
}

function checkChange(call: Call, object: KubernetesObject, old: KubernetesObject, context: StrategyContext): MaybePromise<KubernetesObject> {
  const { hub, subresource } = call;
  const strategy = subresource === '' ? hub.strategy : (hub.strategy.subresources?.[subresource] ?? statusOnly);
  const turn = new Turn();
  strategy.prepareForUpdate?.(object, old, context);
  const finding = errorsIn((errors) => {
    validateCommonMetadataUpdate(object.metadata, old.metadata, hub.namespaced, errors);
    return turn.run(() => strategy.validateUpdate?.(object, old, errors, context));
  });
  return andThen(finding, (found) => {
    refuseInvalid(call, object, found);
    if (strategy.warnOnUpdate === undefined) return object;
    return turn.run(() => warned(call, object, strategy.warnOnUpdate?.(object, old, context)));
  });
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
  if (value !== undefined) target[key] = value;
  else if (target[key] !== undefined) delete target[key];
}
