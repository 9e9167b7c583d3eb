// What a node may do to pods: reflect its own, report on them, and let them go.
import { isDeepStrictEqual } from 'node:util';
import { apiReference } from '#admission/node-restriction/api-references.ts';
import { type NodeRequest, type NodeRule, notInCache, storedPod } from '#admission/node-restriction/node-request.ts';
import { podOf, refusal, type StoredPod } from '#admission/request-subject.ts';
import type { OwnerReference } from '#api/object.ts';

const nodes = { group: '', resource: 'nodes' };
const mirrored = 'kubernetes.io/config.mirror';

export const podRule: NodeRule = (of) => {
  const { request } = of;
  switch (request.subresource) {
    case '':
      return request.operation === 'CREATE' ? createRule(of) : deleteRule(of);
    case 'status':
      return statusRule(of);
    case 'eviction':
      return evictionRule(of);
    default:
      throw refusal(request, `unexpected pod subresource ${JSON.stringify(request.subresource)}, only 'status' and 'eviction' are allowed`);
  }
};

async function createRule({ request, node }: NodeRequest): Promise<void> {
  const pod = podOf(request);
  const name = JSON.stringify(node);
  if (pod.metadata.annotations?.[mirrored] === undefined) {
    throw refusal(request, `pod does not have ${JSON.stringify(mirrored)} annotation, node ${name} can only create mirror pods`);
  }
  if (pod.spec.nodeName !== node) throw refusal(request, `node ${name} can only create pods with spec.nodeName set to itself`);
  await ownerRule({ request, node }, pod.metadata.ownerReferences ?? []);
  const reference = apiReference(pod);
  if (reference !== undefined) throw refusal(request, `node ${name} can not create pods that reference ${reference}`);
}

async function ownerRule({ request, node }: NodeRequest, owners: readonly OwnerReference[]): Promise<void> {
  const name = JSON.stringify(node);
  if (owners.length > 1) throw refusal(request, `node ${name} can only create pods with a single owner reference set to itself`);
  const [owner] = owners;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    throw refusal(request, `node ${name} can only create pods with an owner reference set to itself`);
  }
  if (!owner.controller) throw refusal(request, `node ${name} can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion) throw refusal(request, `node ${name} must not set blockOwnerDeletion on an owner reference`);
  const stored = await request.lister.get(nodes, '', node);
  if (stored === undefined) throw notInCache('node', node);
  const { uid = '' } = stored.metadata;
  if (owner.uid !== uid) throw refusal(request, `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
}

async function deleteRule({ request, node }: NodeRequest): Promise<void> {
  if (request.operation !== 'DELETE') {
    throw refusal(request, `unexpected operation ${JSON.stringify(request.operation)}, node ${JSON.stringify(node)} can only create and delete mirror pods`);
  }
  const pod = await storedPod(request, request.name);
  if (pod.spec.nodeName !== node) throw refusal(request, `node ${JSON.stringify(node)} can only delete pods with spec.nodeName set to itself`);
}

function statusRule({ request, node }: NodeRequest): void {
  const name = JSON.stringify(node);
  if (request.operation !== 'UPDATE') throw refusal(request, `unexpected operation ${JSON.stringify(request.operation)}`);
  const [pod, old] = [podOf(request), request.old as unknown as StoredPod];
  if (old.spec.nodeName !== node) throw refusal(request, `node ${name} can only update pod status for pods with spec.nodeName set to itself`);
  if (!isDeepStrictEqual(pod.metadata.labels ?? {}, old.metadata.labels ?? {})) throw refusal(request, `node ${name} cannot update labels through pod status`);
  if (!isDeepStrictEqual(pod.status.resourceClaimStatuses ?? [], old.status.resourceClaimStatuses ?? [])) {
    throw refusal(request, `node ${name} cannot update resource claim statues`);
  }
  if (!isDeepStrictEqual(pod.status.extendedResourceClaimStatus, old.status.extendedResourceClaimStatus)) {
    throw refusal(request, `node ${name} cannot update extended resource claim status`);
  }
}

async function evictionRule({ request, node }: NodeRequest): Promise<void> {
  if (request.operation !== 'CREATE') throw refusal(request, `unexpected operation ${request.operation}`);
  const pod = await storedPod(request, request.name || (request.object?.metadata.name ?? ''));
  if (pod.spec.nodeName !== node) throw refusal(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
