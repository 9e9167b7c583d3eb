import { clusterroles } from '#kinds/rbac/v1/cluster-role-resource.ts';
import { roles } from '#kinds/rbac/v1/role-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'one' },
  rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
};

describeRefusals('roles', roles, role, [
  ['no verbs', { 'rules.0.verbs': [] }, 'rules[0].verbs: Required value: verbs must contain at least one value'],
  [
    'paths',
    { 'rules.0.nonResourceURLs': ['/healthz'] },
    'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs',
    'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  ['no groups', { 'rules.0.apiGroups': [] }, 'rules[0].apiGroups: Required value: resource rules must supply at least one api group'],
  ['no resources', { 'rules.0.resources': [] }, 'rules[0].resources: Required value: resource rules must supply at least one resource'],
]);

const clusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'rules-one' },
  rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
};

describeRefusals('cluster roles', clusterroles, clusterRole, [
  ['no verbs', { 'rules.0.verbs': [] }, 'rules[0].verbs: Required value: verbs must contain at least one value'],
  [
    'paths beside resources',
    { 'rules.0.nonResourceURLs': ['/healthz'] },
    'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  ['no groups', { 'rules.0.apiGroups': [] }, 'rules[0].apiGroups: Required value: resource rules must supply at least one api group'],
  ['no resources', { 'rules.0.resources': [] }, 'rules[0].resources: Required value: resource rules must supply at least one resource'],
]);

const aggregatedRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'rules-two' },
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
};

describeRefusals('aggregated cluster roles', clusterroles, aggregatedRole, [
  [
    'no selectors',
    { 'aggregationRule.clusterRoleSelectors': [] },
    'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
  ],
  [
    'a selector with an unknown operator',
    { 'aggregationRule.clusterRoleSelectors.0': { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
  ],
]);
