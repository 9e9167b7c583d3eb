// A node writes what is its own: itself, its pods, its lease; a stolen kubelet harms no other node.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { nodeNameOf, type NodeRule } from '#admission/node-restriction/node-request.ts';
import {
  certificateRule,
  claimRule,
  csiNodeRule,
  leaseRule,
  nodeRule,
  podCertificateRule,
  resourceSliceRule,
} from '#admission/node-restriction/other-rules.ts';
import { podRule } from '#admission/node-restriction/pod-rules.ts';
import { tokenRule } from '#admission/node-restriction/token-rule.ts';
import type { AskPermission } from '#admission/permission.ts';
import { resourceOf } from '#admission/request-subject.ts';
import { formatGroupResource } from '#api/names.ts';

export function nodeRestriction(ask: AskPermission): AdmissionPlugin {
  const rules: Readonly<Record<string, NodeRule>> = {
    pods: podRule,
    nodes: nodeRule,
    persistentvolumeclaims: claimRule,
    serviceaccounts: (of) => tokenRule(of, ask),
    'leases.coordination.k8s.io': leaseRule,
    'csinodes.storage.k8s.io': csiNodeRule,
    'resourceslices.resource.k8s.io': resourceSliceRule,
    'certificatesigningrequests.certificates.k8s.io': certificateRule,
    'podcertificaterequests.certificates.k8s.io': podCertificateRule,
  };
  return {
    name: 'NodeRestriction',
    mutate(request) {
      if (request.operation === 'CONNECT') return undefined;
      const node = nodeNameOf(request.user);
      return node === undefined ? undefined : rules[formatGroupResource(resourceOf(request))]?.({ request, node });
    },
  };
}
