// Who owns which field: the request to patch/apply for one call.
import { apiVersionOf, type GroupVersion, parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { Turn } from '#base/next-turn.ts';
import { inTurns } from '#base/steps.ts';
import { type FieldManagerRequest, trackCreation, type UpdateRequest, updateSteps } from '#patch/apply/field-manager.ts';
import { ApplyFailure } from '#patch/apply/versions.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { fromHub, toHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { isCustom } from '#schema/struct-plan.ts';
import type { Call } from '#verbs/call.ts';
import { converting } from '#verbs/converting.ts';
import { managerFromUserAgent } from '#verbs/options.ts';

/** Without the way to other versions: that is `convertTo`, by way of `converting`. */
export function fieldManagerRequest(call: Call, fieldManager: string): Omit<FieldManagerRequest, 'live' | 'convert'> {
  const { definition, subresource, world } = call;
  return {
    schema: definition.schema,
    manager: fieldManager === '' ? managerFromUserAgent(call.userAgent) : fieldManager,
    subresource,
    apiVersion: apiVersionOf(definition),
    now: world.clock.now(),
    resetFields: resetFieldsOf(call),
  };
}

type TrackedRequest = Pick<UpdateRequest, 'live' | 'object' | 'reset' | 'isOurs'>;

/**
 * What a create, an update or a patch wants, in the stored version and with its owners. They own what the version of the request shows
 * of it once it is stored: what only another version has a field for stands in annotations there.
 */
export function trackedInHub(call: Call, fieldManager: string, request: TrackedRequest): MaybePromise<KubernetesObject> {
  const { definition, world } = call;
  const manager = fieldManagerRequest(call, fieldManager);
  const updated = (object: KubernetesObject) =>
    trackCreation(updateRequest(manager, request, object, undefined)) ??
    converting(convertTo(call), (convert) => inTurns(updateSteps(updateRequest(manager, request, object, convert))));
  const stored = (object: KubernetesObject) => toHub(world.catalog, definition, object);
  const turn = new Turn();
  if (definition.conversion === undefined || definition.conversion.ownedAsSent === true) {
    const tracked = updated(request.object);
    if (definition.conversion === undefined) return tracked instanceof Promise ? tracked.then(stored) : stored(tracked);
    return andThen(tracked, (object) => turn.run(() => stored(object)));
  }
  return andThen(toHub(world.catalog, definition, request.object), (hub) =>
    andThen(
      turn.run(() => fromHub(world.catalog, definition, hub)),
      (shown) =>
        andThen(
          turn.run(() => updated(shown)),
          ({ metadata }) => ({ ...hub, metadata: { ...hub.metadata, managedFields: metadata.managedFields } }),
        ),
    ),
  );
}

/** Field by field: every write makes one, and what a spread makes is slow to make and to read. */
function updateRequest(
  { schema, manager, subresource, apiVersion, now, resetFields }: Omit<FieldManagerRequest, 'live' | 'convert'>,
  { live, reset, isOurs }: TrackedRequest,
  object: KubernetesObject,
  convert: UpdateRequest['convert'],
): UpdateRequest {
  return { schema, live, manager, subresource, apiVersion, now, resetFields, ownableFields: undefined, convert, object, reset, isOurs };
}

/** managedFields of another version of the kind are read against the object in that version. */
export function convertTo({ world: { catalog }, definition }: Call): Parameters<typeof converting>[0] {
  return (object, apiVersion) => {
    const version = parseApiVersion(apiVersion);
    const target =
      version && (isCustom(definition.schema) ? customVersion(catalog, definition, version) : catalog.find(version.group, version.version, definition.plural));
    if (!target) return undefined;
    const from = parseApiVersion(object.apiVersion ?? '');
    const current = from && catalog.findKnown(from.group, from.version, definition.plural);
    const source = current ? toHub(catalog, current, object) : object;
    return andThen(source, (hub) => andThen(fromHub(catalog, target, hub), (made) => ({ object: made, schema: target.schema })));
  };
}

/** Upstream forgets owners in a version that a built-in kind does not have; with those of a custom kind it cannot go on. */
function customVersion(catalog: ResourceCatalog, { group, plural }: ResourceDefinition, wanted: GroupVersion): ResourceDefinition {
  const target = wanted.group === group ? catalog.findKnown(group, wanted.version, plural) : undefined;
  if (target === undefined) throw new ApplyFailure(`request to convert CR to an invalid group/version: ${apiVersionOf(wanted)}`);
  return target;
}

type Paths = readonly (readonly string[])[];

/** The same list for the same endpoint: patch/apply remembers what it makes of it. */
const resetFields = new WeakMap<ResourceDefinition, Map<string, Paths>>();

function resetFieldsOf({ hub, definition, subresource }: Call): Paths {
  let known = resetFields.get(definition);
  if (known === undefined) {
    known = new Map();
    resetFields.set(definition, known);
  }
  let paths = known.get(subresource);
  if (paths === undefined) {
    paths = findResetFields(hub, definition, subresource);
    known.set(subresource, paths);
  }
  return paths;
}

function findResetFields(hub: ResourceDefinition, definition: ResourceDefinition, subresource: string): Paths {
  const { strategy } = hub;
  if (subresource === '') {
    const hasStatus = definition.subresources.some(({ name }) => name === 'status');
    return strategy.resetFields ?? (hasStatus ? [['status']] : []);
  }
  const declared = strategy.subresources?.[subresource]?.resetFields;
  return (
    declared ??
    (subresource === 'status'
      ? Object.keys(hub.schema.fields)
          .filter((name) => name !== 'status' && name !== 'metadata')
          .map((name) => [name])
      : [])
  );
}
