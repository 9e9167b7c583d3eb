// A request as one webhook sees it: object and old object in the version that its rule names, as values and as text. Webhooks of one version share both.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { RequestFacts } from '#admission/expressions/admission-activation.ts';
import { namespaceOf } from '#admission/matching/selected.ts';
import { kindOf } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { fromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { StructSchema } from '#schema/build.ts';
import { encodeJson } from '#schema/json/encode.ts';

export interface Versioned {
  readonly definition: ResourceDefinition;
  readonly schema: StructSchema;
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  readonly facts: RequestFacts;
  /** JSON, `null` where there is none. */
  readonly objectText: () => string;
  readonly oldText: () => string;
}

/** Versions of one state of a request; made when they are asked for. */
export class VersionedRequest {
  readonly request: AdmissionRequest;
  readonly #made = new Map<ResourceDefinition, Versioned>();

  constructor(request: AdmissionRequest) {
    this.request = request;
  }

  at(definition: ResourceDefinition): MaybePromise<Versioned> {
    const known = this.#made.get(definition);
    if (known) return known;
    const { object, old } = this.request;
    return andThen(this.#convert(definition, object), (converted) =>
      andThen(this.#convert(definition, old), (convertedOld) => {
        const made = versioned(this.request, definition, converted, convertedOld);
        this.#made.set(definition, made);
        return made;
      }),
    );
  }

  /** Subresources with a kind of their own have one version. */
  #convert(definition: ResourceDefinition, object: KubernetesObject | undefined): MaybePromise<KubernetesObject | undefined> {
    if (object === undefined || this.request.schema !== undefined) return object;
    return fromHub(this.request.catalog, definition, object);
  }
}

function versioned(
  request: AdmissionRequest,
  definition: ResourceDefinition,
  object: KubernetesObject | undefined,
  old: KubernetesObject | undefined,
): Versioned {
  const schema = request.schema ?? definition.schema;
  return { definition, schema, object, old, facts: factsOf(request, definition), objectText: once(schema, object), oldText: once(schema, old) };
}

function once(schema: StructSchema, object: KubernetesObject | undefined): () => string {
  let text: string | undefined;
  return () => (text ??= object === undefined ? 'null' : encodeJson(schema, object));
}

function factsOf(request: AdmissionRequest, asked: ResourceDefinition): RequestFacts {
  const { definition, subresource, operation, name, user, dryRun } = request;
  const resourceOf = ({ group, version, plural }: ResourceDefinition) => ({ group, version, resource: plural });
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

const optionsKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions', CONNECT: undefined };

/** A patch is an update, or a creation, to admission; what only patches can say is left out. */
function optionsOf({ operation, options }: AdmissionRequest): RequestFacts['options'] {
  const kind = optionsKinds[operation];
  if (kind === undefined) return undefined;
  const { force: _, ...sent } = options as Readonly<Record<string, unknown>> & { readonly force?: unknown };
  return { ...sent, kind, apiVersion: 'meta.k8s.io/v1' };
}
