import { type Infer, inline, list, optional, pointer, string, struct } from '#schema/build.ts';

export const RuleWithOperations = struct('io.k8s.api.admissionregistration.v1.RuleWithOperations', () => ({
  operations: optional(1, list(string), { enum: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'], merge: 'atomic', goType: '[]v1.OperationType' }),
  ...inline(2, 'rule', Rule),
}));
export interface RuleWithOperations extends Infer<typeof RuleWithOperations> {}

export const Rule = struct(
  'io.k8s.api.admissionregistration.v1.Rule',
  () => ({
    apiGroups: optional(1, list(string), { merge: 'atomic' }),
    apiVersions: optional(2, list(string), { merge: 'atomic' }),
    resources: optional(3, list(string), { merge: 'atomic' }),
    scope: pointer(4, string, { enum: ['*', 'Cluster', 'Namespaced'], goType: 'v1.ScopeType' }),
  }),
  { unpublished: true },
);
export interface Rule extends Infer<typeof Rule> {}
