// A request as reviews and expressions name it, in the version that the matching rule asked for.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { RequestFacts } from '#admission/expressions/admission-activation.ts';
import { namespaceOf } from '#admission/matching/selected.ts';
import { kindOf } from '#admission/request-subject.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export function requestFacts(request: AdmissionRequest, asked: ResourceDefinition): RequestFacts {
  const { definition, subresource, operation, name, user, dryRun } = request;
  return {
    kind: kindOf({ definition: asked, subresource, operation }),
    resource: resourceOf(asked),
    subresource,
    requestKind: kindOf(request),
    requestResource: resourceOf(definition),
    name,
    namespace: namespaceOf(request),
    operation,
    user,
    dryRun,
    options: optionsOf(request),
  };
}

function resourceOf({ group, version, plural }: ResourceDefinition): RequestFacts['resource'] {
  return { group, version, resource: plural };
}

const optionsKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions', CONNECT: undefined };

/** A patch is an update, or a creation, to admission; what only patches can say is left out. */
function optionsOf({ operation, options }: AdmissionRequest): RequestFacts['options'] {
  const kind = optionsKinds[operation];
  if (kind === undefined) return undefined;
  const { force: _, ...sent } = options as Readonly<Record<string, unknown>> & { readonly force?: unknown };
  return { ...sent, kind, apiVersion: 'meta.k8s.io/v1' };
}
