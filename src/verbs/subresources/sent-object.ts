// What a client sends to a subresource or a review: decoded, then with its owners. Nothing of it is stored, but it may be as large as any body.
import type { KubernetesObject } from '#api/object.ts';
import { inTurns } from '#base/steps.ts';
import { Turn } from '#base/next-turn.ts';
import { type FieldManagerRequest, updateSteps } from '#patch/apply/field-manager.ts';
import { type Body, decodeBody, type ExpectedKind, noBody } from '#verbs/body.ts';
import type { Call } from '#verbs/call.ts';
import type { WriteOptions } from '#verbs/options.ts';

export async function sentObject(call: Call, body: Body | undefined, expected: ExpectedKind, { fieldValidation }: WriteOptions): Promise<KubernetesObject> {
  const turn = new Turn();
  const { object } = await decodeBody(call, body ?? noBody, expected, fieldValidation, turn);
  await turn.next();
  return object;
}

/** For what is not stored. One for all: what follows from it is worked out once. */
export const nothingReset: FieldManagerRequest['resetFields'] = [];

/** `object` is ours. */
export async function withCreator(manager: Omit<FieldManagerRequest, 'live'>, object: KubernetesObject): Promise<KubernetesObject> {
  const turn = new Turn();
  const tracked = await inTurns(updateSteps({ ...manager, live: undefined, object, isOurs: true }), turn);
  await turn.next();
  return tracked;
}
