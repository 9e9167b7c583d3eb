// The three patches that are computed on the stored object; server-side apply is in apply.ts.
import { isRegistered } from '#verbs/body.ts';
import { inTurns } from '#base/steps.ts';
import { Turn } from '#base/next-turn.ts';
import { notFound } from '#api/api-error.ts';
import { fromHub } from '#resource/conversion.ts';
import { isCustom } from '#schema/struct-plan.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { type PatchRequest, type PatchType, patchSteps } from '#verbs/compute-patch.ts';
import { trackedInHub } from '#verbs/field-manager.ts';
import { settleName, settleNamespace } from '#verbs/metadata.ts';
import type { Outcome } from '#verbs/outcome.ts';
import { parsePatchOptions, type WriteOptions } from '#verbs/options.ts';
import { changeObject } from '#verbs/update.ts';
import { type Decision, targetOf, writeLoop } from '#verbs/write-loop.ts';

export async function patch(call: Call, type: PatchType, bytes: Buffer): Promise<Answer> {
  const options = parsePatchOptions(type, call.query);
  const { conversion, schema } = call.definition;
  const isStored = conversion === undefined && !isCustom(schema);
  const request: PatchRequest = {
    type,
    bytes,
    validation: options.fieldValidation,
    warn: call.warn,
    isStored,
    isRegistered: (kind) => isRegistered(call, kind, call.definition.group),
  };
  const written = await writeLoop(call, targetOf(call, options.dryRun, { mayForgetOwners: true }), (current, outcome) =>
    decidePatch(call, request, current, { options, outcome }),
  );
  return { is: 'item', code: 200, definition: call.definition, item: written.item };
}

interface PatchAttempt {
  readonly options: WriteOptions;
  readonly outcome: Outcome;
}

async function decidePatch(call: Call, request: PatchRequest, current: Item | undefined, { options, outcome }: PatchAttempt): Promise<Decision> {
  if (current === undefined) throw notFound(resourceOf(call), call.name);
  const turn = new Turn();
  const reading = fromHub(call.world.catalog, call.definition, current.object);
  const live = reading instanceof Promise ? await reading : reading;
  const afterReading = turn.next();
  if (afterReading) await afterReading;
  const patching = inTurns(patchSteps(call.definition, request, live), turn);
  const { object: patched, reset } = patching instanceof Promise ? await patching : patching;
  const afterPatching = turn.next();
  if (afterPatching) await afterPatching;
  settleNamespace(call, patched);
  settleName(call, patched);
  const tracking = trackedInHub(call, options.fieldManager, { live, object: patched, reset });
  const object = tracking instanceof Promise ? await tracking : tracking;
  const afterTracking = turn.next();
  if (afterTracking) await afterTracking;
  return changeObject(call, object, current, { dryRun: options.dryRun, options: options.sent, outcome });
}
