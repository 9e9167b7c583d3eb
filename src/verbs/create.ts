import { ApiError, alreadyExists, generateNameExhausted, unclassified } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { isForUnreadable } from '#api/unreadable-error.ts';
import { andThen } from '#base/and-then.ts';
import { Turn } from '#base/next-turn.ts';
import { clone } from '#schema/clone.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { type Body, decodeBody } from '#verbs/body.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { trackedInHub } from '#verbs/field-manager.ts';
import { settleNamespace, wipeSystemFields } from '#verbs/metadata.ts';
import { dropRepeatedOwners } from '#verbs/owner-references.ts';
import { parseResourceVersion, parseWriteOptions } from '#verbs/options.ts';
import { identified, mutatedForCreate, prepareCreate, type WriteFacts } from '#verbs/prepare-object.ts';
import { type Decision, writeLoop } from '#verbs/write-loop.ts';

const nameAttempts = 8;

export async function create(call: Call, body: Body): Promise<Answer> {
  const options = parseWriteOptions('CreateOptions', call.query);
  const turn = new Turn();
  const decoding = decodeBody(call, body, call.definition, options.fieldValidation, turn);
  const { object } = decoding instanceof Promise ? await decoding : decoding;
  const afterDecoding = turn.next();
  if (afterDecoding) await afterDecoding;
  settleNamespace(call, object);
  wipeSystemFields(object);
  dropRepeatedOwners(call, object, 'sent');
  const tracking = trackedInHub(call, options.fieldManager, { live: undefined, object, isOurs: true });
  const hub = tracking instanceof Promise ? await tracking : tracking;
  const afterTracking = turn.next();
  if (afterTracking) await afterTracking;
  const facts = { dryRun: options.dryRun, options: options.sent };
  return { is: 'item', code: 201, definition: call.definition, item: await createObject(call, hub, facts, turn) };
}

/** Stores a new object of the stored version; draws another name when a generated one is taken. Mutating plugins see it once. */
async function createObject(call: Call, hub: KubernetesObject, facts: WriteFacts, turn: Turn): Promise<Item> {
  const mutating = mutatedForCreate(call, hub, facts);
  const object = mutating instanceof Promise ? await mutating : mutating;
  const afterMutating = turn.next();
  if (afterMutating) await afterMutating;
  settleNamespace(call, object);
  dropRepeatedOwners(call, object, 'admitted');
  const generated = !object.metadata.name && Boolean(object.metadata.generateName);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(call, identified(call, generated ? clone(object) : object), facts);
    } catch (error) {
      const taken = error instanceof ApiError && error.reason === 'AlreadyExists';
      // A client that names a prefix hears that nothing was found for it, also when it gave a name.
      if (!taken || !object.metadata.generateName) throw error;
      if (!generated || attempt === nameAttempts) throw generateNameExhausted(error);
    }
  }
}

async function createOnce(call: Call, object: KubernetesObject, facts: WriteFacts): Promise<Item> {
  const { name = '', namespace = '' } = object.metadata;
  let isFirst = true;
  const target = { namespace, name, dryRun: facts.dryRun, mayForgetOwners: true };
  const writing = writeLoop(call, target, (current, outcome) => {
    // Another object of this name that appears during the write needs no second look at this one.
    const preparing = isFirst ? prepareCreate(call, object, { dryRun: facts.dryRun, options: facts.options, outcome }) : object;
    isFirst = false;
    return andThen(preparing, (prepared): Decision => {
      if (!facts.dryRun) refuseVersion(prepared);
      if (current) throw exists(call, name, current.object);
      return { is: 'write', object: prepared };
    });
  });
  try {
    return (await writing).item;
  } catch (error) {
    // The name is taken, by an object that cannot be read.
    throw isForUnreadable(error) ? alreadyExists(resourceOf(call), name) : error;
  }
}

/** The store refuses it, which a rehearsal never reaches. */
function refuseVersion({ metadata }: KubernetesObject): void {
  if (parseResourceVersion(metadata.resourceVersion ?? '')) throw unclassified('resourceVersion should not be set on objects to be created');
}

function exists(call: Call, name: string, current: KubernetesObject): ApiError {
  const error = alreadyExists(resourceOf(call), name);
  if (current.metadata.deletionTimestamp === undefined) return error;
  return new ApiError(409, 'AlreadyExists', `object is being deleted: ${error.message}`, { details: error.details ?? {} });
}
