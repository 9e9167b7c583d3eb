// Vouching for a signer's trust bundle takes a right over the signer.
import { isDeepStrictEqual } from 'node:util';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { type AskPermission, maySign } from '#admission/permission.ts';
import { only, refusal } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ClusterTrustBundle } from '#kinds/certificates/v1beta1/cluster-trust-bundle.ts';

const bundles = { group: 'certificates.k8s.io', resource: 'clustertrustbundles' };

export function clusterTrustBundleAttest(ask: AskPermission): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    matches: only(['CREATE', 'UPDATE'], bundles),
    validate(request) {
      if (!request.gate('ClusterTrustBundle')) return undefined;
      const { signerName } = (request.object as unknown as ClusterTrustBundle).spec;
      if (!signerName || (request.old && meansTheSame(request.object, request.old))) return undefined;
      return refuseUnlessAttester(request, signerName, ask);
    },
  };
}

/** Garbage collection and storage migration may pass. */
function meansTheSame(now: KubernetesObject | undefined, before: KubernetesObject): boolean {
  const essence = (object: KubernetesObject | undefined) => {
    const { ownerReferences: _, finalizers: _f, managedFields: _m, ...metadata } = object?.metadata ?? {};
    return { ...object, metadata };
  };
  return isDeepStrictEqual(essence(now), essence(before));
}

async function refuseUnlessAttester(request: AdmissionRequest, signerName: string, ask: AskPermission): Promise<void> {
  if (await maySign(ask, request.user, 'attest', signerName)) return;
  throw refusal(request, `user not permitted to attest for signerName ${JSON.stringify(signerName)}`);
}
