import { clusterrolebindings } from '#kinds/rbac/v1/cluster-role-binding-resource.ts';
import { rolebindings } from '#kinds/rbac/v1/role-binding-resource.ts';
import { describeRefusals, describeUpdateRefusals, type Refusal } from '../../../../test/support/rule-cases.ts';

const subjects = [
  { kind: 'ServiceAccount', name: 'default', namespace: 'default' },
  { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' },
  { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'team' },
];

const ofEveryBinding: readonly Refusal[] = [
  [
    'a role of another group',
    { 'roleRef.apiGroup': 'example.com' },
    'roleRef.apiGroup: Unsupported value: "example.com": supported values: "rbac.authorization.k8s.io"',
  ],
  ['a role without a name', { 'roleRef.name': '' }, 'roleRef.name: Required value'],
  ['a role of an odd name', { 'roleRef.name': 'a/b' }, 'roleRef.name: Invalid value: "a/b": may not contain \'/\''],
  [
    'subjects without names',
    { 'subjects.0.name': '', 'subjects.1.name': '', 'subjects.2.name': '' },
    'subjects[0].name: Required value',
    'subjects[1].name: Required value',
    'subjects[2].name: Required value',
  ],
  [
    'a service account of an odd name',
    { 'subjects.0.name': 'Default' },
    "subjects[0].name: Invalid value: \"Default\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  ['a service account with a group', { 'subjects.0.apiGroup': 'example.com' }, 'subjects[0].apiGroup: Unsupported value: "example.com": supported values: ""'],
  [
    'users and groups of another group',
    { 'subjects.1.apiGroup': 'example.com', 'subjects.2.apiGroup': 'example.com' },
    'subjects[1].apiGroup: Unsupported value: "example.com": supported values: "rbac.authorization.k8s.io"',
    'subjects[2].apiGroup: Unsupported value: "example.com": supported values: "rbac.authorization.k8s.io"',
  ],
  [
    'a subject of an unknown kind',
    { 'subjects.0.kind': 'Robot' },
    'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
  ],
];

const roleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'one' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'one' },
  subjects,
};

describeRefusals('role bindings', rolebindings, roleBinding, [
  ...ofEveryBinding,
  ['a role of another kind', { 'roleRef.kind': 'Group' }, 'roleRef.kind: Unsupported value: "Group": supported values: "Role", "ClusterRole"'],
]);

describeUpdateRefusals('updates of role bindings', rolebindings, roleBinding, [
  [
    'another role',
    { 'roleRef.name': 'two' },
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"two"}: cannot change roleRef',
  ],
]);

const clusterRoleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'rules-one' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects,
};

describeRefusals('cluster role bindings', clusterrolebindings, clusterRoleBinding, [
  ...ofEveryBinding,
  ['a role of a namespace', { 'roleRef.kind': 'Role' }, 'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
  ['a service account without a namespace', { 'subjects.0.namespace': '' }, 'subjects[0].namespace: Required value'],
]);

describeUpdateRefusals('updates of cluster role bindings', clusterrolebindings, clusterRoleBinding, [
  [
    'another role',
    { 'roleRef.name': 'edit' },
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef',
  ],
]);
