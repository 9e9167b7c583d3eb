// Nothing is written in a namespace that is not there.
import { notFound } from '#api/api-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { namespaces } from '#admission/request-subject.ts';

export const namespaceExists: AdmissionPlugin = {
  name: 'NamespaceExists',
  validate(request) {
    const { operation, namespace, definition } = request;
    if (operation === 'CONNECT' || namespace === '' || (definition.plural === 'namespaces' && definition.group === '')) return undefined;
    return refuseMissing(request);
  },
};

async function refuseMissing({ lister, namespace }: AdmissionRequest): Promise<void> {
  if ((await lister.get(namespaces, '', namespace)) === undefined) throw notFound(namespaces, namespace);
}
