// Nothing is created in a namespace that is missing or going; the system's namespaces stay.
import { ApiError, forbidden, notFound } from '#api/api-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';

const immortal = new Set(['default', 'kube-system', 'kube-public']);
const namespaces = { group: '', resource: 'namespaces' };
const reviews = new Set(['localsubjectaccessreviews', 'subjectaccessreviews', 'selfsubjectaccessreviews']);

export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  validate(request) {
    const { operation, definition, name } = request;
    if (definition.plural === 'namespaces' && definition.group === '') {
      if (operation === 'DELETE' && immortal.has(name)) throw forbidden(namespaces, name, 'this namespace may not be deleted');
      return undefined;
    }
    if (operation !== 'CREATE' || request.namespace === '' || reviews.has(definition.plural)) return undefined;
    return refuseUnlessAlive(request);
  },
};

async function refuseUnlessAlive(request: AdmissionRequest): Promise<void> {
  const found = await request.lister.get(namespaces, '', request.namespace);
  if (found === undefined) throw notFound(namespaces, request.namespace);
  if (isGoing(found)) throw terminating(request);
}

function isGoing({ metadata, status }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined || (status as { phase?: string } | undefined)?.phase === 'Terminating';
}

function terminating({ definition, name, namespace, object }: AdmissionRequest): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { details, message } = forbidden({ group: definition.group, resource: definition.plural }, object?.metadata.name ?? name, why);
  const causes = [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }];
  return new ApiError(403, 'Forbidden', message, { details: { ...details, causes } });
}
