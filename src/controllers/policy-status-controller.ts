// kube-controller-manager's validatingadmissionpolicy-status-controller: says in the status of every ValidatingAdmissionPolicy what is wrong with the
// types in its expressions, once for each generation of its spec.
import type { KubernetesObject } from '#api/object.ts';
import { type Sources, splitKey } from '#api/source.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';

const policies: ResourceAddress = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingadmissionpolicies', namespaced: false };
const name = 'validatingadmissionpolicy-status';

type StoredPolicy = ValidatingAdmissionPolicy & KubernetesObject;

export interface PolicyStatusOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  /** Type checks the expressions of a policy. */
  readonly check: (policy: ValidatingAdmissionPolicy) => readonly ExpressionWarning[];
}

export function policyStatus({ client, sources, check, ...parts }: PolicyStatusOptions): Controller {
  const stored = sources.of<StoredPolicy>(policies);
  const reconcile = async (key: string) => {
    const policy = stored.get('', splitKey(key).name)?.object;
    if (policy === undefined || (policy.metadata.generation ?? 0) <= (policy.status?.observedGeneration ?? 0)) return;
    await client.apply(policies, statusOf(policy, check(policy)), { fieldManager: name, force: true, subresource: 'status' });
  };
  return controller({ ...parts, name, sources: [keysOf(stored)], reconcile });
}

function statusOf(policy: StoredPolicy, expressionWarnings: readonly ExpressionWarning[]): KubernetesObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: policy.metadata.name },
    status: { observedGeneration: policy.metadata.generation, typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings } },
  };
}
