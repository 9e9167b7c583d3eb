// A request as one webhook sees it: object and old object in the version that its rule names, as values and as text. Webhooks of one version share both.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { RequestFacts } from '#admission/expressions/admission-activation.ts';
import { requestFacts } from '#admission/expressions/request-facts.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { fromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { StructSchema } from '#schema/build.ts';
import { holdsGivenEmpty, wasGivenEmpty } from '#schema/given-empty.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { writeJson } from '#schema/json/json-text.ts';
import { parseJson } from '#schema/json/parse-json.ts';

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
  return { definition, schema, object, old, facts: requestFacts(request, definition), objectText: once(schema, object), oldText: once(schema, old) };
}

function once(schema: StructSchema, object: KubernetesObject | undefined): () => string {
  let text: string | undefined;
  return () => (text ??= object === undefined ? 'null' : shown(schema, object));
}

/** A list that must be there and was sent empty is empty, not null: webhooks are shown what Go holds. */
function shown(schema: StructSchema, object: KubernetesObject): string {
  const text = encodeJson(schema, object);
  if (!text.includes(':null') || !holdsGivenEmpty(object)) return text;
  const { value } = parseJson(Buffer.from(text));
  restoreEmpty(object, value);
  return writeJson(value);
}

function restoreEmpty(from: unknown, to: unknown): void {
  if (typeof from !== 'object' || from === null || typeof to !== 'object' || to === null) return;
  for (const [name, value] of Object.entries(to)) {
    if (value === null && wasGivenEmpty(from, name)) (to as Record<string, unknown>)[name] = [];
    else restoreEmpty((from as Record<string, unknown>)[name], value);
  }
}
