// pods/eviction: a delete that asks the disruption budgets first.
import { ApiError, badRequest, forbidden, notFound, unclassified } from '#api/api-error.ts';
import { labelSelectorFrom } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { PodDisruptionBudget } from '#kinds/policy/v1/pod-disruption-budget.ts';
import { clone } from '#schema/clone.ts';
import { noDefaults } from '#schema/defaults.ts';
import type { Item } from '#verbs/answer.ts';
import type { ExpectedKind } from '#verbs/body.ts';
import { admit } from '#verbs/admit.ts';
import type { Call } from '#verbs/call.ts';
import { fieldManagerRequest } from '#verbs/field-manager.ts';
import { checkPreconditions, remove } from '#verbs/delete.ts';
import type { DeleteOptions } from '#verbs/delete-options.ts';
import { settleNamespace, timestamp } from '#verbs/metadata.ts';
import { parseWriteOptions } from '#verbs/options.ts';
import type { SubresourceHandler } from '#verbs/subresource.ts';
import { nothingReset, sentObject, withCreator } from '#verbs/subresources/sent-object.ts';
import { plainSuccess, type SubresourceSchemas } from '#verbs/subresources/schemas.ts';
import { targetOf, writeLoop } from '#verbs/write-loop.ts';

const maxDisruptedPods = 2000;
const budgets = { group: 'policy', resource: 'poddisruptionbudgets' };

type Budget = PodDisruptionBudget & KubernetesObject;

export function evictPod(schemas: SubresourceSchemas): SubresourceHandler {
  return async (call, { body }) => {
    const options = parseWriteOptions('CreateOptions', call.query);
    const expected: ExpectedKind = {
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      schema: schemas.eviction,
      defaults: noDefaults,
      aliases: ['policy/v1beta1'],
    };
    const sent = await sentObject(call, body, expected, options);
    settleNamespace(call, sent);
    refuseOtherName(call, sent);
    const item = await podItem(call);
    const manager = { ...fieldManagerRequest(call, options.fieldManager), schema: schemas.eviction, apiVersion: 'policy/v1', resetFields: nothingReset };
    const object = await withCreator(manager, sent);
    const subject = {
      operation: 'CREATE' as const,
      object,
      old: undefined,
      schema: schemas.eviction,
      name: call.name,
      dryRun: options.dryRun,
      options: options.sent,
    };
    const eviction = await admit(call, subject, (admitted) => {
      refuseOtherName(call, admitted);
      return admitted;
    });
    const deletion = deleteOptionsOf(eviction, options.dryRun);
    await evict(call, item, deletion, (deletion.dryRun?.length ?? 0) > 0);
    return { is: 'object', code: 201, schema: schemas.status, object: plainSuccess(201) };
  };
}

/** Also after mutating plugins, as upstream. */
function refuseOtherName({ name }: Call, { metadata }: KubernetesObject): void {
  if (metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
}

async function podItem(call: Call): Promise<Item> {
  const item = await call.world.caches.get(call.hub).readLatest(call.namespace, call.name, call.asker);
  if (item === undefined) throw notFound({ group: '', resource: 'pods' }, call.name);
  return item;
}

function deleteOptionsOf(eviction: KubernetesObject, dryRun: boolean): DeleteOptions {
  const asked = (eviction['deleteOptions'] ?? {}) as DeleteOptions;
  return dryRun ? { ...asked, dryRun: ['All'] } : asked;
}

async function evict(call: Call, item: Item, deletion: DeleteOptions, dryRun: boolean): Promise<void> {
  const pod = item.object as unknown as Pod & KubernetesObject;
  if (ignoresBudgets(pod)) return deletePod(call, pinned(deletion, item));
  const budget = await budgetFor(call, pod);
  if (budget === undefined) return deletePod(call, deletion);
  if (!isReady(pod) && mayGoUnready(budget)) return deletePod(call, pinned(deletion, item));
  await chargeBudget(call, budget, pod, dryRun);
  await deletePod(call, deletion);
}

/** Evicting a pod that does not run costs the budget nothing. */
function ignoresBudgets({ metadata, status }: Pod & KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '');
}

/** What was decided on this state of the pod must not happen to another. */
function pinned(deletion: DeleteOptions, item: Item): DeleteOptions {
  return { ...deletion, preconditions: { resourceVersion: String(item.revision), ...deletion.preconditions } };
}

async function budgetFor(call: Call, pod: Pod & KubernetesObject): Promise<Budget | undefined> {
  const found = (await call.world.lister.list<Budget>(budgets, call.namespace)).filter(
    ({ spec }) => spec.selector !== undefined && labelSelectorFrom(spec.selector).matches(pod.metadata.labels ?? {}),
  );
  if (found.length > 1) throw unclassified('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  return found[0];
}

function isReady({ status }: Pod): boolean {
  return status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}

function mayGoUnready({ spec, status }: Budget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return (status.currentHealthy ?? 0) >= (status.desiredHealthy ?? 0) && (status.desiredHealthy ?? 0) > 0;
}

/** Takes one disruption from the budget, in its status, before the pod goes. */
async function chargeBudget(call: Call, { metadata }: Budget, pod: KubernetesObject, dryRun: boolean): Promise<void> {
  const definition = call.world.catalog.find('policy', 'v1', 'poddisruptionbudgets');
  if (definition === undefined) throw new Error('poddisruptionbudgets are not served');
  const name = metadata.name ?? '';
  const budgetCall: Call = { ...call, definition, hub: definition, subresource: '', name };
  await writeLoop(budgetCall, { namespace: call.namespace, name, dryRun }, async (current) => {
    if (current === undefined) return { is: 'keep' };
    const budget = clone(current.object) as unknown as Budget;
    takeDisruption(budget, pod, call.world.clock.now());
    return { is: 'write', object: budget };
  });
}

function takeDisruption(budget: Budget, pod: KubernetesObject, now: Date): void {
  const { status, metadata } = budget;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0))
    throw blocked(`The disruption budget ${metadata.name} is still being processed by the server.`, 10);
  if ((status.disruptionsAllowed ?? 0) < 0) throw forbidden(budgets, metadata.name ?? '', 'pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > maxDisruptedPods)
    throw forbidden(budgets, metadata.name ?? '', 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (!status.disruptionsAllowed) throw blocked(`The disruption budget ${metadata.name} ${whyNone(status)}`, undefined);
  status.disruptionsAllowed -= 1;
  if (status.disruptionsAllowed === 0) setInsufficient(budget, now);
  status.disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? '']: timestamp(now) };
}

/** The numbers of a budget whose sync failed are not to be trusted. */
function whyNone({ conditions, currentHealthy = 0, desiredHealthy = 0 }: Budget['status']): string {
  const { reason, message } = conditions?.find(({ type, status }) => type === 'DisruptionAllowed' && status === 'False') ?? {};
  const none = 'does not allow evicting pods currently';
  if (message && reason === 'SyncFailed') return `${none} because it failed sync: ${message}`;
  if (currentHealthy <= desiredHealthy) return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return message ? `${none} (${reason}): ${message}` : none;
}

function setInsufficient({ status, metadata }: Budget, now: Date): void {
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: timestamp(now),
    reason: 'InsufficientPods',
    message: '',
  };
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  status.conditions = [...others, condition];
}

function blocked(why: string, retryAfterSeconds: number | undefined): ApiError {
  const details = { causes: [{ reason: 'DisruptionBudget', message: why }], ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  return new ApiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", { details });
}

/** The pod learns why it goes before it goes; both happen to the state that was decided on. */
async function deletePod(call: Call, deletion: DeleteOptions): Promise<void> {
  const podCall: Call = { ...call, subresource: '' };
  if (!deletion.dryRun?.length) await markTarget(podCall, deletion);
  const { resourceVersion: _, ...preconditions } = deletion.preconditions ?? {};
  await remove(podCall, deletion.dryRun?.length ? deletion : { ...deletion, preconditions }, 'not asked');
}

async function markTarget(call: Call, deletion: DeleteOptions): Promise<void> {
  await writeLoop(call, targetOf(call, false), async (current) => {
    if (current === undefined) throw notFound({ group: '', resource: 'pods' }, call.name);
    checkPreconditions(call, deletion, current);
    const pod = clone(current.object) as unknown as Pod & KubernetesObject;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      lastTransitionTime: timestamp(call.world.clock.now()),
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    };
    const others = (pod.status.conditions ?? []).filter(({ type }) => type !== condition.type);
    pod.status.conditions = [...others, condition as (typeof others)[number]];
    return { is: 'write', object: pod };
  });
}
