// Roles of a namespace and of the cluster. Who may write which role is a matter of admission by escalation checks (auth/).
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsPathSegment } from '#base/formats.ts';
import type { ClusterRole } from '#kinds/rbac/v1/cluster-role.ts';
import type { PolicyRule, Role } from '#kinds/rbac/v1/role.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import type { Strategy } from '#resource/strategy.ts';

export const roleStrategy: Strategy<Role> = {
  allowCreateOnUpdate: true,
  validate: validateRole,
  validateUpdate(role, old, errors) {
    validateRole(role, errors);
    validateObjectMetaUpdate(role.metadata, old.metadata, errors);
  },
};

function validateRole({ metadata, rules }: Role, errors: FieldErrors): void {
  validateObjectMeta(metadata, true, nameIsPathSegment, errors);
  rules?.forEach((rule, index) => validateRule(rule, true, `rules[${index}]`, errors));
}

export const clusterRoleStrategy: Strategy<ClusterRole> = {
  allowCreateOnUpdate: true,
  validate: validateClusterRole,
  validateUpdate(role, old, errors) {
    validateClusterRole(role, errors);
    validateObjectMetaUpdate(role.metadata, old.metadata, errors);
  },
};

function validateClusterRole({ metadata, rules, aggregationRule }: ClusterRole, errors: FieldErrors): void {
  validateObjectMeta(metadata, false, nameIsPathSegment, errors);
  rules?.forEach((rule, index) => validateRule(rule, false, `rules[${index}]`, errors));
  if (aggregationRule === undefined) return;
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) errors.required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const [index, selector] of selectors.entries()) {
    const before = errors.list.length;
    validateLabelSelector(selector, `${path}[${index}]`, errors);
    if (errors.list.length > before) errors.invalid(`${path}[${index}]`, null, 'invalid label selector.');
  }
}

function validateRule(rule: PolicyRule, namespaced: boolean, path: string, errors: FieldErrors): void {
  const { verbs = [], nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  if (verbs.length === 0) errors.required(`${path}.verbs`, 'verbs must contain at least one value');
  if (nonResourceURLs.length > 0) {
    if (namespaced) errors.invalid(`${path}.nonResourceURLs`, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs');
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      errors.invalid(`${path}.nonResourceURLs`, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs');
    }
    return;
  }
  if (apiGroups.length === 0) errors.required(`${path}.apiGroups`, 'resource rules must supply at least one api group');
  if (resources.length === 0) errors.required(`${path}.resources`, 'resource rules must supply at least one resource');
}
