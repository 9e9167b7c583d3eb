// What a node may do to its own objects, and to nobody else's.
import { isDeepStrictEqual } from 'node:util';
import { forbiddenChanges } from '#admission/node-restriction/labels.ts';
import { type NodeRule, notInCache, storedPod } from '#admission/node-restriction/node-request.ts';
import { refusal } from '#admission/request-subject.ts';
import { requestedSubject } from '#admission/requested-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { CertificateSigningRequest } from '#kinds/certificates/v1/certificate-signing-request.ts';
import type { PodCertificateRequest } from '#kinds/certificates/v1beta1/pod-certificate-request.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';
import type { ResourceSlice } from '#kinds/resource/v1/resource-slice.ts';

const nodes = { group: '', resource: 'nodes' };
const accounts = { group: '', resource: 'serviceaccounts' };

export const nodeRule: NodeRule = ({ request, node }) => {
  const { name, operation } = request;
  const own = JSON.stringify(node);
  if (name !== node) throw refusal(request, `node ${own} is not allowed to modify node ${JSON.stringify(name)}`);
  if (operation !== 'CREATE' && operation !== 'UPDATE') return;
  const [now, old] = [request.object as unknown as Node & KubernetesObject, request.old as unknown as (Node & KubernetesObject) | undefined];
  const labels = forbiddenChanges(now.metadata.labels, old?.metadata.labels);
  if (old === undefined) {
    if (now.spec.configSource) throw refusal(request, `node ${own} is not allowed to create pods with a non-nil configSource`);
    if (labels.length > 0) throw refusal(request, `node ${own} is not allowed to set the following labels: ${labels.join(', ')}`);
    return;
  }
  if (now.spec.configSource && !isDeepStrictEqual(now.spec.configSource, old.spec.configSource)) {
    throw refusal(request, `node ${own} is not allowed to update configSource to a new non-nil configSource`);
  }
  if (!isDeepStrictEqual(now.spec.taints ?? [], old.spec.taints ?? [])) throw refusal(request, `node ${own} is not allowed to modify taints`);
  if (!isDeepStrictEqual(now.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? [])) {
    throw refusal(request, `node ${own} is not allowed to modify ownerReferences`);
  }
  if (labels.length > 0) throw refusal(request, `is not allowed to modify labels: ${labels.join(', ')}`);
};

const growingFields = ['capacity', 'conditions', 'allocatedResources', 'allocatedResourceStatuses'];

export const claimRule: NodeRule = ({ request, node }) => {
  if (request.subresource !== 'status') throw refusal(request, 'may only update PVC status');
  if (request.operation !== 'UPDATE') throw refusal(request, `unexpected operation ${JSON.stringify(request.operation)}`);
  const rest = (object: KubernetesObject | undefined) => {
    const { resourceVersion: _, managedFields: _m, ...metadata } = object?.metadata ?? {};
    const status = Object.entries((object?.['status'] ?? {}) as object).filter(([field]) => !growingFields.includes(field));
    return { ...object, metadata, status: Object.fromEntries(status) };
  };
  if (isDeepStrictEqual(rest(request.object), rest(request.old))) return;
  throw refusal(request, `node ${JSON.stringify(node)} is not allowed to update fields other than status.quantity and status.conditions`);
};

export const leaseRule: NodeRule = ({ request, node }) => {
  if (request.namespace !== 'kube-node-lease') throw refusal(request, 'can only access leases in the "kube-node-lease" system namespace');
  if (nameOf(request) !== node) throw refusal(request, 'can only access node lease with the same name as the requesting node');
};

export const csiNodeRule: NodeRule = ({ request, node }) => {
  if (nameOf(request) !== node) throw refusal(request, 'can only access CSINode with the same name as the requesting node');
};

function nameOf({ operation, object, name }: { operation: string; object: KubernetesObject | undefined; name: string }): string | undefined {
  return operation === 'CREATE' ? object?.metadata.name : name;
}

export const resourceSliceRule: NodeRule = ({ request, node }) => {
  const { operation } = request;
  if (operation !== 'CREATE' && operation !== 'DELETE') return;
  const { spec } = (operation === 'CREATE' ? request.object : request.old) as unknown as ResourceSlice;
  if (spec.nodeName === node) return;
  throw refusal(request, `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`);
};

const kubeletSigners = new Set(['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet']);

export const certificateRule: NodeRule = ({ request, node }) => {
  if (request.operation !== 'CREATE' || request.gate('AllowInsecureKubeletCertificateSigningRequests')) return;
  const { signerName, request: bytes } = (request.object as unknown as CertificateSigningRequest).spec;
  if (!kubeletSigners.has(signerName)) return;
  const { commonName } = requestedSubject(request, bytes, 'unable to parse csr');
  if (commonName !== `system:node:${node}`) throw refusal(request, `can only create a node CSR with CN=system:node:${node}`);
};

export const podCertificateRule: NodeRule = async ({ request, node }) => {
  if (!request.gate('PodCertificateRequest')) throw refusal(request, 'PodCertificateRequest feature gate is disabled');
  if (request.operation !== 'CREATE') throw refusal(request, `unexpected operation ${request.operation}`);
  if (request.subresource !== '') throw refusal(request, `unexpected subresource ${request.subresource}`);
  const { spec } = request.object as unknown as PodCertificateRequest;
  if (spec.nodeName !== node) {
    throw refusal(request, `PodCertificateRequest.Spec.NodeName=${JSON.stringify(spec.nodeName)}, which is not the requesting node ${JSON.stringify(node)}`);
  }
  const stored = await request.lister.get(nodes, '', node);
  if (stored === undefined) throw notInCache('node', node);
  const pod = await storedPod(request, spec.podName);
  const account = await request.lister.get(accounts, request.namespace, spec.serviceAccountName);
  if (account === undefined) throw notInCache('serviceaccount', spec.serviceAccountName);
  const what = `PodCertificateRequest for pod ${JSON.stringify(`${request.namespace}/${spec.podName}`)}`;
  if (spec.nodeUID !== stored.metadata.uid)
    throw refusal(request, `${what} names node UID ${JSON.stringify(spec.nodeUID)}, inconsistent with the running node`);
  if (spec.podUID !== pod.metadata.uid) throw refusal(request, `${what} contains pod UID (${JSON.stringify(spec.podUID)}) which differs from running pod`);
  if (pod.spec.nodeName !== node)
    throw refusal(
      request,
      `pod ${JSON.stringify(`${request.namespace}/${spec.podName}`)} is not running on node ${JSON.stringify(node)} named in the PodCertificateRequest`,
    );
  if (spec.serviceAccountName !== pod.spec.serviceAccountName)
    throw refusal(
      request,
      `${what} contains serviceAccountName (${JSON.stringify(spec.serviceAccountName)}) that differs from running pod (${JSON.stringify(pod.spec.serviceAccountName)})`,
    );
  if (spec.serviceAccountUID !== account.metadata.uid)
    throw refusal(request, `${what} names service account UID ${JSON.stringify(spec.serviceAccountUID)}, which differs from the running service account`);
};
