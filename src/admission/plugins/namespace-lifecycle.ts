// Nothing is created in a namespace that is missing or going; the system's namespaces stay.
import { andThen } from '#base/and-then.ts';
import { ApiError, forbidden, notFound } from '#api/api-error.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionScope } from '#admission/admission.ts';
import { namespaces, refusal } from '#admission/request-subject.ts';
import type { Namespace } from '#kinds/core/v1/namespace.ts';
import type { KubernetesObject } from '#api/object.ts';

const immortal = new Set(['default', 'kube-system', 'kube-public']);

export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  matches: (scope) => (concernsNamespace(scope) ? scope.operation === 'DELETE' : isWriteInside(scope)),
  mutate(request) {
    const { operation, namespace, name } = request;
    if (operation !== 'DELETE') return namespace === '' ? undefined : refuseUnlessAlive(request);
    if (immortal.has(name)) throw forbidden(namespaces, name, 'this namespace may not be deleted');
    return undefined;
  },
};

/** Also its parts: the finalization of a namespace is no write inside it. */
function concernsNamespace({ definition }: AdmissionScope): boolean {
  return definition.plural === namespaces.resource && definition.group === namespaces.group;
}

/** Asking about a namespace is not creating in it. */
function isWriteInside({ definition, operation }: AdmissionScope): boolean {
  const isReview = definition.plural === 'localsubjectaccessreviews' && definition.group === 'authorization.k8s.io';
  return !isReview && (operation === 'CREATE' || operation === 'UPDATE');
}

function refuseUnlessAlive(request: AdmissionRequest): Promise<void> | void {
  return andThen(request.lister.get<Namespace & KubernetesObject>(namespaces, '', request.namespace), (found) => {
    if (found === undefined) throw notFound(namespaces, request.namespace);
    if (request.operation === 'CREATE' && found.status?.phase === 'Terminating') throw terminating(request);
  });
}

function terminating(request: AdmissionRequest): ApiError {
  const { namespace } = request;
  const { details, message } = refusal(request, `unable to create new content in namespace ${namespace} because it is being terminated`);
  const causes = [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }];
  return new ApiError(403, 'Forbidden', message, { details: { ...details, causes } });
}
