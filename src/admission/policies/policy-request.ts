// One request as policies see it: whether they are about it, and what their expressions may name.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { AdmissionFacts } from '#admission/expressions/admission-activation.ts';
import { authorizeFor, type CheckAccess } from '#admission/expressions/authorize-for.ts';
import { matchedResource } from '#admission/matching/matched-resource.ts';
import { isInSelectedNamespace, isSelectedObject, namespaceOf } from '#admission/matching/selected.ts';
import { kindOf, namespaces } from '#admission/request-subject.ts';
import { labelSelectorFrom } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { MatchResources } from '#kinds/admissionregistration/v1/match-resources.ts';
import { fromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

/** Beside the rules: what is left out, and the selectors. */
export async function isSelected(request: AdmissionRequest, resources: MatchResources | undefined): Promise<boolean> {
  if (resources === undefined) return true;
  const { namespaceSelector, objectSelector, excludeResourceRules = [], matchPolicy } = resources;
  const { definition, operation, subresource, catalog } = request;
  if (matchedResource({ rules: excludeResourceRules, matchPolicy }, { definition, operation, subresource }, catalog) !== undefined) return false;
  if (!(await isInSelectedNamespace(labelSelectorFrom(namespaceSelector ?? {}), request))) return false;
  return isSelectedObject(labelSelectorFrom(objectSelector ?? {}), request);
}

/** A binding without rules narrows nothing. */
export async function isBound(request: AdmissionRequest, resources: MatchResources | undefined): Promise<boolean> {
  const { resourceRules = [], matchPolicy } = resources ?? {};
  const { definition, operation, subresource, catalog } = request;
  const isAbout =
    resourceRules.length === 0 || matchedResource({ rules: resourceRules, matchPolicy }, { definition, operation, subresource }, catalog) !== undefined;
  return isAbout && isSelected(request, resources);
}

export interface FactsOptions {
  /** The resource in the version that the policy asked for. */
  readonly definition: ResourceDefinition;
  readonly params: KubernetesObject | undefined;
  readonly check: CheckAccess;
}

export async function factsOf(request: AdmissionRequest, { definition, params, check }: FactsOptions): Promise<AdmissionFacts> {
  const { lister, user } = request;
  const name = namespaceOf(request);
  return {
    request: {
      kind: kindOf({ ...request, definition }),
      resource: { group: definition.group, version: definition.version, resource: definition.plural },
      subresource: request.subresource,
      requestKind: kindOf(request),
      requestResource: { group: request.definition.group, version: request.definition.version, resource: request.definition.plural },
      name: request.name,
      namespace: request.namespace,
      operation: request.operation,
      user,
      dryRun: request.dryRun,
      options: request.options,
    },
    object: await inVersion(request, definition, request.object),
    old: await inVersion(request, definition, request.old),
    namespace: name === '' || !request.definition.namespaced ? undefined : await lister.get(namespaces, '', name),
    params,
    authorize: authorizeFor(check, user),
  };
}

/** The objects of some subresources have a kind and version of their own. */
export function hasOwnKind(request: AdmissionRequest): boolean {
  const { kind, group } = kindOf(request);
  return kind !== request.definition.kind || group !== request.definition.group;
}

async function inVersion(
  request: AdmissionRequest,
  definition: ResourceDefinition,
  object: KubernetesObject | undefined,
): Promise<KubernetesObject | undefined> {
  return object === undefined || hasOwnKind(request) ? object : fromHub(request.catalog, definition, object);
}
