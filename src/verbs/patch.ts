// The three patches that are computed on the stored object; server-side apply is in apply.ts.
import { ApiError, invalid, notFound } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { updateManagedFields } from '#patch/apply/field-manager.ts';
import { applyJsonPatch } from '#patch/json-patch.ts';
import { applyMergePatch, parsePatch } from '#patch/merge-patch.ts';
import { applyStrategicMergePatch } from '#patch/strategic-merge-patch.ts';
import { fromHub, toHub } from '#resource/conversion.ts';
import type { StructSchema } from '#schema/build.ts';
import { clone } from '#schema/clone.ts';
import { DecodeError, decodeValue } from '#schema/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { type DecodedBody, resetsManagedFields } from '#verbs/body.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { fieldManagerRequest } from '#verbs/field-manager.ts';
import { settleName, settleNamespace } from '#verbs/metadata.ts';
import { parseWriteOptions, refuse, type WriteOptions } from '#verbs/options.ts';
import { changeObject, requireVersion } from '#verbs/update.ts';
import { type Decision, writeLoop } from '#verbs/write-loop.ts';

export type PatchType = 'json' | 'merge' | 'strategic';

export async function patch(call: Call, type: PatchType, bytes: Buffer): Promise<Answer> {
  const options = parseWriteOptions('PatchOptions', call.query);
  refuseForce(call.query);
  const written = await writeLoop(call, { ...call, dryRun: options.dryRun }, (current) => decidePatch(call, { type, bytes }, current, options));
  return { is: 'item', code: 200, definition: call.definition, item: written.item };
}

function refuseForce(query: URLSearchParams): void {
  if (!query.has('force')) return;
  const errors = new FieldErrors();
  errors.forbidden('force', 'may not be specified for non-apply patch');
  refuse('PatchOptions', errors);
}

export interface PatchRequest {
  readonly type: PatchType;
  readonly bytes: Buffer;
}

async function decidePatch(call: Call, request: PatchRequest, current: Item | undefined, options: WriteOptions): Promise<Decision> {
  if (current === undefined) throw notFound(resourceOf(call), call.name);
  const live = fromHub(call.world.catalog, call.definition, current.object);
  const { object: patched, reset } = patchedObject(call, call.definition.schema, request, { live, options });
  settleName(call, patched);
  settleNamespace(call, patched);
  // A patch without resourceVersion is based on whatever is stored, also for kinds whose PUT needs one.
  const resourceVersion = patched.metadata.resourceVersion ? requireVersion(call, patched, current) : String(current.revision);
  const object = updateManagedFields({ ...fieldManagerRequest(call, options.fieldManager), live, object: patched, reset });
  object.metadata.resourceVersion = resourceVersion;
  return changeObject(call, toHub(call.world.catalog, call.definition, object), current, { dryRun: options.dryRun, options: options.sent });
}

interface PatchSubject {
  readonly live: KubernetesObject;
  readonly options: WriteOptions;
}

/** The live object with the patch applied, decoded again: strict findings and wrong types are the patch's fault. */
export function patchedObject(call: Call, schema: StructSchema, { type, bytes }: PatchRequest, { live, options }: PatchSubject): DecodedBody {
  const { result, duplicates } = computePatch(schema, type, bytes, clone(live));
  try {
    const { object, problems } = decodeValue(schema, result, duplicates);
    if (problems.length > 0 && options.fieldValidation === 'Strict') throw unusable(result, `strict decoding error: ${problems.join(', ')}`);
    if (options.fieldValidation === 'Warn') for (const problem of problems) call.warn(problem);
    applyDefaults(schema, object);
    return { object, reset: resetsManagedFields(result) };
  } catch (error) {
    if (error instanceof DecodeError) throw unusable(result, error.message);
    throw error;
  }
}

function computePatch(schema: StructSchema, type: PatchType, bytes: Buffer, document: KubernetesObject): { result: unknown; duplicates: readonly string[] } {
  if (type === 'json') return { result: applyJsonPatch(document, bytes), duplicates: [] };
  const { value, duplicates } = parsePatch(bytes);
  return { result: type === 'merge' ? applyMergePatch(document, value) : applyStrategicMergePatch(schema, document, value), duplicates };
}

/** A result that is no object of the kind: 422 on the pseudo field `patch`. */
function unusable(result: unknown, why: string): ApiError {
  const errors = new FieldErrors();
  errors.invalid('patch', JSON.stringify(result), why);
  return invalid({ group: '', kind: '' }, '', errors.list);
}
