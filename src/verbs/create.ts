import { ApiError, alreadyExists, generateNameExhausted, unclassified } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { clone } from '#schema/clone.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { prepareCreate } from '#verbs/admit-object.ts';
import { type Body, decodeObject, turnForOthers } from '#verbs/body.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { trackedInHub } from '#verbs/field-manager.ts';
import { settleNamespace, wipeSystemFields } from '#verbs/metadata.ts';
import { dropRepeatedOwners } from '#verbs/owner-references.ts';
import { parseResourceVersion, parseWriteOptions, type WriteOptions } from '#verbs/options.ts';
import { writeLoop } from '#verbs/write-loop.ts';

const nameAttempts = 8;

export async function create(call: Call, body: Body): Promise<Answer> {
  const options = parseWriteOptions('CreateOptions', call.query);
  const object = decodeObject(call, body, call.definition, options.fieldValidation);
  const afterDecoding = turnForOthers(body);
  if (afterDecoding) await afterDecoding;
  settleNamespace(call, object);
  wipeSystemFields(object);
  dropRepeatedOwners(call, object, 'sent');
  const hub = trackedInHub(call, options.fieldManager, { live: undefined, object });
  const afterTracking = turnForOthers(body);
  if (afterTracking) await afterTracking;
  return { is: 'item', code: 201, definition: call.definition, item: await createObject(call, hub, options) };
}

/** Stores a new object of the stored version; draws another name when a generated one is taken. */
export async function createObject(call: Call, hub: KubernetesObject, options: Pick<WriteOptions, 'dryRun' | 'sent'>): Promise<Item> {
  const generated = !hub.metadata.name && Boolean(hub.metadata.generateName);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(call, generated ? clone(hub) : hub, options);
    } catch (error) {
      const taken = error instanceof ApiError && error.reason === 'AlreadyExists';
      // Whoever names a prefix hears that nothing was found for it, also when the name was given.
      if (!taken || !hub.metadata.generateName) throw error;
      if (!generated || attempt === nameAttempts) throw generateNameExhausted(error);
    }
  }
}

async function createOnce(call: Call, hub: KubernetesObject, options: Pick<WriteOptions, 'dryRun' | 'sent'>): Promise<Item> {
  const prepared = await prepareCreate(call, hub, { dryRun: options.dryRun, options: options.sent });
  const { name = '', namespace = '' } = prepared.object.metadata;
  try {
    const written = await writeLoop(call, { namespace, name, dryRun: options.dryRun }, (current) => {
      if (!options.dryRun) refuseVersion(prepared.object);
      if (current) throw exists(call, name, current.object);
      return { is: 'write', object: prepared.object, undo: prepared.undo };
    });
    return written.item;
  } catch (error) {
    await prepared.undo?.(false);
    throw error;
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
