// One request as policies see it: whether they are about it, and what their expressions may name.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { AdmissionFacts } from '#admission/expressions/admission-activation.ts';
import { authorizeFor, type CheckAccess } from '#admission/expressions/authorize-for.ts';
import { requestFacts } from '#admission/expressions/request-facts.ts';
import { matchedResource } from '#admission/matching/matched-resource.ts';
import { isInSelectedNamespace, isSelectedObject, namespaceOf } from '#admission/matching/selected.ts';
import { kindOf, namespaces } from '#admission/request-subject.ts';
import { labelSelectorFrom } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { MatchResources } from '#kinds/admissionregistration/v1/match-resources.ts';
import { fromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

/** Beside the rules: what is left out, and the selectors. */
export function isSelected(request: AdmissionRequest, resources: MatchResources | undefined): MaybePromise<boolean> {
  if (resources === undefined) return true;
  const { namespaceSelector, objectSelector, excludeResourceRules = [], matchPolicy } = resources;
  if (excludeResourceRules.length > 0 && matchedResource({ rules: excludeResourceRules, matchPolicy }, request, request.catalog) !== undefined) return false;
  const inNamespace = namespaceSelector === undefined || isInSelectedNamespace(labelSelectorFrom(namespaceSelector), request);
  return andThen(inNamespace, (isInside) => isInside && (objectSelector === undefined || isSelectedObject(labelSelectorFrom(objectSelector), request)));
}

/** A binding without rules narrows nothing. */
export function isBound(request: AdmissionRequest, resources: MatchResources | undefined): MaybePromise<boolean> {
  const { resourceRules = [], matchPolicy } = resources ?? {};
  const isAbout = resourceRules.length === 0 || matchedResource({ rules: resourceRules, matchPolicy }, request, request.catalog) !== undefined;
  return isAbout && isSelected(request, resources);
}

/** What one request is to policies: converted and looked up once for each version that they ask for. */
export class PolicyRequest {
  readonly request: AdmissionRequest;
  readonly #check: CheckAccess;
  readonly #known = new Map<ResourceDefinition, MaybePromise<AdmissionFacts>>();

  constructor(request: AdmissionRequest, check: CheckAccess) {
    this.request = request;
    this.#check = check;
  }

  /** `definition` is the resource in the version that the policy asked for. */
  facts(definition: ResourceDefinition, params: KubernetesObject | undefined): MaybePromise<AdmissionFacts> {
    let known = this.#known.get(definition);
    if (known === undefined) this.#known.set(definition, (known = this.#make(definition)));
    return params === undefined ? known : andThen(known, (facts) => ({ ...facts, params }));
  }

  #make(definition: ResourceDefinition): MaybePromise<AdmissionFacts> {
    const { request } = this;
    const { lister, user } = request;
    const name = namespaceOf(request);
    const namespace = name === '' || !request.definition.namespaced ? undefined : lister.get(namespaces, '', name);
    return andThen(namespace, (found) =>
      andThen(inVersion(request, definition, request.object), (object) =>
        andThen(inVersion(request, definition, request.old), (old) => ({
          request: requestFacts(request, definition),
          object,
          old,
          namespace: found,
          authorize: authorizeFor(this.#check, user),
          values: new Map(),
        })),
      ),
    );
  }
}

/** The objects of some subresources have a kind and version of their own. */
export function hasOwnKind(request: AdmissionRequest): boolean {
  const { kind, group } = kindOf(request);
  return kind !== request.definition.kind || group !== request.definition.group;
}

function inVersion(
  request: AdmissionRequest,
  definition: ResourceDefinition,
  object: KubernetesObject | undefined,
): MaybePromise<KubernetesObject | undefined> {
  return object === undefined || hasOwnKind(request) ? object : fromHub(request.catalog, definition, object);
}
