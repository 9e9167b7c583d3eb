// Says on every FlowSchema whether its priority level exists (condition Dangling).
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';

const flowSchemas: ResourceAddress = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', resource: 'flowschemas', namespaced: false };
const manager = 'api-priority-and-fairness-config-consumer-v1';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

/** Writes the condition; nothing is sent when it already says so. */
export async function keepDanglingCondition(client: RestClient, schema: KubernetesObject, levelExists: (name: string) => boolean, now: Date): Promise<void> {
  const wanted = missingCondition(schema, levelExists, now);
  if (wanted === undefined) return;
  const { name = '' } = schema.metadata;
  const patch = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema', metadata: { name }, status: { conditions: [wanted] } };
  const target = { namespace: '', name, subresource: 'status' };
  await client.patch(flowSchemas, target, 'application/apply-patch+yaml', patch, { fieldManager: manager, force: true });
}

export function missingCondition(schema: KubernetesObject, levelExists: (name: string) => boolean, now: Date): Condition | undefined {
  const level = (schema['spec'] as { priorityLevelConfiguration: { name: string } }).priorityLevelConfiguration.name;
  const subject = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  const wanted = levelExists(level)
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${subject} and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${subject} but there is no such object` };
  const conditions = (schema['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
  const present = conditions.find(({ type }) => type === 'Dangling');
  const same = present?.status === wanted.status && present.reason === wanted.reason && present.message === wanted.message;
  return same ? undefined : { ...wanted, lastTransitionTime: now.toISOString().replace(/\.\d+Z$/, 'Z') };
}
