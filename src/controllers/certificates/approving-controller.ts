// Approves what kubelets ask for themselves, where an access review says that the requester may have it.
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import { commonNameOf } from '#base/pki/distinguished-name.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { signingRequests } from '#controllers/certificates/signing-controller.ts';
import { hasCondition, kubeletClientProblem, kubeletClientSigner, requestIn, type StoredSigningRequest } from '#controllers/certificates/signing-rules.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';

export interface ApprovingOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
}

const accessReviews: ResourceAddress = { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews', namespaced: false };

export function approvingController(options: ApprovingOptions): Controller {
  const { client } = options;
  const requests = options.sources.of<StoredSigningRequest>(signingRequests);
  const reconcile = async (key: string) => {
    const stored = requests.get('', splitKey(key).name)?.object;
    if (stored === undefined || !isUndecided(stored)) return;
    for (const { subresource, message } of permissionsFor(stored)) {
      if (!(await isAllowed(client, stored, subresource))) continue;
      const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
      const status = { ...stored.status, conditions: [...(stored.status?.conditions ?? []), condition] };
      return unlessGone(client.update(signingRequests, { ...stored, status } as StoredSigningRequest, 'approval'));
    }
  };
  const sources = [keysOf(requests, (item) => (isUndecided(item.object) ? [sourceKey(item)] : []))];
  return controller({ ...options, name: 'certificatesigningrequest-approving-controller', sources, reconcile, retry: { firstMs: 200, maxMs: 1_000_000 } });
}

function isUndecided(stored: StoredSigningRequest): boolean {
  if (stored.spec.signerName !== kubeletClientSigner || stored.status?.certificate) return false;
  return !hasCondition(stored, 'Approved') && !hasCondition(stored, 'Denied');
}

interface Permission {
  readonly subresource: string;
  readonly message: string;
}

/** A kubelet that renews its own certificate, then one that asks for its first. */
function permissionsFor(stored: StoredSigningRequest): readonly Permission[] {
  const request = requestIn(stored);
  if (kubeletClientProblem(request, stored.spec.usages ?? []) !== undefined) return [];
  const first = { subresource: 'nodeclient', message: 'Auto approving kubelet client certificate after SubjectAccessReview.' };
  const own = { subresource: 'selfnodeclient', message: 'Auto approving self kubelet client certificate after SubjectAccessReview.' };
  return stored.spec.username === commonNameOf(request.subject) ? [own, first] : [first];
}

async function isAllowed(client: RestClient, { spec }: StoredSigningRequest, subresource: string): Promise<boolean> {
  const { username: user, uid, groups, extra } = spec;
  const resourceAttributes = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create', subresource, version: '*' };
  const review = { kind: 'SubjectAccessReview', spec: { user, uid, groups, extra, resourceAttributes } };
  const { status } = (await client.create<object>(accessReviews, '', review)) as { status?: { allowed?: boolean } };
  return status?.allowed === true;
}
