// Server-side apply: the client says what it wants to own, the field manager merges it into what is there.
import { ApiError, badRequest, conflict, notFound } from '#api/api-error.ts';
import type { FieldValidation } from '#api/field-validation.ts';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { inTurns, type Steps } from '#base/steps.ts';
import { Turn } from '#base/next-turn.ts';
import { type ApplyRequest, applySteps } from '#patch/apply/field-manager.ts';
import { fromHub, toHub } from '#resource/conversion.ts';
import { clone } from '#schema/clone.ts';
import { copyGivenEmpty } from '#schema/given-empty.ts';
import { valueDecodingSteps } from '#schema/json/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { yamlReadingSteps } from '#schema/yaml/yaml.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import type { Body, CborBody } from '#verbs/body.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { converting } from '#verbs/converting.ts';
import { convertTo, fieldManagerRequest } from '#verbs/field-manager.ts';
import { settleName, settleNamespace, wipeSystemFields } from '#verbs/metadata.ts';
import type { Outcome } from '#verbs/outcome.ts';
import { parseFlag, parsePatchOptions, type WriteOptions } from '#verbs/options.ts';
import { admitCreate } from '#verbs/prepare-object.ts';
import { versionIn } from '#verbs/require-version.ts';
import { changeObject, createAttributes, createsByUpdate } from '#verbs/update.ts';
import { type Decision, targetOf, writeLoop } from '#verbs/write-loop.ts';

export async function apply(call: Call, body: Body): Promise<Answer> {
  const options = parsePatchOptions('apply', call.query);
  // What was sent is read when it is known that there is an object to apply it to, or that one may be made.
  let parsed: KubernetesObject | undefined;
  const applied = function* (): Steps<KubernetesObject> {
    parsed ??= yield* parseApplied(call.definition, body, { validation: options.fieldValidation, warn: call.warn });
    return parsed;
  };
  const attempt = { applied, options };
  const written = await writeLoop(call, targetOf(call, options.dryRun), (current, outcome) => decideApply(call, current, { ...attempt, outcome }));
  return { is: 'item', code: written.created ? 201 : 200, definition: call.definition, item: written.item };
}

/** The body as it was sent: never decoded, because what is not there must stay unowned. */
export function* parseApplied(expected: GroupVersionKind, body: Body, strictness: Strictness): Steps<KubernetesObject> {
  const value = body.mediaType === 'cbor' ? parseCbor(body) : yield* parseYaml(body.bytes, strictness);
  if (typeof value !== 'object' || Array.isArray(value)) throw badRequest(`error decoding YAML: ${notAnObject(value)}`);
  const object = (value ?? {}) as KubernetesObject;
  object.metadata ??= {};
  refuseOtherType(expected, object);
  return object;
}

function* parseYaml(bytes: Buffer, strictness: Strictness): Steps<unknown> {
  try {
    const parsed = yield* yamlReadingSteps(bytes);
    if (parsed.problem !== undefined) reportRepeatedKeys(parsed.problem, strictness);
    return parsed.value;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The original calls it YAML all the same. */
function parseCbor({ bytes, cbor }: CborBody): unknown {
  try {
    cbor.refuseIllFormed(bytes);
    return cbor.decodeUntyped(bytes);
  } catch (error) {
    throw error instanceof cbor.CborError ? badRequest(`error decoding YAML: ${error.message}`) : error;
  }
}

interface Strictness {
  readonly validation: FieldValidation;
  readonly warn: (text: string) => void;
}

/** `problem` is what Go's strict YAML reader says: a headline and a line for each repeated key. */
function reportRepeatedKeys(problem: string, { validation, warn }: Strictness): void {
  if (validation === 'Strict') throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problem}`);
  if (validation === 'Warn') for (const line of problem.split('\n').slice(1)) warn(line.trim());
}

function notAnObject(value: unknown): string {
  const name = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${name} into Go value of type map[string]interface {}`;
}

function refuseOtherType(expected: GroupVersionKind, { apiVersion, kind }: KubernetesObject): void {
  if (apiVersion === apiVersionOf(expected) && kind === expected.kind) return;
  // What is no text counts as not given.
  const found = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  // Behind an apiVersion that cannot be read the original sees no kind either.
  if (found === undefined) throw badRequest('invalid object type: /, Kind=');
  throw badRequest(`invalid object type: ${found.group}/${found.version}, Kind=${typeof kind === 'string' ? kind : ''}`);
}

interface ApplyAttempt {
  readonly applied: () => Steps<KubernetesObject>;
  readonly options: WriteOptions;
  readonly outcome: Outcome;
}

async function decideApply(call: Call, current: Item | undefined, attempt: ApplyAttempt): Promise<Decision> {
  const { options, outcome } = attempt;
  const facts = { dryRun: options.dryRun, options: options.sent, outcome };
  if (current === undefined && call.subresource !== '' && !createsByUpdate(call)) throw notFound(resourceOf(call), call.name);
  const turn = new Turn();
  const applied = await inTurns(attempt.applied(), turn);
  const afterParsing = turn.next();
  if (afterParsing) await afterParsing;
  const live = current && (await fromHub(call.world.catalog, call.definition, current.object));
  const afterReading = turn.next();
  if (afterReading) await afterReading;
  const manager = { ...fieldManagerRequest(call, options.fieldManager), live, force: parseFlag(call.query, 'force') };
  const merged = await converting(convertTo(call), (convert) => inTurns(applyingSteps({ ...manager, applied, convert }), turn));
  const afterMerging = turn.next();
  if (afterMerging) await afterMerging;
  if (current === undefined) await mayCreate(call, applied);
  const object = await inTurns(decodingApartFromOwners(call, merged), turn);
  const afterDecoding = turn.next();
  if (afterDecoding) await afterDecoding;
  settleNamespace(call, object);
  settleName(call, object);
  if (current === undefined) {
    wipeSystemFields(object);
    versionIn(object);
    // A rehearsal shows what was sent.
    if (!options.dryRun) delete object.metadata.resourceVersion;
    return { is: 'write', object: await admitCreate(call, await toHub(call.world.catalog, call.definition, object), facts) };
  }
  object.metadata.resourceVersion = applied.metadata.resourceVersion ?? String(current.revision);
  return changeObject(call, await toHub(call.world.catalog, call.definition, object), current, facts);
}

/** Applying uses up what it is given, and may begin again. */
function* applyingSteps(request: ApplyRequest): Steps<KubernetesObject> {
  const applied = clone(request.applied);
  yield;
  return yield* applySteps({ ...request, applied });
}

/** managedFields are in order as they come from the merge; decoding would parse every set of them. */
function* decodingApartFromOwners({ definition }: Call, merged: KubernetesObject): Steps<KubernetesObject> {
  const { managedFields, ...metadata } = merged.metadata;
  const rest = { ...merged, metadata };
  copyGivenEmpty(merged.metadata, metadata);
  copyGivenEmpty(merged, rest);
  const { object } = yield* valueDecodingSteps(definition.schema, rest);
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  yield;
  // What was applied as null is judged as null.
  applyDefaults(definition, object, true);
  return object;
}

/** Creating by apply needs the right to create, and is not what a client that names a uid means. */
async function mayCreate(call: Call, { metadata }: KubernetesObject): Promise<void> {
  const { name, user } = call;
  if (metadata.uid) throw conflict(resourceOf(call), name, `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`);
  await call.world.authorize(user, createAttributes(call));
}
