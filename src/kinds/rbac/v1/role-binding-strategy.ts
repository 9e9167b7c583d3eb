import type { FieldErrors } from '#api/field-error.ts';
import { nameIsPathSegment, nameIsSubdomain } from '#base/formats.ts';
import type { ClusterRoleBinding } from '#kinds/rbac/v1/cluster-role-binding.ts';
import type { RoleBinding, RoleRef, Subject } from '#kinds/rbac/v1/role-binding.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

type Binding = RoleBinding | ClusterRoleBinding;

export function defaultBinding({ roleRef }: Binding): void {
  if (!roleRef.apiGroup) roleRef.apiGroup = rbacGroup;
}

export function defaultSubject(subject: Subject): void {
  if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = rbacGroup;
}

export const roleBindingStrategy: Strategy<RoleBinding> = bindingStrategy(true, ['Role', 'ClusterRole']);
export const clusterRoleBindingStrategy: Strategy<ClusterRoleBinding> = bindingStrategy(false, ['ClusterRole']);

function bindingStrategy(namespaced: boolean, kinds: readonly string[]): Strategy<Binding> {
  const validate = (binding: Binding, errors: FieldErrors) => {
    validateObjectMeta(binding.metadata, namespaced, nameIsPathSegment, errors);
    validateRoleRef(binding.roleRef, kinds, errors);
    binding.subjects?.forEach((subject, index) => validateSubject(subject, namespaced, `subjects[${index}]`, errors));
  };
  return {
    allowCreateOnUpdate: true,
    validate,
    validateUpdate(binding, old, errors) {
      validate(binding, errors);
      validateObjectMetaUpdate(binding.metadata, old.metadata, errors);
      if (!semanticEqual(binding.roleRef, old.roleRef)) errors.invalid('roleRef', internalForm(binding.roleRef), 'cannot change roleRef');
    },
  };
}

/** Refusals print the internal type, which has no JSON names. */
function internalForm({ apiGroup = '', kind, name }: RoleRef): object {
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

function validateRoleRef({ apiGroup, kind, name }: RoleRef, kinds: readonly string[], errors: FieldErrors): void {
  if (apiGroup !== rbacGroup) errors.notSupported('roleRef.apiGroup', apiGroup ?? '', [rbacGroup]);
  if (!kinds.includes(kind)) errors.notSupported('roleRef.kind', kind, kinds);
  if (name === '') errors.required('roleRef.name');
  else for (const problem of nameIsPathSegment(name, false)) errors.invalid('roleRef.name', name, problem);
}

function validateSubject(subject: Subject, namespaced: boolean, path: string, errors: FieldErrors): void {
  const { kind, name, apiGroup = '', namespace = '' } = subject;
  if (name === '') errors.required(`${path}.name`);
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') for (const problem of nameIsSubdomain(name, false)) errors.invalid(`${path}.name`, name, problem);
      if (apiGroup !== '') errors.notSupported(`${path}.apiGroup`, apiGroup, ['']);
      if (!namespaced && namespace === '') errors.required(`${path}.namespace`);
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) errors.notSupported(`${path}.apiGroup`, apiGroup, [rbacGroup]);
      break;
    default:
      errors.notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']);
  }
}

export const bindingColumns: readonly Column<Binding>[] = [
  nameColumn(),
  { name: 'Role', type: 'string', read: ({ roleRef }) => `${roleRef.kind}/${roleRef.name}` },
  ageColumn(),
  { name: 'Users', type: 'string', priority: 1, read: ({ subjects }) => namesOf(subjects, 'User') },
  { name: 'Groups', type: 'string', priority: 1, read: ({ subjects }) => namesOf(subjects, 'Group') },
  { name: 'ServiceAccounts', type: 'string', priority: 1, read: ({ subjects }) => namesOf(subjects, 'ServiceAccount') },
];

function namesOf(subjects: readonly Subject[] | undefined, kind: string): string {
  const named = (subjects ?? []).filter((subject) => subject.kind === kind);
  return named.map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name)).join(', ');
}
