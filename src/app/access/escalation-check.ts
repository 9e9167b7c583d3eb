// The escalation check of RBAC, at the place of an admission plugin: it sees every write to the group, whatever the verb.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { rbacGroup, refuseEscalation } from '#auth/authorization/escalation.ts';
import type { RbacPolicy } from '#auth/authorization/rbac.ts';
import type { Authorizer } from '#auth/authorizer.ts';

/** Stands last among the mutating plugins: after all changes, before validation, as the original has it. */
export function escalationCheck(policy: RbacPolicy, authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'RBACEscalation',
    matches: ({ definition, subresource }) => definition.group === rbacGroup && subresource === '',
    mutate: async ({ definition, operation, user, namespace, name, object, old }) => {
      if (object === undefined) return;
      const write = { user, resource: definition.plural, namespace, name: operation === 'CREATE' ? '' : name, object, old };
      await refuseEscalation(policy, authorizer, write);
    },
  };
}
