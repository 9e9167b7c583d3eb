// The scale subresource: one number of the parent, as an object of its own.
import { ApiError, badRequest, conflict, invalid, notFound } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { inTurns, type Steps } from '#base/steps.ts';
import { type ApplyRequest, applySteps, updateSteps } from '#patch/apply/field-manager.ts';
import { managedFieldsOfParent, managedFieldsOfScale } from '#patch/apply/scale.ts';
import { fromHub, toHub } from '#resource/conversion.ts';
import { validateMetadata } from '#resource/metadata-rules.ts';
import type { Column } from '#resource/column.ts';
import type { StructSchema } from '#schema/build.ts';
import { clone } from '#schema/clone.ts';
import { noDefaults } from '#schema/defaults.ts';
import { valueDecodingSteps } from '#schema/json/decode.ts';
import type { Answer, Item } from '#verbs/answer.ts';
import { parseApplied } from '#verbs/apply.ts';
import { type Body, type ExpectedKind, noBody } from '#verbs/body.ts';
import { admit } from '#verbs/admit.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { failedPrecondition } from '#verbs/failed-precondition.ts';
import { fieldManagerRequest } from '#verbs/field-manager.ts';
import { itemAsked } from '#verbs/get.ts';
import { settleName, settleNamespace } from '#verbs/metadata.ts';
import type { Outcome } from '#verbs/outcome.ts';
import { parseFlag, parsePatchOptions, parseWriteOptions, type WriteOptions } from '#verbs/options.ts';
import { type PatchType, patchSteps } from '#verbs/compute-patch.ts';
import type { SubresourceHandler, SubresourceRequest } from '#verbs/subresource.ts';
import { sentObject } from '#verbs/subresources/sent-object.ts';
import { replicasPathsOf, scaleOf, type ScaleObject, scalePathsOf, setReplicas, writableScaleOf } from '#verbs/subresources/scale-of.ts';
import type { SubresourceSchemas } from '#verbs/subresources/schemas.ts';
import { requireVersion } from '#verbs/require-version.ts';
import { changeObject } from '#verbs/update.ts';
import { type Decision, targetOf, writeLoop } from '#verbs/write-loop.ts';

export function scaleObject({ scale: schema, scaleColumns: columns }: SubresourceSchemas): SubresourceHandler {
  return async (call, request) => {
    const answer = async ({ object }: Pick<Item, 'object'>): Promise<Answer> => {
      const parent = await fromHub(call.world.catalog, call.definition, object);
      return { is: 'object', code: 200, schema, object: scaleOf(parent, scalePathsOf(call)), columns: columnsFor(call, columns) };
    };
    if (request.verb === 'get') return answer(await itemAsked(call));
    const options = request.patchType ? parsePatchOptions(request.patchType, call.query) : parseWriteOptions('UpdateOptions', call.query);
    const wanted = await wantedScale(call, schema, request, options);
    const written = await writeLoop(call, targetOf(call, options.dryRun), (current, outcome) =>
      decideScale(call, current, { wanted, options, outcome, schema }),
    );
    return answer(written.item);
  };
}

/** Custom kinds have a printer of their own for their scales. */
function columnsFor({ definition }: Call, columns: readonly Column[]): readonly Column[] {
  if (!definition.kindIsValidated) return columns;
  return columns.map((column) => {
    if (column.name === 'Name') return { ...column, format: 'name' };
    return column.name === 'Age' ? { ...column, type: 'date' } : column;
  });
}

/** From the live Scale to the one the client wants; decided anew whenever the parent has changed. */
type Wanted = (live: ScaleObject) => MaybePromise<ScaleObject>;

async function wantedScale(call: Call, schema: StructSchema, { verb, patchType, body }: SubresourceRequest, options: WriteOptions): Promise<Wanted> {
  if (verb === 'update') return byUpdate(call, schema, body, options);
  const sent = body ?? noBody;
  if (patchType === 'apply') {
    const manager = scaleManager(call, schema, options);
    let parsed: KubernetesObject | undefined;
    return async (live) => {
      parsed ??= await inTurns(parseApplied(scaleKind(schema), sent, { validation: options.fieldValidation, warn: call.warn }));
      return inTurns(appliedScale(schema, { ...manager, live, applied: clone(parsed), force: parseFlag(call.query, 'force') }));
    };
  }
  const manager = scaleManager(call, schema, options);
  return (live) => inTurns(patchedScale(live));

  function* patchedScale(live: ScaleObject): Steps<ScaleObject> {
    const request = { type: patchType as PatchType, bytes: sent.bytes, validation: options.fieldValidation, warn: call.warn };
    const { object, reset } = yield* patchSteps(scaleKind(schema), request, live);
    settleNamespace(call, object);
    settleName(call, object);
    yield;
    return (yield* updateSteps({ ...manager, live, object, reset })) as ScaleObject;
  }
}

function scaleKind(schema: StructSchema): ExpectedKind {
  return { group: 'autoscaling', version: 'v1', kind: 'Scale', schema, defaults: noDefaults };
}

async function byUpdate(call: Call, schema: StructSchema, body: Body | undefined, options: WriteOptions): Promise<Wanted> {
  const object = await sentScale(call, schema, body, options);
  settleNamespace(call, object);
  settleName(call, object);
  const manager = scaleManager(call, schema, options);
  return (live) => {
    refuseOtherUid(call, object, live, options.dryRun);
    return inTurns(updateSteps({ ...manager, live, object: clone(object) })) as MaybePromise<ScaleObject>;
  };
}

/** Whatever is wrong with the Scale of a custom object, the original finds no words but that its scheme does not know Scales. */
async function sentScale(call: Call, schema: StructSchema, body: Body | undefined, options: WriteOptions): Promise<KubernetesObject> {
  try {
    return await sentObject(call, body, scaleKind(schema), options);
  } catch (error) {
    const isUnread = error instanceof ApiError && error.code === 400 && call.definition.kindIsValidated;
    throw isUnread ? badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"') : error;
  }
}

/** The uid that a client sends with the whole object is a precondition of the store, before anything else is looked at. */
function refuseOtherUid(call: Call, { metadata: { uid } }: KubernetesObject, { metadata: { uid: stored } }: ScaleObject, dryRun: boolean): void {
  if (!uid || uid === stored) return;
  throw conflict(resourceOf(call), call.name, failedPrecondition(call, { what: 'UID', asked: uid, stored }, dryRun));
}

function scaleManager(call: Call, schema: StructSchema, { fieldManager }: WriteOptions) {
  return { ...fieldManagerRequest(call, fieldManager), schema, apiVersion: 'autoscaling/v1', resetFields: [['status']] };
}

function* appliedScale(schema: StructSchema, request: ApplyRequest): Steps<ScaleObject> {
  const merged = yield* applySteps(request);
  yield;
  const { object } = yield* valueDecodingSteps(schema, merged);
  return object as unknown as ScaleObject;
}

interface ScaleAttempt {
  readonly wanted: Wanted;
  readonly options: WriteOptions;
  readonly outcome: Outcome;
  readonly schema: StructSchema;
}

async function decideScale(call: Call, current: Item | undefined, { wanted, options, outcome, schema }: ScaleAttempt): Promise<Decision> {
  if (current === undefined) throw notFound(resourceOf(call), call.name);
  const { catalog } = call.world;
  const paths = scalePathsOf(call);
  const replicasPaths = replicasPathsOf(call);
  const shown = await fromHub(catalog, call.definition, current.object);
  const live = writableScaleOf(shown, paths);
  const liveEntries = managedFieldsOfScale(shown.metadata.managedFields, replicasPaths);
  const object = await wanted(liveEntries ? { ...live, metadata: { ...live.metadata, managedFields: liveEntries } } : live);
  const facts = { dryRun: options.dryRun, options: options.sent, outcome };
  const parent = clone(shown);
  // Admission is asked about the scale, not about the workload: mutating plugins about what the client sent, validating ones about the scale that the
  // workload will have.
  await admit(call, { operation: 'UPDATE', object, old: live, schema, name: call.name, ...facts }, (one) => {
    const scale = one as unknown as ScaleObject;
    check(call, scale, current);
    setReplicas(parent, paths, scale.spec.replicas ?? 0);
    const entries = scale.metadata.managedFields as never;
    const managedFields = managedFieldsOfParent(parent.metadata.managedFields, entries, apiVersionOf(call.definition), replicasPaths);
    if (managedFields) parent.metadata.managedFields = managedFields;
    return scaleOf(parent, paths);
  });
  return changeObject({ ...call, subresource: '' }, await toHub(catalog, call.definition, parent), current, { ...facts, admitted: true });
}

/** What the client has patched or mutating plugins have changed. Scales of custom kinds are judged in their parent. */
function check(call: Call, scale: ScaleObject, current: Item): void {
  if (scalePathsOf(call).judgedInParent !== true) judge(call, scale, current);
  // A Scale may always be written without knowing its version.
  if (scale.metadata.resourceVersion) requireVersion(call, scale, current.object);
}

function judge(call: Call, { metadata, spec }: ScaleObject, current: Item): void {
  const errors = new FieldErrors();
  validateMetadata(metadata, { namespaced: true, name: nameIsSubdomain }, 'metadata', errors);
  if ((spec.replicas ?? 0) < 0) errors.invalid('spec.replicas', spec.replicas, 'must be greater than or equal to 0');
  if (!errors.empty) throw invalid({ group: 'autoscaling', kind: 'Scale' }, call.name, errors.list);
  const { uid } = metadata;
  const { uid: stored } = current.object.metadata;
  if (!uid || uid === stored) return;
  const { group, resource } = resourceOf(call);
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored}`;
  throw conflict({ group, resource: `${resource}/scale` }, call.name, why);
}
