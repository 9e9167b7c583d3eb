// Nothing is created in a namespace that is missing or going; the system's namespaces stay.
import { andThen } from '#base/and-then.ts';
import { ApiError, forbidden, notFound } from '#api/api-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { namespaces, refusal } from '#admission/request-subject.ts';
import type { Namespace } from '#kinds/core/v1/namespace.ts';
import type { KubernetesObject } from '#api/object.ts';

const immortal = new Set(['default', 'kube-system', 'kube-public']);

export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  mutate(request) {
    const { operation, definition, name } = request;
    if (definition.plural === 'namespaces' && definition.group === '') {
      if (operation === 'DELETE' && immortal.has(name)) throw forbidden(namespaces, name, 'this namespace may not be deleted');
      return undefined;
    }
    if ((operation !== 'CREATE' && operation !== 'UPDATE') || request.namespace === '' || isReview(request)) return undefined;
    return refuseUnlessAlive(request);
  },
};

/** Asking about a namespace is not creating in it. */
function isReview({ definition }: AdmissionRequest): boolean {
  return definition.plural === 'localsubjectaccessreviews' && definition.group === 'authorization.k8s.io';
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
