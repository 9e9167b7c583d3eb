// Priority levels and flow schemas: mandatory ones are kept exactly, suggested ones while their annotation says so.
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { ensureAll, type Reconcile } from '#controllers/bootstrap/ensure.ts';
import {
  type FlowControlObject,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
} from '#controllers/bootstrap/flow-control-objects.ts';

const manager = { fieldManager: 'api-priority-and-fairness-config-producer-v1' };
const autoupdate = 'apf.kubernetes.io/autoupdate-spec';

export async function bootstrapFlowControl(client: RestClient): Promise<void> {
  const levels = flowControl('prioritylevelconfigurations');
  const schemas = flowControl('flowschemas');
  await ensureAll(
    client,
    levels,
    [...suggestedPriorityLevels, ...mandatoryPriorityLevels].map(objectOf('PriorityLevelConfiguration')),
    keepSpec(mandatoryPriorityLevels),
    manager,
  );
  await ensureAll(client, schemas, [...suggestedFlowSchemas, ...mandatoryFlowSchemas].map(objectOf('FlowSchema')), keepSpec(mandatoryFlowSchemas), manager);
}

function flowControl(resource: string): ResourceAddress {
  return { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', resource, namespaced: false };
}

function objectOf(kind: string): (object: FlowControlObject) => KubernetesObject {
  return ({ name, spec }) => ({ kind, metadata: { name, annotations: { [autoupdate]: 'true' } }, spec });
}

function keepSpec(mandatory: readonly FlowControlObject[]): Reconcile {
  const names = new Set(mandatory.map(({ name }) => name));
  return (stored, wanted) => {
    const ours = names.has(wanted.metadata.name ?? '') || stored.metadata.annotations?.[autoupdate] === 'true';
    if (!ours || contains(stored['spec'], wanted['spec'])) return undefined;
    return { ...stored, spec: wanted['spec'] };
  };
}

/** Everything wanted is there; what defaulting added does not count. */
function contains(stored: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return stored === wanted;
  if (typeof stored !== 'object' || stored === null) return Object.keys(wanted).length === 0;
  if (Array.isArray(wanted)) return Array.isArray(stored) && stored.length === wanted.length && wanted.every((item, index) => contains(stored[index], item));
  return Object.entries(wanted).every(([key, value]) => contains((stored as Record<string, unknown>)[key], value));
}
