// A namespace comes into being with the first object in it.
import { ApiError } from '#api/api-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { namespaces, refusal } from '#admission/request-subject.ts';

export const namespaceAutoProvision: AdmissionPlugin = {
  name: 'NamespaceAutoProvision',
  mutate(request) {
    const { operation, namespace, dryRun, definition } = request;
    if (operation !== 'CREATE' || dryRun || namespace === '' || (definition.plural === 'namespaces' && definition.group === '')) return undefined;
    return provide(request);
  },
};

async function provide(request: AdmissionRequest): Promise<void> {
  const { lister, writer, namespace } = request;
  if (await lister.get(namespaces, '', namespace)) return;
  try {
    await writer.create(namespaces, '', { kind: 'Namespace', metadata: { name: namespace } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason === 'Forbidden') throw error;
    if (error.reason !== 'AlreadyExists') throw refusal(request, error.message);
  }
}
