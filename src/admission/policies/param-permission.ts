// Who writes a policy with parameters, or binds it to some, must be allowed to read them: expressions could tell what is in them.
// Upstream's storage of policies and bindings asks this, so that no flag turns it off.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { CheckAccess } from '#admission/expressions/authorize-for.ts';
import { invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import { parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { MASTERS, type User } from '#api/user.ts';
import { equal } from '#schema/equal.ts';

const group = 'admissionregistration.k8s.io';
const policyOf: Readonly<Record<string, string>> = {
  validatingadmissionpolicybindings: 'validatingadmissionpolicies',
  mutatingadmissionpolicybindings: 'mutatingadmissionpolicies',
};
const policies = new Set(Object.values(policyOf));

interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

interface Spec {
  readonly paramKind?: ParamKind;
  readonly policyName?: string;
  readonly paramRef?: { readonly name?: string; readonly namespace?: string };
}

export function paramPermission(check: CheckAccess): AdmissionPlugin {
  return {
    name: 'ParamPermission',
    matches: ({ definition, operation, subresource }) =>
      definition.group === group &&
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      (policies.has(definition.plural) || policyOf[definition.plural] !== undefined),
    validate(request) {
      // Superusers are not asked.
      if (request.user.groups.includes(MASTERS)) return undefined;
      return policies.has(request.definition.plural) ? checkPolicy(request, check) : checkBinding(request, check);
    },
  };
}

function specOf(object: KubernetesObject | undefined): Spec {
  return (object?.['spec'] ?? {}) as Spec;
}

async function checkPolicy(request: AdmissionRequest, check: CheckAccess): Promise<void> {
  const { paramKind } = specOf(request.object);
  if (paramKind === undefined || (request.old !== undefined && equal(paramKind, specOf(request.old).paramKind))) return;
  if (await mayRead(request, check, { verb: 'get', paramKind, namespace: '*', name: '*' })) return;
  const { kind = '', apiVersion = '' } = paramKind;
  const why = `user ${shown(request.user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  throw refused(request, 'spec.paramKind', why);
}

async function checkBinding(request: AdmissionRequest, check: CheckAccess): Promise<void> {
  const { paramRef, policyName = '' } = specOf(request.object);
  if (paramRef === undefined) return;
  const before = specOf(request.old);
  if (request.old !== undefined && policyName === before.policyName && equal(paramRef, before.paramRef)) return;
  const policy = await request.lister.get({ group, resource: policyOf[request.definition.plural] ?? '' }, '', policyName);
  const verb = paramRef.name ? 'get' : 'list';
  if (await mayRead(request, check, { verb, paramKind: specOf(policy).paramKind, namespace: paramRef.namespace || '*', name: paramRef.name || '*' })) return;
  throw refused(request, 'spec.paramRef', `user ${shown(request.user)} does not have "${verb}" permission on the object referenced by paramRef`);
}

interface Read {
  readonly verb: 'get' | 'list';
  readonly paramKind: ParamKind | undefined;
  readonly namespace: string;
  readonly name: string;
}

const anything = { group: '*', version: '*' };

/** Of a kind that is not known here: all resources of its group and version; without a kind all there are. */
async function mayRead({ catalog, user }: AdmissionRequest, check: CheckAccess, { verb, paramKind, namespace, name }: Read): Promise<boolean> {
  const { group: apiGroup, version } = paramKind === undefined ? anything : (parseApiVersion(paramKind.apiVersion ?? '') ?? anything);
  const resource = catalog.byKind(apiGroup, version, paramKind?.kind ?? '')?.plural ?? '*';
  const nothing = { path: '', subresource: '', labelSelector: '', fieldSelector: '' };
  const { decision } = await check(user, { ...nothing, isResource: true, verb, group: apiGroup, version, resource, namespace, name });
  return decision === 'allow';
}

function refused({ definition, object }: AdmissionRequest, path: string, why: string) {
  const errors = new FieldErrors();
  errors.forbidden(path, why);
  return invalid({ group, kind: definition.kind }, object?.metadata.name ?? '', errors.list);
}

/** As Go prints user.DefaultInfo. */
function shown({ name, uid = '', groups, extra = {} }: User): string {
  const extras = Object.keys(extra)
    .toSorted()
    .map((key) => `${key}:[${(extra[key] ?? []).join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${extras.join(' ')}]}`;
}
