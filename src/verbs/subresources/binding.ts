// pods/binding and bindings: the scheduler's word that a pod runs on a node.
import { badRequest, conflict, notFound, unclassified } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Binding } from '#kinds/core/v1/pod/binding.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { StructSchema } from '#schema/build.ts';
import { clone } from '#schema/clone.ts';
import { noDefaults } from '#schema/defaults.ts';
import type { Answer } from '#verbs/answer.ts';
import type { ExpectedKind } from '#verbs/body.ts';
import { admit } from '#verbs/admit.ts';
import type { Call } from '#verbs/call.ts';
import { fieldManagerRequest } from '#verbs/field-manager.ts';
import { failedPrecondition, type Unmet } from '#verbs/failed-precondition.ts';
import { settleNamespace, timestamp } from '#verbs/metadata.ts';
import { parseWriteOptions, type WriteOptions } from '#verbs/options.ts';
import type { SubresourceHandler } from '#verbs/subresource.ts';
import { targetOf, writeLoop } from '#verbs/write-loop.ts';
import { nothingReset, sentObject, withCreator } from '#verbs/subresources/sent-object.ts';
import { plainSuccess, type SubresourceSchemas } from '#verbs/subresources/schemas.ts';

/** `call` is for pods/binding; `bindings` is the same with the pod named in the body. */
export function bindPod(schemas: SubresourceSchemas): SubresourceHandler {
  return async (call, { body }) => {
    const options = parseWriteOptions('CreateOptions', call.query);
    const expected: ExpectedKind = { group: '', version: 'v1', kind: 'Binding', schema: schemas.binding, defaults: noDefaults };
    const binding = (await sentObject(call, body, expected, options)) as unknown as Binding & KubernetesObject;
    const pods = podCall(call, binding);
    settleNamespace(pods, binding);
    const manager = { ...fieldManagerRequest(call, options.fieldManager), schema: schemas.binding, apiVersion: 'v1', resetFields: nothingReset };
    const tracked = (await withCreator(manager, binding)) as Binding & KubernetesObject;
    await bind(call, pods, tracked, options, schemas.binding);
    return { is: 'object', code: 201, schema: schemas.status, object: plainSuccess(201) } satisfies Answer;
  };
}

function podCall(call: Call, { metadata }: KubernetesObject): Call {
  const pods = call.world.catalog.find('', 'v1', 'pods');
  if (pods === undefined) throw new Error('pods are not served');
  if (call.name !== '' && metadata.name !== call.name) throw badRequest('name in URL does not match name in Binding object');
  return { ...call, definition: pods, hub: pods, subresource: 'binding', name: metadata.name ?? '' };
}

/** Admission hears of the resource that was asked for, `pods` is what is written. */
async function bind(asked: Call, call: Call, sent: Binding & KubernetesObject, options: WriteOptions, schema: StructSchema): Promise<void> {
  const subject = { operation: 'CREATE' as const, object: sent, old: undefined, schema, name: call.name, dryRun: options.dryRun, options: options.sent };
  const binding = (await admit(asked, subject, refuseBadTarget)) as unknown as Binding & KubernetesObject;
  await writeLoop(call, targetOf(call, options.dryRun), async (current) => {
    if (current === undefined) throw notFound({ group: '', resource: 'pods' }, call.name);
    const pod = clone(current.object) as unknown as Pod & KubernetesObject;
    checkPreconditions(call, binding, pod, options.dryRun);
    assign(call, pod, binding);
    return { is: 'write', object: pod };
  });
}

/** Upstream answers these as plain errors, without a reason. */
function refuseBadTarget(binding: KubernetesObject): KubernetesObject {
  const { target } = binding as unknown as Binding;
  const errors = new FieldErrors();
  if (target.kind !== undefined && target.kind !== '' && target.kind !== 'Node') errors.notSupported('target.kind', target.kind, ['Node', '<empty>']);
  if (!target.name) errors.required('target.name');
  const [first] = errors.list;
  if (first) throw unclassified(errors.list.length === 1 ? first.toString() : `[${errors.list.join(', ')}]`);
  return binding;
}

function checkPreconditions(call: Call, { metadata }: Binding & KubernetesObject, pod: KubernetesObject, dryRun: boolean): void {
  const failed = (what: Unmet['what'], asked: string, stored: string | undefined) =>
    conflict({ group: '', resource: 'pods' }, call.name, failedPrecondition(call, { what, asked, stored }, dryRun));
  if (metadata.uid && metadata.uid !== pod.metadata.uid) throw failed('UID', metadata.uid, pod.metadata.uid);
  if (metadata.resourceVersion && metadata.resourceVersion !== pod.metadata.resourceVersion) {
    throw failed('ResourceVersion', metadata.resourceVersion, pod.metadata.resourceVersion);
  }
}

function refusal(call: Call, why: string): Error {
  return conflict({ group: '', resource: 'pods/binding' }, call.name, why);
}

function assign(call: Call, pod: Pod & KubernetesObject, binding: Binding & KubernetesObject): void {
  const { name } = call;
  if (pod.metadata.deletionTimestamp !== undefined) throw refusal(call, `pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec.nodeName) throw refusal(call, `pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  if (pod.spec.schedulingGates?.length) throw refusal(call, `pod ${name} has non-empty .spec.schedulingGates`);
  pod.spec.nodeName = binding.target.name ?? '';
  merge(pod.metadata, 'annotations', binding.metadata.annotations);
  if (call.world.gate('PodTopologyLabelsAdmission')) merge(pod.metadata, 'labels', binding.metadata.labels);
  if (call.world.gate('ClearingNominatedNodeNameAfterBinding')) delete pod.status.nominatedNodeName;
  setScheduled(pod, call.world.clock.now());
}

function merge(metadata: KubernetesObject['metadata'], field: 'annotations' | 'labels', added: Record<string, string> | undefined): void {
  if (added && Object.keys(added).length > 0) metadata[field] = { ...metadata[field], ...added };
}

function setScheduled(pod: Pod, now: Date): void {
  const conditions = (pod.status.conditions ??= []);
  const condition = conditions.find(({ type }) => type === 'PodScheduled');
  const fresh = { type: 'PodScheduled', status: 'True', lastTransitionTime: timestamp(now) };
  if (condition === undefined) conditions.push(fresh as (typeof conditions)[number]);
  else if (condition.status !== 'True') Object.assign(condition, fresh, { reason: undefined, message: undefined });
}
