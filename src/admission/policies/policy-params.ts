// The parameters of a policy for one binding and one request: objects of another kind, found by name or by their labels.
import type { AdmissionRequest } from '#admission/admission.ts';
import { namespaceOf } from '#admission/matching/selected.ts';
import { type LabelSelectorObject, labelSelectorFrom } from '#api/label-selector.ts';
import { parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { allFromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export interface ParamKind {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

export interface ParamRef {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly selector?: LabelSelectorObject | undefined;
  readonly parameterNotFoundAction?: string | undefined;
}

/** The policy cannot be judged: its failure policy decides. */
export class PolicyConfigurationError extends Error {
  override readonly name = 'PolicyConfigurationError';
}

/** One evaluation for each; `[undefined]` for a policy or binding without parameters, none where missing ones are allowed. */
export function collectParams(
  request: AdmissionRequest,
  kind: ParamKind | undefined,
  reference: ParamRef | undefined,
): MaybePromise<readonly (KubernetesObject | undefined)[]> {
  if (kind === undefined) return [undefined];
  const definition = definitionOf(request, kind);
  if (reference === undefined) return [undefined];
  const namespace = namespaceOfParams(request, definition, reference);
  return andThen(find(request, definition, namespace, reference), (found) => {
    if (found.length > 0 || reference.parameterNotFoundAction === 'Allow') return found;
    throw new PolicyConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  });
}

/** A policy whose kind of parameters is not served cannot be used at all, by no binding. */
export function isParamKindKnown(request: AdmissionRequest, kind: ParamKind | undefined): true {
  if (kind !== undefined) definitionOf(request, kind);
  return true;
}

function definitionOf({ catalog }: AdmissionRequest, { apiVersion = '', kind = '' }: ParamKind): ResourceDefinition {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const definition = catalog.byKind(group, version, kind);
  if (definition === undefined) throw new PolicyConfigurationError(`failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`);
  return definition;
}

function namespaceOfParams(request: AdmissionRequest, { namespaced }: ResourceDefinition, { name, selector, namespace = '' }: ParamRef): string {
  if (name !== undefined && name !== '' && selector !== undefined)
    throw new PolicyConfigurationError('paramRef.name and paramRef.selector are mutually exclusive');
  if (!namespaced) {
    if (namespace !== '') throw new PolicyConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    return '';
  }
  const own = namespace || namespaceOf(request);
  if (own === '') throw new PolicyConfigurationError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  return own;
}

function find(
  request: AdmissionRequest,
  definition: ResourceDefinition,
  namespace: string,
  { name, selector }: ParamRef,
): MaybePromise<readonly KubernetesObject[]> {
  const { lister, catalog } = request;
  const resource = { group: definition.group, resource: definition.plural };
  const asAsked = (found: readonly KubernetesObject[]) => allFromHub(catalog, definition, found);
  if (name) return andThen(lister.get(resource, namespace, name), (found) => asAsked(found === undefined ? [] : [found]));
  const wanted = labelSelectorFrom(selector ?? {});
  return andThen(lister.list(resource, namespace), (all) => asAsked(all.filter(({ metadata }) => wanted.matches(metadata.labels ?? {}))));
}
