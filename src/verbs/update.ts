import { conflict, notFound } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { Turn } from '#base/next-turn.ts';
import { withLiveTimes } from '#patch/apply/field-manager.ts';
import { fromHub } from '#resource/conversion.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { type Body, type DecodedBody, decodeBody } from '#verbs/body.ts';
import { type AccessAttributes, type Call, resourceOf } from '#verbs/call.ts';
import { failedPrecondition } from '#verbs/failed-precondition.ts';
import { isHeld } from '#verbs/delete.ts';
import { trackedInHub } from '#verbs/field-manager.ts';
import { settleName, settleNamespace, wipeSystemFields } from '#verbs/metadata.ts';
import type { Outcome } from '#verbs/outcome.ts';
import { dropRepeatedOwners } from '#verbs/owner-references.ts';
import { parseWriteOptions, type WriteOptions } from '#verbs/options.ts';
import { admitCreate, admitUpdate, type AttemptFacts } from '#verbs/prepare-object.ts';
import { versionIn } from '#verbs/require-version.ts';
import { type Decision, targetOf, writeLoop } from '#verbs/write-loop.ts';

export async function update(call: Call, body: Body): Promise<Answer> {
  const options = parseWriteOptions('UpdateOptions', call.query);
  // Deciding uses the object up; hardly any write needs a second attempt.
  const turn = new Turn();
  let first: MaybePromise<DecodedBody> | undefined = decodeSent(call, body, options, turn);
  if (first instanceof Promise) first = await first;
  const afterDecoding = turn.next();
  if (afterDecoding) await afterDecoding;
  const written = await writeLoop(call, targetOf(call, options.dryRun, { mayForgetOwners: true }), (current, outcome) => {
    const decoded = first ?? decodeSent(call, body, options, turn);
    first = undefined;
    return andThen(decoded, (sent) => decideUpdate(call, sent, { current, outcome }, options));
  });
  return { is: 'item', code: written.created ? 201 : 200, definition: call.definition, item: written.item };
}

function decodeSent(call: Call, body: Body, { fieldValidation }: WriteOptions, turn: Turn): MaybePromise<DecodedBody> {
  return andThen(decodeBody(call, body, call.definition, fieldValidation, turn), (decoded) => {
    settleNamespace(call, decoded.object);
    settleName(call, decoded.object);
    dropRepeatedOwners(call, decoded.object, 'sent');
    return decoded;
  });
}

interface Attempted {
  readonly current: Item | undefined;
  readonly outcome: Outcome;
}

/** No promise where nothing has to be waited for: most updates are decided in one go. */
function decideUpdate(call: Call, { object: wanted, reset }: DecodedBody, { current, outcome }: Attempted, options: WriteOptions): MaybePromise<Decision> {
  const facts = { dryRun: options.dryRun, options: options.sent, outcome };
  const turn = new Turn();
  if (current === undefined) return createByUpdate(call, wanted, options, facts);
  refuseOtherUid(call, wanted, current.object, options.dryRun);
  return andThen(fromHub(call.world.catalog, call.definition, current.object), (live) => {
    const tracking = turn.run(() => trackedInHub(call, options.fieldManager, { live, object: wanted, reset }));
    return andThen(tracking, (object) => turn.run(() => changeObject(call, object, current, facts)));
  });
}

async function createByUpdate(call: Call, wanted: KubernetesObject, options: WriteOptions, facts: AttemptFacts): Promise<Decision> {
  if (!createsByUpdate(call)) throw notFound(resourceOf(call), call.name);
  await call.world.authorize(call.user, createAttributes(call));
  refuseOtherUid(call, wanted, undefined, options.dryRun);
  versionIn(wanted);
  const object = await trackedInHub(call, options.fieldManager, { live: undefined, object: wanted });
  delete object.metadata.resourceVersion;
  wipeSystemFields(object);
  return { is: 'write', object: await admitCreate(call, object, facts) };
}

/** Whether a write to an object that is not there makes it. */
export function createsByUpdate({ subresource, hub }: Call): boolean {
  return (subresource === '' || subresource === 'status') && hub.strategy.allowCreateOnUpdate === true;
}

/** A user who makes an object must hold `create`, whatever the verb that leads there. */
export function createAttributes({ definition, subresource, namespace, name }: Call): AccessAttributes {
  return { verb: 'create', group: definition.group, version: definition.version, resource: definition.plural, subresource, namespace, name };
}

/** The last steps of every change: prepare, check, and remove what is only waiting for its finalizers. */
export function changeObject(call: Call, wanted: KubernetesObject, current: Item, facts: AttemptFacts): MaybePromise<Decision> {
  return andThen(admitUpdate(call, wanted, current.object, facts), (admitted): Decision => {
    const object = withLiveTimes(admitted, current.object);
    return { is: isReadyToGo(call, object, current.object) ? 'remove' : 'write', object };
  });
}

function isReadyToGo(call: Call, object: KubernetesObject, { metadata: old }: KubernetesObject): boolean {
  return old.deletionTimestamp !== undefined && !isHeld(call, object) && !old.deletionGracePeriodSeconds;
}

/** A uid in the body of a PUT is a precondition. */
function refuseOtherUid(call: Call, { metadata }: KubernetesObject, current: KubernetesObject | undefined, dryRun: boolean): void {
  const stored = current?.metadata.uid ?? '';
  if (!metadata.uid || metadata.uid === stored) return;
  throw conflict(resourceOf(call), call.name, failedPrecondition(call, { what: 'UID', asked: metadata.uid, stored }, dryRun));
}
